/** An installation is identified by the content of its files, not by their place or time. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { decidingText, installationId } from '../../src/storage/installation.ts'

const home = mkdtempSync(join(tmpdir(), 'norn-installation-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const source = join(home, 'one')
mkdirSync(join(source, 'inner'), { recursive: true })
writeFileSync(join(source, 'inner/a.js'), 'a')
writeFileSync(join(source, 'b.js'), 'b')

test('another place and another time are the same', () => {
  const before = decidingText([source], ['acorn'])
  cpSync(source, join(home, 'two'), { recursive: true })
  utimesSync(join(source, 'b.js'), 1, 1)
  expect(decidingText([source], ['acorn'])).toBe(before)
  expect(decidingText([join(home, 'two')], ['acorn'])).toBe(before)
})

test('another file, text or package is not', () => {
  const texts = [
    decidingText([source], ['acorn']),
    decidingText([source], []),
    decidingText([join(source, 'b.js')], []),
  ]
  writeFileSync(join(source, 'inner/a.js'), 'other')
  texts.push(decidingText([source], []))
  writeFileSync(join(source, 'inner/c.js'), 'new')
  texts.push(decidingText([source], []))
  expect(new Set(texts).size).toBe(texts.length)
})

test('norn is what its files are', () => {
  const folder = join(import.meta.dirname, '../../src')
  const { dependencies } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8')) as { dependencies: object }
  expect(decidingText([folder], Object.keys(dependencies))).toContain('export function installationId')
  expect(installationId()).toMatch(/^[0-9a-f]{64}$/)
  expect(installationId()).toBe(installationId())
})
