/**
 * Replaces `vitest`: norn collects the declarations and runs the tests; `expect`, snapshots and mocks are the
 * project's own.
 *
 * Features that need vitest's runner are refused by name, which makes the execution inconclusive: a
 * test that relies on them must not pass.
 */
import { currentExecution } from '../property/current.ts'
import { currentCollection, evaluation } from '../property/property.ts'
import { fullTitle, type Hook, SkippedItself, type Test, whenDone } from '../property/suites.ts'
import { type Context, endFixtures, Fixtures } from './fixtures.ts'
import type { Framework, FrameworkHost } from './framework.ts'
import { injecting } from './global-setup/global-setup.ts'
import { type Callable, type Exports, missingExpect } from './installed.ts'
import { RESETS_OF_VITEST, type Reset, type TestConfiguration, testConfigurationOf } from './test-configuration.ts'
import { type Call, type Declaring, declaring, type Flavour, hooking } from './test-functions.ts'
import { attempted, VitestCall } from './vitest-attempt.ts'
import { type Task, VitestRunner } from './vitest-runner.ts'
import { beginTest, checkAssertions } from './vitest-state.ts'
import { VIRTUAL, vitestUtilities } from './vitest-utilities.ts'
import { polling } from './waiting.ts'

const TIMEOUT_MS = 5000
const HOOK_TIMEOUT_MS = 10_000
/** Concurrent tests at a time. */
const AT_ONCE = 5

const HOOKS: readonly Hook[] = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll', 'aroundEach', 'aroundAll']

const ignored = () => {}

/** The version from which fields of rows stand in titles without quotes. */
const FIRST_WITHOUT_QUOTES = 5

const FIRST_TO_REFUSE_LATE_HOOKS = 5

/** Vitest, as one file of tests has it. */
class Vitest {
  readonly expect: Callable
  readonly utilities: Record<string, Function>
  readonly runner: VitestRunner | undefined
  readonly #configuration: TestConfiguration
  /** What `vi.setConfig` has made of the resets, and in which evaluation. */
  #changed: { readonly evaluation: number; readonly resets: readonly Reset[] | undefined } | undefined
  #running: Task | undefined
  /** The `expect` of the running test, where tests run as vitest runs them. */
  #expectOfTest: Callable | undefined
  #seen = 0

  constructor(host: FrameworkHost) {
    this.#configuration = testConfigurationOf(host.file, true)
    this.runner = VitestRunner.of(host, this.#configuration)
    const { exports, major = Number.NaN } = this.runner ?? {}
    this.utilities = vitestUtilities(host, (exports?.vi ?? {}) as Exports, major, (change) => this.#change(change))
    this.expect = this.runner === undefined ? missingExpect('vitest') : this.#expectOfFile(this.runner.expect)
  }

  /** The test that runs. */
  get running(): Task | undefined {
    return this.#seen === evaluation() ? this.#running : undefined
  }

  /** How tests with these fixtures are called. */
  flavour(fixtures: Fixtures): Flavour {
    const { testTimeoutMs = TIMEOUT_MS, hookTimeoutMs = HOOK_TIMEOUT_MS, retry = 0 } = this.#configuration
    const { isConcurrent } = this.#configuration
    const attempt = (test: Test, isLast: boolean) => this.#attempt(this.runner!, test, fixtures, isLast)
    return {
      name: 'vitest',
      fields: (this.runner?.major ?? 1) < FIRST_WITHOUT_QUOTES ? 'in quotes' : 'cut',
      defersSuites: true,
      hooksUndo: true,
      ...((this.runner?.major ?? 1) < FIRST_TO_REFUSE_LATE_HOOKS ? { ignoresLateHooks: true } : {}),
      defaults: { timeoutMs: testTimeoutMs, hookTimeoutMs, retry, atOnce: AT_ONCE, isConcurrent },
      ...(this.runner === undefined ? {} : { watch: { begins: ignored, attempt } }),
      call: (call) => this.#call(call, fixtures),
    }
  }

  async #attempt(runner: VitestRunner, test: Test, fixtures: Fixtures, isLast: boolean): Promise<void> {
    const task = runner.describe(test)
    const context = contextOf(task)
    task.context = context as Task['context']
    for (const reset of this.#resetsNow()) this.utilities[reset]!()
    const expect = await runner.begin(task)
    if (expect.poll !== undefined) expect.poll = polling(expect, runner.chai, VIRTUAL, (check) => after(task, check))
    this.#begins(task, expect)
    await attempted(runner, test, { task, context, fixtures }, isLast)
  }

  /** What mocks and stubs forget before each test. */
  #resetsNow(): readonly Reset[] {
    const changed = this.#changed?.evaluation === evaluation() ? this.#changed.resets : undefined
    return changed ?? this.#configuration.resets
  }

  #begins(task: Task, expect: Callable | undefined): void {
    this.#seen = evaluation()
    this.#running = task
    this.#expectOfTest = expect
  }

  #call(call: Call, fixtures: Fixtures): unknown {
    const { kind, attempt, suite } = call
    if (kind === 'beforeAll' || kind === 'afterAll' || kind === 'aroundAll')
      return this.#provided(call, fixtures, suite === undefined ? {} : fixtures.contextOf(suite))
    if (attempt instanceof VitestCall) return this.#provided(call, attempt.given.fixtures, attempt.given.context)
    return this.#alone(call, fixtures)
  }

  /** A test whose executions norn bounds and orders, or a hook of one. */
  #alone(call: Call, fixtures: Fixtures): unknown {
    const { kind, title, suite } = call
    const task = { name: title, meta: {}, type: 'test', mode: 'run' } as unknown as Task
    const context: Context = { ...contextOf(task), expect: this.expect }
    if (kind !== 'test') return this.#provided(call, new Fixtures(), context)
    this.#begins(task, undefined)
    this.runner?.passSnapshots()
    const own = this.runner?.expect
    if (own !== undefined) beginTest(own, suite === undefined ? title : fullTitle(suite, title))
    return whenDone(this.#provided(call, fixtures, context), (given) => {
      const actions = task.onFinished?.toReversed() ?? []
      const finished = actions.reduce<unknown>((before, action) => whenDone(before, () => action(context)), undefined)
      const ended = whenDone(finished, () => (fixtures.isEmpty ? undefined : endFixtures(context)))
      return whenDone(ended, () => {
        if (own !== undefined) checkAssertions(own)
        return given
      })
    })
  }

  /** Calls a test or hook, with what it names in its context. */
  #provided({ kind, body, values, place, suite, inside }: Call, fixtures: Fixtures, context: Context): unknown {
    if (place === 'nowhere') return body(...values)
    const before = inside === undefined ? values : [inside]
    const around = kind === 'test' || suite === undefined ? [] : [this.runner?.suiteOf(suite)]
    // Until version 4.0 hooks of a suite receive the suite only.
    const isOld = kind.endsWith('All') && this.runner?.exports.aroundAll === undefined
    const args = [...before, ...(isOld ? [] : [context]), ...around]
    const made = isOld ? undefined : fixtures.provide(context, body, before.length, suite)
    return made === undefined ? body(...args) : made.then(() => body(...args))
  }

  /** `expect`, with that of the running test in its place. */
  #expectOfFile(own: Callable): Callable {
    const poll = own.poll && polling(own, this.runner?.chai, VIRTUAL)
    const current = () => (this.running === undefined ? undefined : this.#expectOfTest)
    return new Proxy(own, {
      apply: (_, _this, args) => (current() ?? own)(...args),
      get: (_, name) => {
        const ofTest = current()
        if (ofTest !== undefined) return Reflect.get(ofTest, name)
        // A soft assertion goes on after a failure, which norn reports at once.
        return name === 'soft' ? own : name === 'poll' ? poll : Reflect.get(own, name)
      },
    })
  }

  /** What `vi.setConfig` says; undefined for `vi.resetConfig`. It holds in one evaluation. */
  #change(change: Readonly<Record<string, unknown>> | undefined): void {
    const { testTimeoutMs = TIMEOUT_MS, hookTimeoutMs = HOOK_TIMEOUT_MS } = this.#configuration
    const given = change ?? { testTimeout: testTimeoutMs, hookTimeout: hookTimeoutMs }
    const root = currentCollection()?.suites.root
    if (root !== undefined) {
      const limits = { timeoutMs: given.testTimeout, hookTimeoutMs: given.hookTimeout }
      const named = Object.entries(limits).filter(([, value]) => typeof value === 'number')
      root.settings = { ...root.settings, ...Object.fromEntries(named) }
    }
    const before = this.#resetsNow()
    const resets = RESETS_OF_VITEST.filter(([name, reset]) => given[name] ?? before.includes(reset))
    this.#changed = { evaluation: evaluation(), resets: change && resets.map(([, reset]) => reset) }
  }
}

function contextOf(task: Task): Context {
  const { signal } = new AbortController()
  return {
    task,
    signal,
    skip: (condition: unknown = true) => {
      if (typeof condition !== 'boolean' || condition) throw new SkippedItself()
    },
    annotate: async () => {},
    onTestFinished: (action: Ending) => after(task, action),
    onTestFailed: (action: Ending) => void (task.onFailed ??= []).push(action),
    /** Of `@fast-check/vitest`: draws a value in the body. */
    g(builder: (...args: unknown[]) => never, ...args: unknown[]) {
      const execution = currentExecution('g')
      execution.assert(0)
      return execution.draw(builder(...args), builder.name === '' ? 'g' : builder.name)
    },
  }
}

type Ending = (context: unknown) => unknown

function after(task: Task, action: Ending): void {
  ;(task.onFinished ??= []).push(action)
}

/** Of a file of tests, which may have the module and the globals of vitest. */
const modules = new WeakMap<FrameworkHost, Exports>()

export function vitestModule(host: FrameworkHost): Exports {
  const known = modules.get(host)
  if (known !== undefined) return known
  const vitest = new Vitest(host)
  const test = extending(vitest, new Fixtures())
  const describe = declaring('describe', vitest.flavour(new Fixtures()))
  const ofRunning = (name: 'onTestFinished' | 'onTestFailed') => (action: Ending) => {
    const { running } = vitest
    if (running === undefined) throw new Error(`${name}() can only be called inside a test`)
    ;(contextOf(running)[name] as (action: Ending) => void)(action)
  }
  const { chai, assert, should, expectTypeOf, assertType, createExpect } = vitest.runner?.exports ?? {}
  const exports = {
    ...{ chai, assert, should, expectTypeOf, assertType, createExpect },
    ...hooksOf(vitest, new Fixtures()),
    test,
    it: test,
    describe,
    suite: describe,
    onTestFinished: ofRunning('onTestFinished'),
    onTestFailed: ofRunning('onTestFailed'),
    expect: vitest.expect,
    vi: vitest.utilities,
    vitest: vitest.utilities,
    inject: injecting(host),
    bench: Object.assign(ignored, { skip: ignored, only: ignored, todo: ignored }),
  }
  modules.set(host, exports)
  return exports
}

export const vitest: Framework = { specifier: 'vitest', module: vitestModule, entry: 'norn/vitest' }

/** `test` with fixtures, and what makes others of it. */
function extending(vitest: Vitest, fixtures: Fixtures): Declaring {
  const flavour = vitest.flavour(fixtures)
  const suites = () => currentCollection()?.suites
  const test: Declaring = Object.assign(declaring('test', flavour), {
    ...hooksOf(vitest, fixtures),
    describe: declaring('describe', flavour),
    suite: declaring('describe', flavour),
    extend(...given: unknown[]) {
      const more = fixtures.extended(given, suites()?.current)
      const root = suites()?.root
      // The first to begin is the last to end.
      if (root !== undefined && more.hasShared)
        root.hooks.beforeAll.unshift({ action: () => () => endFixtures(more.contextOf(root)), timeoutMs: undefined })
      return extending(vitest, more)
    },
    override(...given: unknown[]) {
      const suite = suites()?.current
      if (suite !== undefined) fixtures.override(given, suite)
      return test
    },
    scoped: (...given: unknown[]) => test.override(...given),
  })
  return test
}

function hooksOf(vitest: Vitest, fixtures: Fixtures): Record<string, Function> {
  const flavour = vitest.flavour(fixtures)
  return Object.fromEntries(HOOKS.map((kind) => [kind, hooking(kind, flavour)]))
}
