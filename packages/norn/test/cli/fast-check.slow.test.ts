/**
 * Properties of existing projects, written for fast-check and its test frameworks, run without an
 * edit.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Line, OWN_STACK, type Project, parsed, project } from './project.ts'

const REPOSITORY = resolve(import.meta.dirname, '../../../..')

/** A project that has fast-check and vitest installed. */
function installed(files: Readonly<Record<string, string>>): Project {
  const made = project(files)
  symlinkSync(join(REPOSITORY, 'node_modules'), join(made.root, 'node_modules'))
  return made
}

const RUNS = ['--runs', '100', '--seed', '1', '--json']

const of = (lines: readonly Line[], type: string) => lines.filter((line) => line.type === type)

describe('the examples written for fast-check', () => {
  const here = installed({ 'package.json': '{ "type": "module" }' })
  const lines: Record<string, Line[]> = {}
  const statuses: Record<string, number | null> = {}

  beforeAll(async () => {
    cpSync(join(REPOSITORY, 'examples', 'fast-check'), here.root, { recursive: true })
    for (const file of ['tags.test.ts', 'suggestions.test.ts', 'ring.test.cjs', 'trees.mjs']) {
      const { status, stdout } = await here.call('fuzz', file, ...RUNS)
      lines[file] = parsed(stdout)
      statuses[file] = status
    }
  })

  it.each([
    [
      'tags.test.ts',
      'vitest',
      {
        'tags > are decoded as they were encoded': /'.*[+,].*'/,
        'tags > are ranked by how often they occur': null,
      },
    ],
    [
      'suggestions.test.ts',
      'node:test',
      {
        'a search box > that shows what comes last': /texts = \[ ' ', '!' \]$/,
        'a search box > that shows the answer to the latest text': null,
      },
    ],
    [
      'ring.test.cjs',
      'globals',
      {
        'a ring > behaves as a queue of three': null,
        'a ring > that takes one too many behaves as a queue of three':
          /^commands = add\(0\),add\(0\),add\(0\),add\(0\)$/,
      },
    ],
    ['trees.mjs', 'no framework', { 'fc.assert': null, 'fc.assert 2': /^tree = \{ left: \d+, right: \d+ \}$/ }],
  ])('%s (%s): finds the bugs, shrinks them, and lets pass what is right', (file, _, expected) => {
    const failures = of(lines[file]!, 'failure')
    const found = Object.fromEntries(
      of(lines[file]!, 'summary').map(({ property }) => [property, null as string | null]),
    )
    for (const { property, input } of failures) found[property] = input
    expect(Object.keys(found)).toEqual(Object.keys(expected))
    for (const [name, input] of Object.entries(expected)) {
      if (input === null) expect(found[name], name).toBeNull()
      else expect(found[name], name).toMatch(input)
    }
    expect(failures.every(({ confirmed }) => confirmed)).toBe(true)
    expect(statuses[file]).toBe(1)
  })

  it('replays each by its file', async () => {
    expect(here.failures()).toHaveLength(4)
    for (const failure of here.failures()) {
      const { status, stdout } = await here.call('replay', failure, '--json')
      expect(parsed(stdout)[0]).toMatchObject({ type: 'replay', exact: true, verdict: 'failed' })
      expect(status).toBe(1)
    }
  })

  it('picks of a scheduler are choices of the schedule, as few as it takes', () => {
    const [failure] = of(lines['suggestions.test.ts']!, 'failure')
    expect(failure!.schedule).toEqual([{ label: expect.stringMatching(/^pick scheduler/), pick: 1 }])
  })

  it('leaves a test without a property to its runner, and says so', () => {
    const why = 'asserts no fast-check property'
    expect(of(lines['tags.test.ts']!, 'not run')).toMatchObject([{ property: 'tags > of nothing are none', why }])
  })

  it('gives the same lines again', async () => {
    const { stdout } = await here.call('fuzz', 'suggestions.test.ts', ...RUNS, '--no-saved')
    const untimed = (all: readonly Line[]) => all.map(({ timeMs: _, ...line }) => line)
    expect(untimed(parsed(stdout))).toEqual(untimed(lines['suggestions.test.ts']!))
  })
})

describe('what a test may do around its properties', () => {
  const here = installed({
    'frameworks.test.ts': `
import { fc, it, test } from '@fast-check/vitest'
import { afterEach, beforeAll, beforeEach, describe, expect, vi } from 'vitest'
import * as exported from './twice.ts'
const log = []
beforeAll(() => { log.push('all') })
beforeEach(async () => { await null; log.push('each'); return () => { log.push('undone') } })
describe.each([['a'], ['b']])('suite %s', (name) => {
  it('has its hooks run once', async () => {
    fc.assert(fc.property(fc.nat(), () => { expect(log).toEqual(['all', 'each']) }))
    await fc.assert(fc.asyncProperty(fc.nat(), async () => { expect(name.length).toBe(1) }))
  })
})
test.prop([fc.string(), fc.nat()], { examples: [['given', 77]] })('takes a list', (text, count) => count !== 77)
test.prop({ left: fc.nat(), right: fc.nat() })('takes an object', ({ left, right }) => left + right >= 0)
test.skip.prop([fc.nat()])('is skipped', () => false)
test('draws with g', ({ g }) => { expect(g(fc.nat)).toBeGreaterThan(-1) })
it('mocks', () => {
  const spy = vi.fn((n) => n)
  fc.assert(fc.property(fc.nat(), (n) => { spy(n); expect(spy).toHaveBeenCalledTimes(1) }))
})
it.fails('is expected to fail', () => { fc.assert(fc.property(fc.nat(), () => false)) })
it('spies on an export', () => { vi.spyOn(exported, 'twice'); fc.assert(fc.property(fc.nat(), () => true)) })
it('mocks a module', () => { vi.mock('node:fs'); fc.assert(fc.property(fc.nat(), () => true)) })
it('fakes timers', () => {
  vi.useFakeTimers()
  fc.assert(fc.property(fc.nat(1000), (ms) => {
    let fired = false
    setTimeout(() => { fired = true }, ms)
    vi.advanceTimersByTime(ms)
    expect(fired).toBe(true)
  }))
})
`,
    'twice.ts': 'export const twice = (n: number): number => 2 * n',
    'globals.test.ts': `
import { fc, test } from '@fast-check/vitest'
describe('a suite', () => {
  let log: number[]
  beforeEach(() => { log = [] })
  test.prop([fc.nat()])('of globals and imports', (n) => { log.push(n); expect(log).toEqual([n]) })
})
`,
    'calls.test.ts': `
import assert from 'node:assert'
import { after, test } from 'node:test'
import fc from 'fast-check'
test('check and sample keep their meaning', () => {
  assert.ok(fc.check(fc.property(fc.nat(), (n) => n < 100)).failed)
  assert.equal(fc.sample(fc.nat(), 3).length, 3)
})
test('runs the hooks of the property', async () => {
  const log: string[] = []
  fc.configureGlobal({ beforeEach: () => { log.push('before') } })
  await fc.assert(fc.asyncProperty(fc.nat(), async () => { assert.deepEqual(log, ['before', 'own']) })
    .beforeEach(async (earlier) => { await earlier(); log.push('own') }).afterEach(() => { log.push('after') }))
  assert.deepEqual(log, ['before', 'own', 'after'])
})
test('configured nothing yet', () => {
  assert.deepEqual(fc.readConfigureGlobal(), {})
  fc.assert(fc.property(fc.nat(), (n) => n >= 0))
})
test('calls back', (t, done) => {
  fc.assert(fc.property(fc.nat(), () => true))
  setTimeout(done, 3_600_000)
})
test('parts', async (t) => {
  await t.test('one', () => { fc.assert(fc.property(fc.boolean(), (value) => value)) })
})
test('says where false was returned', () => {
  fc.assert(fc.property(fc.nat(9), fc.nat(9), (first, second) => first === second))
})
test('makes less than planned', (t) => {
  t.plan(2)
  t.assert.ok(fc.check(fc.property(fc.nat(), () => true)))
})
test('plans more than it declares', { plan: 2 }, (t) => {
  t.assert.ok(fc.check(fc.property(fc.nat(), () => true)))
})
test('waits for its plan, and for the parts that it declares', (t) => {
  const log: string[] = []
  t.plan(3, { wait: true })
  setTimeout(() => t.assert.deepEqual(log, ['first', 'inner', 'second']), 1000)
  t.test('first', async () => {
    after(() => { log.push('inner') })
    await null
    log.push('first')
    fc.assert(fc.property(fc.nat(), () => true))
  })
  t.test('second', () => { log.push('second') })
})
`,
  })
  let frameworks: Line[]
  let calls: Line[]
  let globals: Line[]

  beforeAll(async () => {
    const run = async (file: string) =>
      parsed((await here.call('fuzz', file, '--runs', '30', '--seed', '1', '--json')).stdout)
    frameworks = await run('frameworks.test.ts')
    calls = await run('calls.test.ts')
    globals = await run('globals.test.ts')
  })

  it('runs hooks, tables, mocks and test.prop of vitest', () => {
    const passed = of(frameworks, 'summary').filter(({ distinctFailures, voided }) => distinctFailures + voided === 0)
    expect(passed.map(({ property }) => property)).toEqual([
      'suite a > has its hooks run once',
      'suite b > has its hooks run once',
      'takes an object',
      'draws with g',
      'mocks',
      'spies on an export',
      'fakes timers',
    ])
    expect(of(frameworks, 'warning').filter(({ property }) => property === 'fakes timers')).toEqual([])
  })

  it('fails by an example, shown by the names of the parameters', () => {
    expect(of(frameworks, 'failure')).toMatchObject([
      { property: 'takes a list', example: 1, input: "text = 'given'\ncount = 77", confirmed: true },
    ])
  })

  it('does not let pass what needs the runner, nor run what is to fail', () => {
    expect(of(frameworks, 'void')).toMatchObject([
      { property: 'mocks a module', what: 'vi.mock of vitest in a function, or of a name that is not constant' },
    ])
    expect(of(frameworks, 'not run')).toMatchObject([{ property: 'is expected to fail', why: 'expected to fail' }])
  })

  it('gives a file the globals that it does not import', () => {
    expect(of(globals, 'summary')).toMatchObject([{ property: 'a suite > of globals and imports', passed: 30 }])
  })

  it('runs check, sample, hooks and callbacks of fast-check under node:test', () => {
    const failed = of(calls, 'failure').map(({ property, message, frames }) => [property, message, frames[0]?.line])
    expect(failed).toEqual([
      ['parts', 'the property returned false', 25],
      ['says where false was returned', 'the property returned false', 28],
      ['makes less than planned', 'plan expected 2 assertions but received 1', undefined],
      ['plans more than it declares', 'plan expected 2 assertions but received 1', undefined],
    ])
    expect(of(calls, 'summary')).toHaveLength(9)
  })
})

/** Installs a copy of fast-check in a folder of a project. */
function withCopy({ root }: Project, name: string, folder = ''): void {
  mkdirSync(join(root, folder, 'node_modules'), { recursive: true })
  symlinkSync(join(REPOSITORY, 'node_modules', name), join(root, folder, 'node_modules', 'fast-check'))
}

const EACH_VERSION = `
import assert from 'node:assert'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fuzz } from 'norn'
describe('in a test', () => {
  it('has its version', () => {
    fc.assert(fc.property(fc.nat(), () => { assert.equal(fc.__version, process.env.NORN_VERSION) }))
  })
  it('shrinks', () => {
    fc.assert(fc.property(fc.array(fc.nat()), fc.string(), (list, text) => {
      if (list[1] > 5) throw new TypeError('too large')
    }), { seed: 1, path: '2:0', numRuns: 3 })
  })
  it('rejects', async () => {
    await fc.assert(fc.asyncProperty(fc.record({ n: fc.nat() }), async ({ n }) => {
      await null
      if (n > 7) throw new RangeError('rejected')
    }))
  })
  it('has examples', () => {
    fc.assert(fc.property(fc.string(), (text) => text !== 'given'), { examples: [['given']] })
  })
  it('races', async () => {
    await fc.assert(fc.asyncProperty(fc.scheduler(), async (s) => {
      const log: string[] = []
      for (const name of ['a', 'b']) s.schedule(Promise.resolve(name), name).then((each) => log.push(each))
      await s.waitAll()
      assert.deepEqual(log, ['a', 'b'])
    }))
  })
  it('has preconditions', () => { fc.assert(fc.property(fc.nat(), (n) => { fc.pre(n % 2 === 0); return n % 2 === 0 })) })
})
fuzz('with inputs', { list: fc.array(fc.integer()) }, ({ list }) => { assert.ok(list.length < 2) })
fuzz.property('a property', fc.property(fc.nat(), (n) => n < 50))
`

describe.each([
  ['2', 'fast-check-2'],
  ['3', 'fast-check-3'],
  ['4', 'fast-check'],
])('a project with fast-check %s', (_, name) => {
  const here = project({ 'package.json': '{ "type": "module" }', 'each.test.ts': EACH_VERSION })
  let lines: Line[]

  beforeAll(async () => {
    withCopy(here, name)
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'node_modules', name, 'package.json'), 'utf8')) as {
      version: string
    }
    vi.stubEnv('NORN_VERSION', version)
    lines = parsed((await here.call('fuzz', 'each.test.ts', '--runs', '100', '--seed', '1', '--json')).stdout)
    vi.unstubAllEnvs()
  })

  it('keeps its version, and norn finds, shrinks and confirms what fails', () => {
    const failures = of(lines, 'failure').map(({ property, input, frames }) => [property, input, frames[0]?.line])
    expect(failures).toEqual([
      ['with inputs', 'list = [ 0, 0 ]', 34],
      ['a property', 'n = 50', 35],
      ['in a test > shrinks', "list = [ 0, 6 ]\ntext = ''", 12],
      ['in a test > rejects', 'value = { n: 8 }', 18],
      ['in a test > has examples', "text = 'given'", 22],
      ['in a test > races', expect.stringMatching(/^s = schedulerFor/), 29],
    ])
    expect(of(lines, 'failure').every(({ confirmed }) => confirmed)).toBe(true)
    const passed = of(lines, 'summary').filter(({ distinctFailures, voided }) => distinctFailures + voided === 0)
    expect(passed.map(({ property }) => property)).toEqual([
      'in a test > has its version',
      'in a test > has preconditions',
    ])
  })

  it('replays an input and a race exactly', async () => {
    for (const failure of here.failures().filter((each) => /rejects|races/.test(each))) {
      const { stdout } = await here.call('replay', failure, '--json')
      expect(parsed(stdout)[0]).toMatchObject({ exact: true, verdict: 'failed' })
    }
  })
})

describe('a project whose tests norn cannot run as they are', () => {
  const asserting = (framework: string) => `import test from '${framework}'
import fc from 'fast-check'
test('some', (t) => { fc.assert(fc.property(fc.nat(), () => true)) })
`
  const here = project({
    'package.json': '{ "type": "module" }',
    'copies.test.ts': `
import assert from 'node:assert'
import { test } from 'node:test'
import fc from 'fast-check'
import { version } from './packages/inner/version.ts'
test('two copies', () => {
  fc.assert(fc.property(fc.nat(), () => { assert.deepEqual([fc.__version[0], version[0]], ['4', '2']) }))
})
`,
    'packages/inner/version.ts': "import fc from 'fast-check'\nexport const version = fc.__version\n",
    'old/package.json': '{ "type": "module" }',
    'old/node_modules/fast-check/package.json': '{ "name": "fast-check", "version": "1.26.0", "main": "index.js" }',
    'old/node_modules/fast-check/index.js': '',
    'old/some.test.ts': asserting('node:test'),
    'ava.test.ts': asserting('ava'),
    'tape.test.ts': asserting('tape'),
  })
  withCopy(here, 'fast-check')
  withCopy(here, 'fast-check-2', 'packages/inner')
  const call = (file: string) => here.call('fuzz', file, '--runs', '10', '--seed', '1')

  it('gives each module the copy that Node resolves for it', async () => {
    const { status, stdout } = await call('copies.test.ts')
    expect(stdout).toContain('two copies')
    expect(status).toBe(0)
  })

  it.each([
    ['old/some.test.ts', 'fast-check 1.26.0 is not supported', 'install fast-check 2, 3 or 4 in this project'],
    ['ava.test.ts', 'tests of ava are not supported', 'write them for vitest, jest, mocha, node:test or tap'],
    ['tape.test.ts', 'tests of tape are not supported', "fuzz.property(name, property) from 'norn'"],
  ])('%s: says in a line what is not supported, and what to do', async (file, what, advice) => {
    const { status, stdout, stderr } = await call(file)
    const [line] = `${stdout}${stderr}`.split('\n').filter((each) => each.includes(what))
    expect(line).toContain(advice)
    expect(status).toBe(2)
  })

  it('does not get another version for one that is asked for, and not installed', async () => {
    const bare = project({
      'package.json': '{ "type": "module", "devDependencies": { "fast-check": "^3.1.0" } }',
      'some.test.ts': asserting('node:test'),
    })
    const { status, stderr } = await bare.call('fuzz', 'some.test.ts')
    expect(stderr).toMatch(/fast-check \^3\.1\.0 is not installed, but .*package\.json asks for it: npm install/)
    expect(status).toBe(2)
  })
})

describe('tests in a browser-like environment', () => {
  const HAPPY_DOM = `
export class Window {
  static open = 0
  document = { body: { children: [] } }
  loading = new AbortController()
  constructor() { Window.open++ }
  get happyDOM() { return { close: async () => { Window.open-- } } }
  addEventListener() { return this }
  Event = class {}
  AbortController = class {}
}`
  const here = installed({
    'package.json': '{ "type": "module" }',
    'dom/node_modules/happy-dom/package.json': '{ "name": "happy-dom", "type": "module", "exports": "./index.js" }',
    'dom/node_modules/happy-dom/index.js': HAPPY_DOM,
    'dom/some.test.ts': `
/** ${'@vitest'}-environment happy-dom */
import { Window } from 'happy-dom'
import { expect, it } from 'vitest'
import fc from 'fast-check'
const atLoad = document
it('has a document of its own', () => {
  fc.assert(fc.property(fc.nat(), (n) => {
    expect([document, window.document, window === globalThis]).toEqual([atLoad, atLoad, true])
    expect(document.defaultView).toBe(globalThis)
    expect(addEventListener()).not.toBe(globalThis)
    expect(new Event('x')).not.toBeInstanceOf(Array)
    document.body.children.push(n)
    window.left = n
    expect(document.body.children).toEqual([n])
  }))
})
it('fails by what it finds', () => {
  fc.assert(fc.property(fc.nat(), (n) => { expect(document.body.children.length + n).toBeLessThan(7) }))
})
`,
    'missing.test.ts': `/** ${'@jest'}-environment jsdom */
import { it } from 'node:test'
it('is not run', () => {})
`,
  })
  const call = (file: string) => here.call('fuzz', file, '--runs', '30', '--seed', '1', '--json')

  it('get a window for each execution', async () => {
    const lines = parsed((await call('dom/some.test.ts')).stdout)
    expect(of(lines, 'failure')).toMatchObject([
      { property: 'fails by what it finds', input: 'n = 7', confirmed: true },
    ])
    expect(of(lines, 'summary')).toMatchObject([{ passed: 30 }, { distinctFailures: 1 }])
  })

  it('say what to install', async () => {
    const { status, stderr } = await call('missing.test.ts')
    expect(stderr).toContain(
      'jsdom is not installed, but the tests ask for it as their environment: npm install -D jsdom',
    )
    expect(status).toBe(2)
  })
})

describe('fuzz.property', () => {
  const here = project({
    'some.fuzz.ts': `import { fc, fuzz } from 'norn'
const sorted = fc.property(fc.array(fc.nat()), (list) => {
  const [first] = list
  list.sort()
  if (list[0] !== first) throw new Error('not sorted')
})
fuzz.property('changes its input', sorted)
fuzz.property('is sparse', fc.property(fc.nat(), (n) => { fc.pre(n % 64 === 1) }))
fuzz.property.skip('is skipped', sorted)
fuzz('takes what no filter lets pass', { odd: fc.nat().filter((n) => n % 2 > 1) }, () => {})
fuzz('searches', { few: fc.nat().filter((n) => n % 64 === 1) }, () => {})
fuzz('is large', { much: fc.array(fc.nat(), { minLength: 9000 }) }, () => {})
fuzz('waits for nothing', { n: fc.nat() }, async () => { await null })
`,
  })
  let lines: Line[]
  let text: string

  beforeAll(async () => {
    lines = parsed((await here.call('fuzz', 'some.fuzz.ts', '--runs', '60', '--seed', '1', '--json')).stdout)
    const dry = ['--property', 'takes what', '--runs', '3', '--seed', '1']
    text = (await here.call('fuzz', 'some.fuzz.ts', ...dry)).stdout
  })

  it('shows and saves the input as it was before the body changed it', () => {
    expect(of(lines, 'failure')).toMatchObject([
      { property: 'changes its input', message: 'not sorted', input: 'list = [ 1, 0 ]', confirmed: true },
    ])
  })

  it('discards what a precondition refuses, and warns where that is nearly everything', () => {
    const [sparse] = of(lines, 'summary').filter(({ property }) => property === 'is sparse')
    expect(sparse!.discarded + sparse!.passed).toBe(60)
    expect(sparse!.discarded).toBeGreaterThan(50)
    expect(sparse!.distinctFailures).toBe(0)
  })

  it('tells each of its health checks once', () => {
    expect(of(lines, 'health').map(({ property, check }) => [property, check])).toEqual([
      ['is sparse', 'discards'],
      ['searches', 'filters'],
      ['is large', 'large inputs'],
      ['waits for nothing', 'nothing asynchronous'],
    ])
  })

  it('names a filter that lets nothing pass, and what to do', () => {
    expect(text).toContain('inconclusive (3 of 3 executions)')
    expect(text).toContain(
      "generation of 'odd' does not end: the filter (n) => n % 2 > 1 rejected 20,000 values in a row",
    )
    expect(text).not.toMatch(OWN_STACK)
  })
})
