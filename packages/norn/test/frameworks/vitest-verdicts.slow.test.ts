/** What `norn flaky` says of tests of vitest is what vitest says. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { type Project, project } from '../cli/project.ts'

const VITEST = dirname(createRequire(import.meta.url).resolve('vitest/package.json'))

const SNAPSHOTS = `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[\`snapshots > stored 1\`] = \`
{
  "a": 1,
}
\`;

exports[\`snapshots > stored differs 1\`] = \`
{
  "a": 2,
}
\`;

exports[\`snapshots > stored with hints > one 1\`] = \`1\`;

exports[\`snapshots > stored with hints > two 1\`] = \`2\`;
`

function withVitest(files: Readonly<Record<string, string>>): Project {
  const here = project(files)
  mkdirSync(join(here.root, 'node_modules'), { recursive: true })
  symlinkSync(VITEST, join(here.root, 'node_modules/vitest'))
  return here
}

function fixture(name: string): string {
  return readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')
}

interface Reported {
  readonly testResults: readonly { assertionResults: readonly Assertion[] }[]
}

interface Assertion {
  readonly status: string
  readonly ancestorTitles: readonly string[]
  readonly title: string
}

type Verdicts = Readonly<Record<string, string>>

function byVitest({ root }: Project, ...args: string[]): Verdicts {
  const call = [join(VITEST, 'vitest.mjs'), 'run', '--reporter=json', '--outputFile=out.json', ...args]
  const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, ...env } = process.env
  spawnSync(process.execPath, call, { cwd: root, env: { ...env, NODE_OPTIONS: '' } })
  const { testResults } = JSON.parse(readFileSync(join(root, 'out.json'), 'utf8')) as Reported
  const rows = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ status, ancestorTitles, title }) => [[...ancestorTitles, title].join(' > '), status]),
  )
  return Object.fromEntries(rows)
}

/** One that needs an earlier test passes in the order of the file. */
const AS_VITEST: Verdicts = { clean: 'passed', dependent: 'passed', failing: 'failed' }

async function byNorn(here: Project, ...args: string[]): Promise<Verdicts> {
  const { stdout } = await here.call('flaky', ...args, '--json', '--schedules', '1', '--runs', '1')
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; name: string; verdict: string })
  const tests = rows.filter(({ type }) => type === 'test')
  return Object.fromEntries(tests.map(({ name, verdict }) => [name, AS_VITEST[verdict] ?? verdict]))
}

it('fixtures, snapshots, attempts, hooks and limits', async () => {
  const here = withVitest({
    'cases.test.mjs': fixture('vitest-cases.mjs'),
    '__snapshots__/cases.test.mjs.snap': SNAPSHOTS,
    'stored.txt': 'content\n',
    'vitest.config.mjs': 'export default { test: { clearMocks: true, unstubGlobals: true } }',
  })
  // Vitest stores what is new, so norn goes first.
  const norn = await byNorn(here, 'cases.test.mjs')
  const vitest = byVitest(here)
  expect(Object.keys(vitest).length).toBeGreaterThan(60)
  expect(norn).toEqual(vitest)
  expect(readFileSync(join(here.root, 'stored.txt'), 'utf8')).toBe('content\n')
})

it('mocks of modules that begin while a test runs', async () => {
  const here = withVitest({
    'mocks.test.mjs': fixture('vitest-mocks.mjs'),
    'dep.mjs': "export let count = 0\nexport const name = () => 'real'\nexport const bump = () => ++count\n",
    'subject.mjs': "import { name } from './dep.mjs'\nexport const greet = () => ['hello', name()].join(' ')\n",
  })
  const vitest = byVitest(here)
  expect(Object.keys(vitest)).toHaveLength(8)
  expect(await byNorn(here, 'mocks.test.mjs')).toEqual(vitest)
})

it('what vitest reads around a test is no schedule point of it', async () => {
  const here = withVitest({
    'sum.test.mjs': "import { expect, it } from 'vitest'\nit('adds', () => expect(1 + 1).toBe(2))\n",
  })
  const { stdout } = await here.call('flaky', 'sum.test.mjs', '--json')
  const tests = stdout.split('\n').filter((line) => line.includes('"type":"test"'))
  expect(tests.map((line) => JSON.parse(line))).toMatchObject([{ verdict: 'clean', points: 0, executions: 1 }])
})

const CONFIGURED = `
import { expect, it, vi } from 'vitest'
vi.setConfig({ testTimeout: 20, hookTimeout: 20, mockReset: true })
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const f = vi.fn(() => 1)
it('takes too long', () => sleep(40))
it('may take longer', () => sleep(40), 100)
it('calls', () => expect(f()).toBe(1))
it('is reset', () => expect(f).toHaveBeenCalledTimes(0))
let tries = 0
it('has another try', () => expect(++tries).toBe(2))
it('asserts nothing', () => {})
it('is new', () => expect(1).toMatchSnapshot())
`

it('a configuration, globals, and snapshots in CI', async () => {
  const here = withVitest({
    'configured.test.mjs': CONFIGURED,
    'globals.test.mjs': `const extended = test.extend({ n: async ({ task: _ }, use) => use(1) })
extended('globals', ({ n }) => expect(n).toBe(1))
onTestFinished
`,
    'vitest.config.mjs': `export default {
  test: { globals: true, retry: 1, expect: { requireAssertions: true } },
}
`,
  })
  process.env.CI = '1'
  try {
    const norn = await byNorn(here, 'configured.test.mjs', 'globals.test.mjs')
    const vitest = byVitest(here)
    expect(vitest).toMatchObject({ 'is new': 'failed', 'asserts nothing': 'failed', 'has another try': 'passed' })
    expect(norn).toEqual(vitest)
  } finally {
    delete process.env.CI
  }
})

const HAPPY_DOM = `const { setTimeout, clearTimeout } = globalThis
let ticking
let ticked = []
const tick = () => { for (const each of ticked.splice(0)) each() }
class Document {
  onTick(listener) {
    ticked.push(listener)
    if (ticking) ticking.refresh()
    else ticking = setTimeout(tick, 5)
  }
}
export class Window {
  document = new Document()
  #loaded = setTimeout(() => {}, 1)
  get happyDOM() {
    const close = async () => {
      clearTimeout(this.#loaded)
      ticked = []
    }
    return { close }
  }
}
`

it('timers of a DOM that a test leaves behind when it fails', async () => {
  const here = withVitest({
    'node_modules/happy-dom/package.json': '{ "name": "happy-dom", "type": "module", "exports": "./index.js" }',
    'node_modules/happy-dom/index.js': HAPPY_DOM,
    'dom.test.mjs': `// ${'@vitest'}-environment happy-dom
import { expect, it } from 'vitest'
it('fails', () => { document.onTick(() => {}); throw new Error('x') })
it('waits', async () => { await new Promise((resolve) => setTimeout(resolve, 50)) })
it('fails again', () => { document.onTick(() => {}); throw new Error('x') })
it('ticks', async () => { await new Promise((resolve) => document.onTick(resolve)) })
it('ticks again', async () => { await new Promise((resolve) => document.onTick(resolve)) })
`,
  })
  expect(await byNorn(here, 'dom.test.mjs')).toEqual({
    fails: 'failed',
    waits: 'passed',
    'fails again': 'failed',
    ticks: 'passed',
    'ticks again': 'passed',
  })
})

it('requests of a window, which are of its package where the runner has them so', async () => {
  const here = withVitest({
    'node_modules/happy-dom/package.json': '{ "name": "happy-dom", "type": "module", "exports": "./index.js" }',
    'node_modules/happy-dom/index.js': `
export class Window {
  document = {}
  Response = class Response { isOfWindow = true }
  FormData = class FormData { isOfWindow = true }
  fetch() { return this.document === document ? new this.Response() : undefined }
}
`,
    'dom.test.mjs': `// ${'@vitest'}-environment happy-dom
import { expect, it } from 'vitest'
it('fetches', () => { expect(fetch()).toBeInstanceOf(Response) })
it('has a response', () => { expect(new Response().isOfWindow).toBe(true) })
it('has a form', () => { expect(new FormData().isOfWindow).toBe(true) })
`,
  })
  expect(await byNorn(here, 'dom.test.mjs')).toEqual({
    fetches: 'passed',
    'has a response': 'passed',
    'has a form': 'passed',
  })
})

const SPIES = `
import { expect, it, vi } from 'vitest'
import * as library from './library.ts'
import { greeting } from './greeting.ts'
it('replaces an export that another module imports', () => {
  const spy = vi.spyOn(library, 'name').mockReturnValue('spy')
  expect([greeting(), library.name(), spy.mock.calls.length]).toEqual(['hello spy', 'spy', 2])
  spy.mockRestore()
  expect(greeting()).toBe('hello library')
})
it('only watches', () => {
  const spy = vi.spyOn(library, 'name')
  expect(greeting()).toBe('hello library')
  expect(spy).toHaveBeenCalledOnce()
})
it('replaces one of a namespace that is kept', async () => {
  const kept = await import('./library.ts')
  vi.spyOn(kept, 'name').mockReturnValue('kept')
  expect([kept.name(), library.name(), greeting()]).toEqual(['kept', 'kept', 'hello kept'])
})
it('has the original in the end', () => {
  vi.restoreAllMocks()
  expect(greeting()).toBe('hello library')
})
it('leaves the module itself alone', () => {
  vi.spyOn(library, 'name').mockReturnValue('spy')
  expect(library.twice()).toBe('librarylibrary')
})
it('does not hold without the test before', () => expect(greeting()).toBe('hello library'))
`

it('spies on exports, beside the expect of jest', async () => {
  const here = withVitest({
    'spies.test.ts': SPIES,
    'greeting.ts': "import { name } from './library.ts'\nexport const greeting = () => ['hello', name()].join(' ')",
    'library.ts': "export function name(): string { return 'library' }\nexport const twice = () => name() + name()",
    'globals.test.ts': "it('has globals', () => expect(1).toEqual(expect.any(Number)))",
    'vitest.config.mjs': 'export default { test: { globals: true } }',
    // As the package of jest defines it.
    'node_modules/expect/index.js':
      "const name = Symbol.for('$$jest-matchers-object')\nif (!Object.hasOwn(globalThis, name)) Object.defineProperty(globalThis, name, { value: {} })",
  })
  const norn = await byNorn(here, 'spies.test.ts', 'globals.test.ts')
  const vitest = byVitest(here)
  expect(vitest).toMatchObject({ 'only watches': 'passed', 'has globals': 'passed' })
  expect(norn).toEqual(vitest)
})

const GLOBAL_SETUP = `import { createServer } from 'node:http'
let server: import('node:http').Server
export async function setup({ provide }: { provide(name: string, value: unknown): void }) {
  server = createServer((_, response) => response.end('an answer'))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  provide('port', (server.address() as { port: number }).port)
  process.env.SET_BEFORE = 'all'
  ;(globalThis as { leaked?: string }).leaked = 'never seen'
}
export const teardown = () => void server.close()
`

const SERVED = `import { get } from 'node:http'
import { inject } from 'vitest'
const answer = new Promise((resolve, reject) => {
  get({ port: inject('port'), agent: false }, (response) => response.on('data', (data) => resolve(String(data)))).on('error', reject)
})
it('is answered', async () => expect(await answer).toBe('an answer'))
it('has what the setup has set', () => expect([process.env.SET_BEFORE, globalThis.leaked]).toEqual(['all', undefined]))
it('is given nothing else', () => expect(inject('nothing')).toBe(undefined))
it('has the time of all projects', () => new Promise((resolve) => setTimeout(resolve, 400)))
it('is of the first project', () => expect(globalThis.setups).toEqual(['shared', 'served']))
it('loads its own module', async () => expect((await import('which')).name).toBe('served'))
`

it('projects, each with a configuration of its own', async () => {
  const imports = "import { expect, inject, it } from 'vitest'\n"
  const here = withVitest({
    'vitest.config.mjs': `import { defineConfig, defineProject } from 'vitest/config'
const alone = defineProject({
  extends: false,
  resolve: { alias: { which: './alone.mjs' } },
  test: { name: 'alone', root: 'deep', include: ['**/*.check.ts', '**/both.*'], setupFiles: './setup.mjs' },
})
export default defineConfig({
  test: {
    globals: true,
    testTimeout: 300,
    setupFiles: ['shared.mjs'],
    projects: [
      {
        extends: true,
        resolve: { alias: { which: './served.mjs' } },
        test: { name: 'served', include: ['*.check.ts'], exclude: ['left.*'], setupFiles: ['served-setup.mjs'], globalSetup: './global.ts' },
      },
      alone,
      { extends: './base.config.mjs', test: { name: 'based', include: ['based/*.check.ts'] } },
      { test: { name: 'silent', include: ['silent.mjs'] } },
      'packages/*',
      '!packages/not',
    ],
  },
})
`,
    'base.config.mjs': 'export default { test: { retry: 1 } }',
    'shared.mjs': "globalThis.setups = ['shared']",
    'served-setup.mjs': "globalThis.setups.push('served')",
    'global.ts': GLOBAL_SETUP,
    'served.mjs': "export const name = 'served'",
    'served.check.ts': SERVED,
    'left.check.ts': "it('is left out', () => {})",
    'deep/setup.mjs': 'globalThis.isAlone = true',
    'deep/alone.mjs': "export const name = 'alone'",
    'deep/alone.check.ts': `${imports}it('does not have the setup of others', () => expect([globalThis.isAlone, globalThis.setups, inject('port')]).toEqual([true, undefined, undefined]))
it('has the time of a project', () => new Promise((resolve) => setTimeout(resolve, 400)))
it('loads its own module, too', async () => expect((await import('which')).name).toBe('alone'))
`,
    'based/based.check.ts': `${imports}let tries = 0
it('has the tries of its base', () => expect(++tries).toBe(2))
`,
    'silent.mjs': "it('extends from version 5 on', () => expect(globalThis.setups).toEqual(['shared']))",
    'packages/configured/vitest.config.mjs':
      "export default { test: { include: ['tests/*.mjs'], globals: true, retry: 2 } }",
    'packages/configured/tests/own.test.mjs': `let tries = 0
it('has three tries', () => expect(++tries).toBe(3))
`,
    'packages/configured/others/own.test.mjs': "it('is elsewhere', () => {})",
    'packages/plain/plain.test.mjs': `${imports}it('has no globals', () => expect(typeof test).toBe('undefined'))
`,
    'packages/not/not.test.mjs': "it('is in no project', () => {})",
  })
  const norn = await byNorn(here)
  const vitest = byVitest(here)
  expect(Object.values(vitest).toSorted()).toEqual([...Array(1).fill('failed'), ...Array(12).fill('passed')])
  expect(norn).toEqual(vitest)
})
