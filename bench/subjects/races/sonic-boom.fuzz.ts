// sonic-boom 0.7.5 -> 0.7.6
//
// The race: reopen() while the first open is pending waits for 'ready'. When the open calls back, 'ready' makes reopen
// close the descriptor and open the file again, and the same callback goes on to write what was buffered to the
// descriptor that is being closed. If the close takes effect first, the write gets EBADF and the lines are lost.
// 0.7.6 does not write while a reopen is under way.
//
// Zero input: no operations. A write and a reopen in the same tick as the start fail by default too; with
// gaps they fail only if the open is delayed. The end waits until all is quiet, because both versions hang when end()
// follows a reopen() that waits for a write in flight: another bug, not this one.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import SonicBoom from 'sonic-boom-buggy'

// At most six operations, each of them at most a close, an open and a write delayed by 40 ms.
const quiet_ms = 5_000
const operation = fc.record({ gap_ms: fc.integer({ min: 0, max: 3 }), kind: fc.constantFrom('write', 'reopen') })

fuzz(
  'sonic-boom: no line is lost over a reopen',
  { operations: fc.array(operation, { maxLength: 6 }) },
  async ({ operations }) => {
    const directory = await mkdtemp(join(tmpdir(), 'norn-'))
    const path = join(directory, 'out.log')
    const boom = new SonicBoom(path)
    const errors: Error[] = []
    boom.on('error', (error: Error) => errors.push(error))

    let expected = ''
    for (const [index, { gap_ms, kind }] of operations.entries()) {
      if (gap_ms > 0) await sleep(gap_ms)
      if (kind === 'write') {
        expected += `line ${index}\n`
        boom.write(`line ${index}\n`)
      } else boom.reopen()
    }
    await sleep(quiet_ms)
    assert.deepEqual(errors, [], `the log failed while it was reopened: ${errors[0]?.message}`)
    assert.equal(await readFile(path, 'utf8'), expected, 'lines were lost, doubled or swapped over a reopen')

    boom.end()
    await once(boom, 'close')
  },
)
