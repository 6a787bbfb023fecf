/** Which changes of files may have an effect on what a specifier leads to. */
import { expect, test } from 'vitest'
import type { ProgramFiles } from '../../src/loader/program-files.ts'
import { RelevantChanges } from '../../src/loader/relevant-changes.ts'

function changesOf(...paths: string[]): RelevantChanges {
  const files: Partial<ProgramFiles> = { changes: () => paths.length, changedPaths: () => paths }
  return new RelevantChanges(files as ProgramFiles)
}

const importer = '/project/src/main.mjs'

test.each([
  ['./lib/x.mjs', '/project/src/lib/x.mjs', '/project/src/lib/x.mjs', 'the file itself'],
  ['./lib/x', '/project/src/lib/x.js', '/project/src/lib/x', 'a name that comes first'],
  ['./lib/x.js', '/project/src/lib/x.ts', '/project/src/lib/x.js', 'the JavaScript that a TypeScript file stands for'],
  ['./lib', '/project/src/lib/index.js', '/project/src/lib/index.json', 'another file of a folder'],
  ['./lib', '/project/src/lib/index.js', '/project/src/lib.js', 'a file that comes before a folder'],
  ['./link/x.mjs', '/elsewhere/x.mjs', '/project/src/link', 'a link on the way'],
  ['./lib/x.mjs', '/project/src/lib/x.mjs', '/project', 'a folder on the way'],
  ['dep', '/project/node_modules/dep/index.js', '/project/node_modules', 'the folder of packages'],
  ['dep', '/project/node_modules/dep/index.js', '/project/src/node_modules/dep', 'a nearer package'],
  ['dep', '/project/packages/dep/main.js', '/project/packages/dep/main', 'a name beside the main of a linked package'],
  ['#in', '/project/src/in.mjs', '/project/package.json', 'a package.json'],
  ['/data/x', '/data/x.js', '/data/x.json', 'beside an absolute path'],
  ['file:///data/x.mjs', '/data/x.mjs', '/data', 'above a URL'],
])('%s leading to %s: changed %s (%s)', (specifier, found, changed) => {
  expect(changesOf('/tmp/a', changed).affect(specifier, importer, found)).toBe(true)
})

test.each([
  ['./lib/x.mjs', '/project/src/lib/x.mjs', '/project/src/data.json'],
  ['./lib/x.mjs', '/project/src/lib/x.mjs', '/project/src/librarian'],
  ['./lib', '/project/src/lib/index.js', '/project/src/other'],
  ['dep', '/project/node_modules/dep/index.js', '/tmp/x/y'],
  ['dep', '/project/node_modules/dep/index.js', '/project/src/my-package.json'],
  ['/data/x', '/data/x.js', '/project/src/x'],
])('%s leading to %s: changed %s has no effect', (specifier, found, changed) => {
  const changes = changesOf('/tmp/a', changed)
  expect(changes.affect(specifier, importer, found)).toBe(false)
  expect(changes.ofPackages).toBe(false)
})

test('of very many changes, each may have an effect', () => {
  const many = changesOf(...Array.from({ length: 1000 }, (_, n) => `/tmp/${n}`))
  expect(many.affect('./x.mjs', importer, '/project/src/x.mjs')).toBe(true)
  expect(many.ofPackages).toBe(true)
})

test('later changes count', () => {
  const paths: string[] = []
  const changes = new RelevantChanges({ changes: () => paths.length, changedPaths: () => paths } as never)
  expect(changes.affect('./x.mjs', importer, '/project/src/x.mjs')).toBe(false)
  paths.push('/project/src/x.mjs')
  expect(changes.affect('./x.mjs', importer, '/project/src/x.mjs')).toBe(true)
})
