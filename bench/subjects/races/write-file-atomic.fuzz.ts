// write-file-atomic 2.1.0 -> 2.3.0
//
// The race: two calls for one file run side by side, each through its own temporary file. If any operation of the first
// is delayed, its rename takes effect after that of the second: the file keeps the older content, and the last
// write is lost. 2.3.0 queues the calls for one file.
//
// Zero input: two empty-bodied writes in the same tick. By default they proceed in step, the first always one
// place ahead in the queue of the thread pool, so its rename comes first. Three calls keep three of the four threads
// busy at most, so no input makes an operation wait for a thread.
import assert from 'node:assert/strict'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { fc, fuzz } from 'norn'
import writeFileAtomic from 'write-file-atomic-buggy'

const write = promisify(writeFileAtomic)
const call = fc.record({ gap_ms: fc.integer({ min: 0, max: 5 }), size_bytes: fc.integer({ min: 0, max: 2000 }) })

fuzz(
  'write-file-atomic: the last write stays',
  { calls: fc.array(call, { minLength: 2, maxLength: 3 }) },
  async ({ calls }) => {
    const directory = await mkdtemp(join(tmpdir(), 'norn-'))
    const path = join(directory, 'state.txt')
    let start_ms = 0
    const writeAfter = async ({ gap_ms, size_bytes }: { gap_ms: number; size_bytes: number }, index: number) => {
      await sleep((start_ms += gap_ms))
      await write(path, `${index}:${'x'.repeat(size_bytes)}`)
    }
    await Promise.all(calls.map(writeAfter))

    const [version, body = ''] = (await readFile(path, 'utf8')).split(':')
    const last = calls.length - 1
    assert.equal(Number(version), last, `the last write is lost: the file holds write ${version} of 0..${last}`)
    assert.equal(body.length, calls[last]!.size_bytes, 'the file holds only a part of the last write')
  },
)
