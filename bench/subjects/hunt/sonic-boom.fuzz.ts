// sonic-boom: a stream that is destroyed ends without an error, also during a write or a reopen.
import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import SonicBoom from 'sonic-boom'

const operation = fc.record({ gap: fc.integer({ min: 0, max: 3 }), kind: fc.constantFrom('write', 'reopen') })

fuzz(
  'sonic-boom: destroy() ends a stream without an error',
  { operations: fc.array(operation, { maxLength: 5 }), mkdir: fc.boolean() },
  async ({ operations, mkdir }) => {
    const dest = join(await mkdtemp(join(tmpdir(), 'sonic-boom-')), 'log')
    const log = new SonicBoom({ dest, mkdir })
    const errors: unknown[] = []
    log.on('error', (error: unknown) => errors.push(error))
    for (const { gap, kind } of operations) {
      if (gap > 0) await sleep(gap)
      if (kind === 'write') log.write('line\n')
      else log.reopen()
    }
    log.destroy()
    await sleep(5000)
    assert.deepEqual(errors, [])
  },
)
