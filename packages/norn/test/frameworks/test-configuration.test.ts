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
  const { environment, setup } = testConfigurationOf(join(folder, TEST), isTest)
  return { environment, setup: setup.map((path) => relative(folder, path)) }
}

/** The same, where several projects are declared. */
function ofProjects(files: Readonly<Record<string, string>>) {
  const folder = join(root, `${projects}`)
  const { environment, setup } = configurationOf({ 'a.ts': '', 'b.ts': '', 'src/a.ts': '', ...files })
  const { globalSetup, retry, project } = testConfigurationOf(join(folder, TEST), true)
  const { key, isAlone } = project ?? {}
  const found = { environment, setup, retry, globalSetup: globalSetup.map((path) => relative(folder, path)) }
  return { ...found, project: key && relative(folder, key), isAlone }
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

const NOTHING = { environment: undefined, setup: [], retry: undefined, globalSetup: [], project: undefined }
const installed = (version: string) => ({ 'node_modules/vitest/package.json': JSON.stringify({ version }) })
const vitestConfig = (test: string) => ({ 'vitest.config.ts': `export default { test: { ${test} } }` })

it.each([
  [
    'extends the whole',
    vitestConfig(
      "retry: 1, setupFiles: 'a.ts', projects: [{ extends: true, test: { setupFiles: ['b.ts'], environment: 'jsdom' } }]",
    ),
    { setup: ['a.ts', 'b.ts'], retry: 1, environment: 'jsdom', project: 'vitest.config.ts#0', isAlone: false },
  ],
  [
    'is alone until version 5',
    { ...installed('4.1.0'), ...vitestConfig("retry: 1, projects: [{ test: { environment: 'jsdom' } }]") },
    { environment: 'jsdom', project: 'vitest.config.ts#0', isAlone: true },
  ],
  [
    'extends by itself from version 5 on',
    { ...installed('5.0.1'), ...vitestConfig("retry: 1, projects: [{ test: { environment: 'jsdom' } }]") },
    { environment: 'jsdom', retry: 1, project: 'vitest.config.ts#0', isAlone: false },
  ],
  [
    'extends a file, from the folder of the whole',
    {
      ...vitestConfig("projects: [{ extends: './base/vite.config.ts', test: { root: './src', setupFiles: 'a.ts' } }]"),
      'base/vite.config.ts': "export default { test: { retry: 2, root: '.' } }",
    },
    { setup: ['src/a.ts'], retry: 2, project: 'vitest.config.ts#0', isAlone: true },
  ],
  [
    'is the first that takes the file, and not one of a browser',
    vitestConfig(`retry: 9, projects: [
      { test: { include: ['other/**/*.ts'], retry: 1 } },
      { test: { include: ['**/*.test.ts'], exclude: ['src/**'], retry: 2 } },
      { test: { include: ['**/*.test.ts'], browser: { enabled: true }, retry: 3 } },
      { test: { include: ['./src/*.test.ts'], retry: 4 } },
      { test: { retry: 5 } },
    ]`),
    { retry: 4, project: 'vitest.config.ts#3', isAlone: true },
  ],
  ['is not there', vitestConfig("retry: 9, projects: [{ test: { include: ['other/**/*.ts'] } }]"), { retry: 9 }],
  [
    'is a path, below a global setup of the whole',
    {
      ...vitestConfig("globalSetup: './a.ts', projects: ['./*/unit.vitest.config.ts', '!other/*']"),
      'other/unit.vitest.config.ts': "export default { test: { root: '..', retry: 1 } }",
      'parts/unit.vitest.config.ts':
        "export default { test: { root: '..', retry: 2, setupFiles: ['b.ts'], globalSetup: 'b.ts' } }",
    },
    { setup: ['b.ts'], retry: 2, globalSetup: ['a.ts', 'b.ts'] },
  ],
  [
    'is in a file of its own',
    {
      'vite.config.ts': 'export default { test: { retry: 1 } }',
      'vitest.workspace.ts':
        "const unit = { extends: './vite.config.ts', test: { setupFiles: './a.ts' } }\nexport default defineWorkspace([unit])",
    },
    { setup: ['a.ts'], retry: 1, project: 'vitest.workspace.ts#0', isAlone: true },
  ],
  [
    'is of jest',
    {
      'jest.config.js': `module.exports = { rootDir: 'src', projects: [
        { displayName: 'a', testMatch: ['<rootDir>/none/*.ts'], testEnvironment: 'jsdom' },
        { displayName: 'b', testRegex: 'some', setupFiles: ['<rootDir>/a.ts'], globalSetup: '<rootDir>/a.ts' },
      ] }`,
    },
    { setup: ['src/a.ts'], globalSetup: ['src/a.ts'], project: 'jest.config.js#1', isAlone: true },
  ],
])('a project %s', (_, files, expected) => {
  expect(ofProjects(files as Record<string, string>)).toEqual({ ...NOTHING, isAlone: undefined, ...expected })
})
