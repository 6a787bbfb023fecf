import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { configuredEnvironment } from '../../src/frameworks/environment-name.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'norn-environment-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let projects = 0

/** The environment of `src/some.test.ts` in a project of these files. */
function environmentOf(files: Readonly<Record<string, string>>): string | undefined {
  const folder = join(root, `${projects++}`)
  for (const [name, text] of Object.entries({ 'src/some.test.ts': '', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return configuredEnvironment(join(folder, 'src/some.test.ts'))
}

/** In parts: vitest would take a whole one for the environment of this file. */
const [VITEST, JEST] = ['vitest', 'jest'].map((runner) => `@${runner}-environment`)

const TEST = 'src/some.test.ts'
const JSDOM = { 'package.json': '{ "jest": { "testEnvironment": "jsdom" } }' }

it.each([
  ['nothing', {}, undefined],
  ['a comment for vitest', { [TEST]: `/**\n * ${VITEST} happy-dom\n */\n` }, 'happy-dom'],
  ['a comment for jest', { [TEST]: `/** ${JEST} jsdom */\n` }, 'jsdom'],
  ['a package around an environment', { [TEST]: `// ${JEST} @happy-dom/jest-environment\n` }, 'happy-dom'],
  [
    'vitest.config',
    { 'vitest.config.ts': "export default defineConfig({ test: { environment: 'happy-dom' as const } })" },
    'happy-dom',
  ],
  ['a literal in vitest.config', { 'vitest.config.ts': "export default { test: { environment: 'jsdom' } }" }, 'jsdom'],
  ['jest.config', { 'jest.config.cjs': "module.exports = { testEnvironment: 'jest-environment-jsdom' }" }, 'jsdom'],
  ['jest.config.json', { 'jest.config.json': '{ "testEnvironment": "jsdom" }' }, 'jsdom'],
  ['package.json', JSDOM, 'jsdom'],
  ['Node in a comment, before the configuration', { ...JSDOM, [TEST]: `// ${JEST} node\n` }, undefined],
  [
    'Node in a nearer configuration',
    { ...JSDOM, 'src/jest.config.js': "export default { testEnvironment: 'node' }" },
    undefined,
  ],
  ['a configuration that does not parse', { 'vitest.config.ts': 'export default {' }, undefined],
])('%s', (_, files, expected) => {
  expect(environmentOf(files as Record<string, string>)).toBe(expected)
})
