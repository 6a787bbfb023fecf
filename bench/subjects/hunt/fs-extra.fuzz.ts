// fs-extra: ensureX() may be called by several at once; ensureFile() does not modify a file that
// exists.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fs from 'fs-extra'
import { fc, fuzz } from 'norn'
import { pause } from './pause.ts'

fuzz(
  'fs-extra: ensureFile() does not modify a file',
  { waits: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 }), isNested: fc.boolean() },
  async ({ waits, isNested }) => {
    const root = await mkdtemp(join(tmpdir(), 'fs-extra-'))
    const file = isNested ? join(root, 'a/b/file') : join(root, 'file')
    const ensured = waits.map((wait) => pause(wait).then(() => fs.ensureFile(file)))
    await fs.outputFile(file, 'content')
    await Promise.all(ensured)
    assert.equal(await readFile(file, 'utf8'), 'content')
  },
)

const path = fc.constantFrom('a/file', 'a/b/file', 'c')
const ensure = fc.record({
  wait: fc.integer({ min: 0, max: 3 }),
  kind: fc.constantFrom('ensureLink', 'ensureSymlink', 'ensureDir', 'outputFile'),
})

fuzz(
  'fs-extra: several may ensure at once',
  { ensures: fc.array(ensure, { maxLength: 4 }), path },
  async ({ ensures, path }) => {
    const root = await mkdtemp(join(tmpdir(), 'fs-extra-'))
    const source = join(root, 'source')
    await writeFile(source, 'content')
    await Promise.all(
      ensures.map(async ({ wait, kind }) => {
        await pause(wait)
        const target = join(root, kind, path)
        if (kind === 'ensureDir') await fs.ensureDir(target)
        else if (kind === 'outputFile') await fs.outputFile(target, 'content')
        else await fs[kind as 'ensureLink'](source, target)
      }),
    )
  },
)
