// NKD, after node-mkdirp (ConFuzz)
//
// The race: for each part of a path it is asked whether it is there, and if not, it is made. Two calls that share a
// part both hear no, and the second to make it gets EEXIST and gives up.
//
// Input: up to four paths of one to three parts. Zero input: no paths. Two paths that begin alike fail by
// default too; others do not.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc } from 'norn'
import { subject } from './subject.ts'

const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })

subject('NKD: every path is made', {
  inputs: { paths: fc.array(path, { maxLength: 4 }) },
  example: { paths: [['a', 'b'], ['c']] },
  async body({ paths }, { exists, makeDirectory }) {
    const root = await mkdtemp(join(tmpdir(), 'norn-'))
    const make = async (parts: readonly string[]) => {
      let made = root
      for (const part of parts) {
        made = join(made, part)
        if (!(await exists(made))) await makeDirectory(made)
      }
    }
    await Promise.all(paths.map(make))
    for (const parts of paths) assert.ok(existsSync(join(root, ...parts)), `${parts.join('/')} is not there`)
  },
})
