// mkdirp 0.0.1 -> 0.0.6
//
// The race: two calls share a missing ancestor. Both ask whether it exists, both hear no, both create it; the second
// mkdir gets EEXIST and its call fails. (0.0.1 compares `err.errno` with `process.EEXIST`, which no Node defines.)
// 0.0.6 takes EEXIST for success.
//
// Zero input: no paths, no calls. Two calls in the same tick fail in any order; calls with a gap fail only if an
// operation of the first one is delayed.
import assert from 'node:assert/strict'
import { exists } from 'node:fs'
import { mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import mkdirp from 'mkdirp-buggy'
import { fc, fuzz } from 'norn'

// Both versions were written for Node 0.4, where `exists` was a function of the path module.
Object.assign(path, { exists })

const makePath = promisify(mkdirp.mkdirp)
const name = fc.constantFrom('a', 'b')

fuzz(
  'mkdirp: every call makes its path',
  {
    paths: fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
    gap_ms: fc.integer({ min: 0, max: 3 }),
  },
  async ({ paths, gap_ms }) => {
    const root = await mkdtemp(path.join(tmpdir(), 'norn-'))
    const make = async (names: string[], start_ms: number) => {
      if (start_ms > 0) await sleep(start_ms)
      const target = path.join(root, ...names)
      await makePath(target, 0o755).catch((error: NodeJS.ErrnoException) =>
        assert.fail(`${names.join('/')} was not made, although nothing stands in its way: ${error.code ?? error}`),
      )
      const made = await stat(target)
      assert.ok(made.isDirectory(), `${names.join('/')} is no directory`)
    }
    await Promise.all(paths.map((names, index) => make(names, index * gap_ms)))
  },
)
