import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freshReadme } from '../scripts/readme-output.ts'

test('the README shows what its example prints (node scripts/readme-output.ts puts it there)', async () => {
  expect(readFileSync('README.md', 'utf8')).toBe(await freshReadme())
}, 60_000)

test('the property in the README is the one in the examples', () => {
  const shown = /```ts\n\/\/ account\.fuzz\.ts\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1]
  expect(shown).toBe(readFileSync('examples/account/account.fuzz.ts', 'utf8'))
})
