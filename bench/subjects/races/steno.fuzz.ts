// steno 0.4.3 -> 0.4.4
//
// The race: a write issued while an earlier one is in flight is put aside, but its callback joins those of the one in
// flight. When that one's rename calls back, all are called, but the data of the second is not in the file yet. 0.4.4
// keeps the callbacks of the write put aside apart.
//
// Zero input: no writes. Writes in the same tick fail in any order; writes with a gap fail only if an operation of the
// first is delayed. The data is never empty, since both versions forget an empty string that had to wait.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc, fuzz } from 'norn'
import steno from 'steno-buggy'

fuzz(
  'steno: a write that called back is in the file',
  { gaps_ms: fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 4 }) },
  async ({ gaps_ms }) => {
    const directory = await mkdtemp(join(tmpdir(), 'norn-'))
    const path = join(directory, 'state.json')
    const write = (version: number) =>
      new Promise<void>((resolve, reject) => {
        steno.writeFile(path, String(version), (error) => {
          try {
            assert.ifError(error)
            const found = Number(readFileSync(path, 'utf8'))
            assert.ok(found >= version, `write ${version} was reported done while the file still held write ${found}`)
            resolve()
          } catch (failure) {
            reject(failure)
          }
        })
      })

    let start_ms = 0
    const writeAfter = async (gap_ms: number, version: number) => {
      await sleep((start_ms += gap_ms))
      await write(version)
    }
    await Promise.all(gaps_ms.map(writeAfter))
  },
)
