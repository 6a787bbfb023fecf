/** Modules: how they are found, and what is wrong with those that are not. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TlaError } from '../../src/error/error.ts'
import { loadModule, type ModuleFilesOptions } from '../../src/node/module-files.ts'
import { modulesOf } from '../../src/semantics/load.ts'
import { definition, module, refusal } from './modules-in-memory.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'norn-modules-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): string {
  const full = join(folder, path)
  mkdirSync(join(full, '..'), { recursive: true })
  writeFileSync(full, text)
  return full
}

function why(path: string, options?: ModuleFilesOptions): string {
  try {
    loadModule(path, options)
  } catch (error) {
    if (error instanceof TlaError) return error.describe().replaceAll(folder, '.')
    throw error
  }
  throw new Error('not refused')
}

test('beside the specification, then in the library folders, then of norn', () => {
  const spec = write('spec/M.tla', '---- MODULE M ----\nEXTENDS A, B, Naturals\nX == <<A1, B1, 1 + 1>>\n====')
  write('spec/A.tla', '---- MODULE A ----\nA1 == "beside"\n====')
  write('library/A.tla', '---- MODULE A ----\nA1 == "library"\n====')
  write('library/B.tla', '---- MODULE B ----\nB1 == "library"\n====')
  const loaded = loadModule(spec, { library: [join(folder, 'library')] })
  expect(definition(loaded, 'A1').body).toMatchObject({ value: 'beside' })
  expect(definition(loaded, 'B1').body).toMatchObject({ value: 'library' })
  expect(modulesOf(loaded).get('Naturals')!.at.source.path).toBe('Naturals.tla (built-in)')
  expect(loadModule(spec.replace('.tla', ''), { library: [join(folder, 'library')] }).name).toBe('M')
})

test('then in the file of the root module, with the places of that file', () => {
  const spec = write(
    'M.tla',
    '---- MODULE M ----\nEXTENDS Two\nX == A2\n====\nWords.\n---- MODULE Two ----\nA2 == 2\nBad == nowhere\n====',
  )
  expect(why(spec)).toBe('./M.tla:8:8: `nowhere` is not defined\n    8 | Bad == nowhere\n      |        ^^^^^^^')
})

test('and not where a comment of that file names it', () => {
  const text = [
    '---- MODULE M ----',
    'EXTENDS Second',
    '====',
    '\\*---- MODULE Second ----',
    '\\*b == 2',
    '\\*====',
    '---- MODULE Second ----',
    'b == 1',
    '====',
  ].join('\n')
  expect(definition(loadModule('M.tla', { files: { 'M.tla': text } }), 'b').at.line).toBe(8)
})

test('a module that is not there: where it was looked for, and the nearest', () => {
  const spec = write('M.tla', '---- MODULE M ----\nEXTENDS Sequneces\n====')
  expect(why(spec, { library: [join(folder, 'library')] })).toBe(
    "./M.tla:2:9: module `Sequneces` not found: looked for `Sequneces.tla` in `.`, `./library` and among norn's modules; " +
      'did you mean `Sequences`?\n    2 | EXTENDS Sequneces\n      |         ^^^^^^^^^',
  )
  expect(why(join(folder, 'None.tla'))).toBe('there is no file `./None.tla`')
  mkdirSync(join(folder, 'Folder.tla'))
  expect(why(join(folder, 'Folder.tla'))).toBe('there is no file `./Folder.tla`')
})

test('the name of a module is that of its file', () => {
  const spec = write('M.tla', '---- MODULE N ----\n====')
  expect(why(spec)).toContain('module `N` is in the file `M.tla`: rename one of them')
  expect(refusal('EXTENDS A', { A: '' })).toBeUndefined()
  const other = write('P.tla', '---- MODULE P ----\nEXTENDS Q\n====')
  write('Q.tla', '---- MODULE R ----\n====')
  expect(why(other)).toContain('./Q.tla:1:13: module `R` is in the file `Q.tla`')
})

test('modules that need each other are refused with the circle', () => {
  expect(refusal('EXTENDS A', { A: 'INSTANCE B', B: 'EXTENDS M' })).toContain(
    'these modules depend on each other: `M` needs `A` needs `B` needs `M`',
  )
  expect(refusal('EXTENDS M')).toContain('`M` needs `M`')
})

test('constants and variables of what is extended come first', () => {
  const loaded = module('EXTENDS A\nCONSTANT m\nVARIABLE w', {
    A: 'EXTENDS B\nCONSTANT a',
    B: 'CONSTANT b\nVARIABLE v',
  })
  expect(loaded.constants.map(({ name }) => name)).toEqual(['b', 'a', 'm'])
  expect(loaded.variables.map(({ name }) => name)).toEqual(['v', 'w'])
  expect([...loaded.extended]).toEqual(['B', 'A', 'M'])
})

test('assumptions are those of the module and of what it extends, not of what it instantiates', () => {
  const loaded = module('EXTENDS A\nINSTANCE B\nASSUME Mine == TRUE', { A: 'ASSUME TRUE', B: 'ASSUME FALSE' })
  expect(loaded.assumptions.map(({ name, at }) => [name, at.source.path])).toEqual([
    [undefined, 'A.tla'],
    ['Mine', 'M.tla'],
  ])
})

test('submodules are seen by those who extend the module', () => {
  expect(
    refusal('EXTENDS A\nI == INSTANCE Inner\nF == I!Foo', { A: '---- MODULE Inner ----\nFoo == 1\n====' }),
  ).toBeUndefined()
  expect(
    refusal('INSTANCE A\nI == INSTANCE Inner\nF == I!Foo', { A: '---- MODULE Inner ----\nFoo == 1\n====' }),
  ).toContain('module `Inner` not found')
  expect(refusal('---- MODULE Inner ----\n====\n---- MODULE Inner ----\n====')).toContain(
    'module `Inner` is already defined here',
  )
})
