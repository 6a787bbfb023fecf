import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { testConfigurationOf } from '../../src/frameworks/test-configuration.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'norn-environment-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let projects = 0

/** The configuration of `src/some.test.ts` in a project of these files. */
function configurationOf(files: Readonly<Record<string, string>>, isTest = true) {
  const folder = join(root, `${projects++}`)
  for (const [name, text] of Object.entries({ 'src/some.test.ts': '', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const { environment, setup } = testConfigurationOf(join(folder, 'src/some.test.ts'), isTest)
  return { environment, setup: setup.map((path) => relative(folder, path)) }
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
  [
    'a preset of jest',
    {
      'jest.config.js': "module.exports = { preset: './base.js' }",
      'base.js': "module.exports = { testEnvironment: 'jsdom' }",
    },
    'jsdom',
  ],
  [
    'a preset of a package, which holds least',
    {
      'jest.config.js': "module.exports = { preset: 'tool', testEnvironment: 'node' }",
      'node_modules/tool/jest-preset.json': '{ "testEnvironment": "jsdom" }',
    },
    undefined,
  ],
  ['jest.config.json', { 'jest.config.json': '{ "testEnvironment": "jsdom" }' }, 'jsdom'],
  ['package.json', JSDOM, 'jsdom'],
  ['react-scripts', { 'package.json': '{ "dependencies": { "react-scripts": "5" } }' }, 'jsdom'],
  ['Node in a comment, before the configuration', { ...JSDOM, [TEST]: `// ${JEST} node\n` }, undefined],
  [
    'Node in a nearer configuration',
    { ...JSDOM, 'src/jest.config.js': "export default { testEnvironment: 'node' }" },
    undefined,
  ],
  ['a configuration that does not parse', { 'vitest.config.ts': 'export default {' }, undefined],
])('environment: %s', (_, files, expected) => {
  expect(configurationOf(files as Record<string, string>).environment).toBe(expected)
})

it.each([
  ['nothing', {}, []],
  ['a path', { 'vitest.config.ts': 'export default { test: { setupFiles: `./setup.ts` } }' }, ['setup.ts']],
  [
    'paths of jest, in the order of its runs',
    {
      'package.json': JSON.stringify({
        jest: { setupFilesAfterEnv: ['<rootDir>/after.ts'], setupFiles: ['./setup.ts', 'tool'] },
      }),
    },
    ['setup.ts', 'node_modules/tool/index.js', 'after.ts'],
  ],
  [
    'a script that calls mocha, before its own file',
    { 'package.json': '{ "scripts": { "test": "mocha -r ./after.ts" } }', '.mocharc.json': '{ "require": "tool" }' },
    ['after.ts', 'node_modules/tool/index.js'],
  ],
  [
    'a script that calls it, alone',
    { 'package.json': '{ "scripts": { "test": "mocha -r ./setup.ts" } }' },
    ['setup.ts'],
  ],
  [
    'a script that is not the first to test',
    { 'package.json': '{ "scripts": { "test": "vitest run", "test:old": "mocha -r ./setup.ts" } }' },
    [],
  ],
  ['a path that is computed', { 'vitest.config.ts': 'export default { test: { setupFiles: [find()] } }' }, []],
  ['what is not there', { 'jest.config.json': '{ "setupFiles": ["./missing.ts"] }' }, []],
])('setup: %s', (_, files, expected) => {
  const modules = { 'setup.ts': '', 'after.ts': '', 'node_modules/tool/index.js': '' }
  expect(configurationOf({ ...modules, ...(files as Record<string, string>) }).setup).toEqual(expected)
})

it('a file that is not of the framework has what a comment in it names, and nothing else', () => {
  const configured = { 'package.json': '{ "jest": { "testEnvironment": "jsdom", "setupFiles": ["./setup.ts"] } }' }
  const comment = { [TEST]: `// ${VITEST} happy-dom\n` }
  expect(configurationOf({ ...configured, 'setup.ts': '' }, false)).toEqual({ environment: undefined, setup: [] })
  expect(configurationOf({ ...configured, ...comment }, false).environment).toBe('happy-dom')
})
