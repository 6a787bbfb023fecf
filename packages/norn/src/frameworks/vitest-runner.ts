/**
 * Vitest's own `expect`, snapshots and the part of its runner that they ask: the class whose functions
 * vitest's runner calls around a test. Versions 1 to 5 have it under the same names.
 *
 * The loop that calls them is norn's (`vitest-attempt.ts`): that of vitest starts a timer for each test and
 * hook, which would be schedule points, and its parts have other places in each version.
 */
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { realFiles } from '../loader/real-files.ts'
import { evaluation } from '../property/property.ts'
import { chainOf, type Suite, settingsOf, type Test } from '../property/suites.ts'
import type { FrameworkHost } from './framework.ts'
import { type Callable, type Exports, installed, placeOf } from './installed.ts'
import type { TestConfiguration } from './test-configuration.ts'

/** The name of the global under which vitest keeps the state of a worker. */
const WORKER_STATE = '__vitest_worker__'

/** A test as vitest describes it, as far as its `expect` and tests read it. */
export interface Task {
  readonly name: string
  readonly suite: object | undefined
  readonly file: object
  context: { expect: Callable } & Record<string, unknown>
  result: { state: string; errors?: readonly unknown[]; retryCount?: number }
  /** Assertions that nobody has awaited. */
  promises?: readonly Promise<unknown>[]
  onFinished?: ((context: unknown) => unknown)[] | undefined
  onFailed?: ((context: unknown) => unknown)[] | undefined
}

/** The class of vitest, as far as norn uses it. */
interface Runner {
  readonly snapshotClient: { snapshotState?: unknown; readonly snapshotStateMap: Map<string, unknown> }
  /** Of tests that have to assert something. */
  readonly assertionsErrors?: WeakMap<object, Error>
  onBeforeRunSuite(file: object): Promise<void>
  onBeforeTryTask(task: Task, attempt: { retry: number; repeats: number }): void
  onAfterTryTask(task: Task): void
}

interface Chai {
  readonly Assertion: { readonly prototype: object }
  readonly util: { flag(assertion: unknown, name: string, value: unknown): void }
}

const SNAPSHOT_MATCHERS = [
  'matchSnapshot',
  'toMatchSnapshot',
  'toMatchInlineSnapshot',
  'toMatchFileSnapshot',
  'toThrowErrorMatchingSnapshot',
  'toThrowErrorMatchingInlineSnapshot',
]

export class VitestRunner {
  readonly exports: Exports
  /** The `expect` of the file, outside of tests that run as vitest runs them. */
  readonly expect: Callable
  readonly chai: Chai
  /** The first number of its version. */
  readonly major: number
  readonly #createExpect: (task: object) => Callable
  readonly #runner: Runner
  readonly #host: FrameworkHost
  readonly #snapshots: ReadonlyMap<string, PropertyDescriptor>
  /** Why snapshots cannot be compared. */
  readonly #unsupported: string | undefined
  readonly #described = new WeakMap<object, Task>()
  #suites = new WeakMap<Suite, object>()
  #seen = 0
  /** Whether snapshots are compared at present; undefined before the first test. */
  #compares: boolean | undefined

  /** Undefined if the project has no vitest. Must be called before the world is installed. */
  static of(host: FrameworkHost, configuration: TestConfiguration): VitestRunner | undefined {
    provideWorkerState(host)
    const exports = installed('vitest', host.file)
    const Runner = exports?.TestRunner ?? installed('vitest/runners', host.file)?.VitestTestRunner
    if (exports === undefined || Runner === undefined) return undefined
    return new VitestRunner(host, exports, Runner as new (config: object) => Runner, configuration)
  }

  private constructor(
    host: FrameworkHost,
    exports: Exports,
    Runner: new (config: object) => Runner,
    { requiresAssertions, snapshots }: TestConfiguration,
  ) {
    this.#host = host
    this.exports = exports
    this.expect = exports.expect as Callable
    this.chai = exports.chai as Chai
    this.#createExpect = exports.createExpect as (task: object) => Callable
    const expect = { requireAssertions: requiresAssertions === true }
    this.#runner = new Runner({ expect, sequence: {}, experimental: {} })
    this.#unsupported = snapshots
    this.major = majorOf(host.file)
    const { prototype } = this.chai.Assertion
    this.#snapshots = new Map(
      SNAPSHOT_MATCHERS.flatMap((name) => {
        const own = Object.getOwnPropertyDescriptor(prototype, name)
        return own === undefined ? [] : [[name, own] as const]
      }),
    )
  }

  /** Describes a test of this evaluation. */
  describe(test: Test): Task {
    this.#refresh()
    const known = this.#described.get(test)
    if (known !== undefined) return known
    const suite = this.#suiteOf(test.suite)
    const file = this.#suiteOf(chainOf(test.suite)[0]!)
    const titles = [...chainOf(test.suite).map(({ title }) => title), test.title].filter((title) => title !== '')
    const { fails, isConcurrent, retry, repeats, timeoutMs } = settingsOf(test)
    const task = {
      ...{ id: test.name, type: 'test', mode: 'run', meta: {}, annotations: [], artifacts: [], benchmarks: [] },
      ...{ name: test.title, fullTestName: titles.join(' > ') },
      ...{ fullName: [basename(this.#host.file), ...titles].join(' > ') },
      ...{ fails, concurrent: isConcurrent, retry, repeats, timeout: timeoutMs, tags: [] },
      // Until version 1 tests at the top have a suite without a name, and later none.
      ...{ suite: suite === file && this.major > 1 ? undefined : suite, file: fileOf(file) },
      result: { state: 'run' },
    } as unknown as Task
    this.#described.set(test, task)
    return task
  }

  /** Describes a suite of this evaluation, or its file. */
  suiteOf(suite: Suite): object {
    this.#refresh()
    return this.#suiteOf(suite)
  }

  /** An attempt at a test begins. Returns its `expect`. */
  async begin(task: Task): Promise<Callable> {
    const { snapshotClient } = this.#runner
    if (!snapshotClient.snapshotStateMap.has(this.#host.file)) await this.#runner.onBeforeRunSuite(task.file)
    task.result = { ...task.result, state: 'run' }
    task.promises = []
    task.onFinished = task.onFailed = undefined
    const missing = new Error('the test asserts nothing, but has to')
    this.#runner.assertionsErrors?.set(task, missing)
    const expect = this.#createExpect(task)
    task.context.expect = expect
    // Vitest makes it when a test first asks for it, and then counts its assertions alone.
    task.context._local = true
    this.#runner.onBeforeTryTask(task, { retry: 0, repeats: 0 })
    this.#compareSnapshots(true)
    return expect
  }

  /** The body of a test has ended. @throws if it asserted less, or more, than it announced */
  check(task: Task): void {
    this.#runner.onAfterTryTask(task)
  }

  /** Snapshots pass where a test has inputs, and nothing stores them. */
  passSnapshots(): void {
    this.#compareSnapshots(false)
  }

  #compareSnapshots(compares: boolean): void {
    if (this.#compares === compares) return
    this.#compares = compares
    const what = this.#unsupported
    const value = !compares ? () => {} : what && (() => this.#host.refuse(`snapshots of vitest with ${what}`))
    for (const [name, own] of this.#snapshots)
      Object.defineProperty(this.chai.Assertion.prototype, name, value ? { ...own, value } : own)
  }

  /** Forgets what belongs to an earlier evaluation: snapshots are counted by the names of tests. */
  #refresh(): void {
    if (this.#seen === evaluation()) return
    this.#seen = evaluation()
    this.#suites = new WeakMap()
    const { snapshotClient } = this.#runner
    snapshotClient.snapshotState = undefined
    snapshotClient.snapshotStateMap.clear()
  }

  #suiteOf(suite: Suite): object {
    const known = this.#suites.get(suite)
    if (known !== undefined) return known
    const made = suite.parent === undefined ? this.#root() : this.#inner(suite, suite.parent)
    this.#suites.set(suite, made)
    return made
  }

  #inner({ title, parent: _ }: Suite, parent: Suite): object {
    const around = this.#suiteOf(parent)
    const isAtTop = parent.parent === undefined && this.major > 1
    const file = fileOf(around)
    const made = { type: 'suite', name: title, mode: 'run', meta: {}, tasks: [], file }
    return { ...made, suite: isAtTop ? undefined : around }
  }

  #root(): object {
    const { file: filepath } = this.#host
    const name = relative(process.cwd(), filepath)
    const file: Record<string, unknown> = {
      ...{ id: name, type: 'suite', name, fullName: name, filepath, mode: 'run', meta: {}, tasks: [] },
    }
    if (this.major > 1) return Object.assign(file, { file })
    return { type: 'suite', name: '', mode: 'run', meta: {}, tasks: [], file }
  }
}

function fileOf(suite: object): object {
  return (suite as { file: object }).file
}

function majorOf(from: string): number {
  const place = placeOf('vitest/package.json', from) ?? placeOf('vitest', from)
  for (let folder = dirname(place ?? ''); folder !== dirname(folder); folder = dirname(folder)) {
    const text = join(folder, 'package.json')
    if (!realFiles.exists(text)) continue
    const { name, version } = JSON.parse(realFiles.read(text).toString('utf8')) as Record<string, string>
    if (name === 'vitest') return Number.parseInt(version!, 10)
  }
  return Number.POSITIVE_INFINITY
}

/** What vitest's own `expect` and runner read of the worker in which they run. */
function provideWorkerState({ file, outside }: FrameworkHost): void {
  const snapshotOptions = {
    expand: false,
    // As vitest's default: a snapshot that is not there passes, but fails in CI.
    updateSnapshot: isInCi() ? 'none' : 'new',
    snapshotEnvironment: storedSnapshots(outside),
  }
  const config = { root: process.cwd(), expect: {}, snapshotOptions, sequence: {}, experimental: {}, fakeTimers: {} }
  const state = { ...{ filepath: file, config, providedContext: {}, durations: {} }, ...WORKER, current: undefined }
  Object.defineProperty(globalThis, WORKER_STATE, {
    // Another vitest may run this process.
    value: (globalThis as Record<string, unknown>)[WORKER_STATE] ?? state,
    configurable: true,
    writable: true,
  })
}

const WORKER = { ctx: { pool: 'forks' }, environment: { name: 'node' }, rpc: {}, onCleanup: () => {} }

/** Snapshots that are read, and never written. */
const storedSnapshots = (outside: FrameworkHost['outside']) => ({
  getVersion: () => '1',
  getHeader: () => '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html',
  resolvePath: async (file: string) => join(dirname(file), '__snapshots__', `${basename(file)}.snap`),
  resolveRawPath: async (file: string, path: string) => (isAbsolute(path) ? path : resolve(dirname(file), path)),
  readSnapshotFile: async (path: string) =>
    outside(() => (realFiles.exists(path) ? realFiles.read(path).toString('utf8') : null)),
  saveSnapshotFile: async () => {},
  removeSnapshotFile: async () => {},
})

function isInCi(): boolean {
  const { CI = '' } = process.env
  return CI !== '' && CI !== 'false'
}
