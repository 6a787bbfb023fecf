/** The scripts of docs/findings stay short enough for a report, and parse; the index leads to each page. */
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const DOCS = resolve(import.meta.dirname, '../docs')
const MOST_LINES = 19

const scripts = readdirSync(join(DOCS, 'findings')).flatMap((page) => {
  const text = readFileSync(join(DOCS, 'findings', page), 'utf8')
  return [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => ({ page, code }))
})

test.each(scripts)('$page has a script of under 20 lines that names its package', ({ code }) => {
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES)
  expect(code).toMatch(/^\/\/ npm i( \S+@\d+\.\d+\.\d+)+\n/)
  expect(() => stripTypeScriptTypes(code)).not.toThrow()
})

test('docs/findings.md leads to each page, and each page has a script', () => {
  const index = readFileSync(join(DOCS, 'findings.md'), 'utf8')
  const linked = [...index.matchAll(/\(findings\/([\w-]+\.md)/g)].map(([, page]) => page)
  const pages = readdirSync(join(DOCS, 'findings')).sort()
  expect([...new Set(linked)].sort()).toEqual(pages)
  expect([...new Set(scripts.map(({ page }) => page))].sort()).toEqual(pages)
})
