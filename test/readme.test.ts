import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { project } from '../packages/norn/test/cli/project.ts'
import { freshReadme } from '../scripts/readme-output.ts'

test('the README shows what its examples print (node scripts/readme-output.ts puts it there)', async () => {
  expect(readFileSync('README.md', 'utf8')).toBe(await freshReadme())
})

test.each(['account', 'counter'])('%s.fuzz.ts in the README is the one in the examples', (name) => {
  const shown = new RegExp(`\`\`\`ts\\n// ${name}\\.fuzz\\.ts\\n([^]*?)\`\`\``).exec(
    readFileSync('README.md', 'utf8'),
  )?.[1]
  expect(shown).toBe(readFileSync(`examples/${name}/${name}.fuzz.ts`, 'utf8'))
})

test('what the README says of guidance holds: guided it fails within 5,000 executions, by chance it does not', async () => {
  const text = /```ts\n\/\/ greeting\.fuzz\.ts\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))![1]!
  const { call } = project({ 'greeting.fuzz.ts': text })
  const search = ['fuzz', 'greeting.fuzz.ts', '--seed', '1', '--runs', '5000', '--no-saved']
  expect((await call(...search)).stdout).toContain("text = 'hello'\n    number = 4711")
  expect((await call(...search, '--guide', 'none')).status).toBe(0)
})
