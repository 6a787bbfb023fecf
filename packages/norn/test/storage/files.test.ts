/** Files that norn writes: whole or absent, with the reason of the operating system. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { systemReason, writeAtomically } from '../../src/storage/files.ts'

const root = mkdtempSync(join(tmpdir(), 'norn-files-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function refusal(action: () => void): string | undefined {
  try {
    action()
  } catch (error) {
    return systemReason(error)
  }
  return expect.unreachable('it was not refused')
}

test('a file is written with the folders around it', () => {
  const path = join(root, 'a', 'b', 'file')
  writeAtomically(path, 'text')
  writeAtomically(path, 'other')
  expect(readFileSync(path, 'utf8')).toBe('other')
  expect(readdirSync(join(root, 'a', 'b'))).toEqual(['file'])
})

test('a write that fails leaves no temporary file', () => {
  mkdirSync(join(root, 'c', 'taken'), { recursive: true })
  expect(refusal(() => writeAtomically(join(root, 'c', 'taken'), 'text'))).toMatch(/\(EISDIR\)$/)
  expect(readdirSync(join(root, 'c'))).toEqual(['taken'])
})

test.each([['folder'], ['folder', 'in', 'it']])('a file in place of a folder is the reason: %s', (...path) => {
  writeFileSync(join(root, 'folder'), '')
  expect(refusal(() => writeAtomically(join(root, ...path, 'file'), ''))).toBe('not a directory (ENOTDIR)')
})

test('what the operating system did not say has no reason', () => {
  expect(systemReason(new Error('no'))).toBeUndefined()
})
