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
