/**
 * The tests of a test file, as norn collects them: nested suites with their hooks.
 *
 * A framework runs every test once; norn runs one test in each execution, in fresh modules. So
 * `beforeAll` and `afterAll` run in every execution, around the other hooks and the body, in the
 * controlled world.
 *
 * Invariant: the collection is a function of the file alone. Titles are joined by ` > `, as in
 * vitest; a repeated title gets an ordinal, so a name identifies one test of the file.
 */
import type { Attempt } from './attempt.ts'

export type TestMode = 'run' | 'skip' | 'only' | 'todo'

export const HOOKS = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'] as const

/** The last two are of vitest: they get a function that runs what is inside. */
export type Hook = (typeof HOOKS)[number] | 'aroundEach' | 'aroundAll'

/**
 * A function of a test file, with its framework's arguments bound; its promise is awaited.
 *
 * @param attempt given where tests run as their runner runs them
 * @param inside what a hook around tests has to call
 */
export type Action = (attempt?: Attempt, inside?: () => Promise<void>) => unknown

export interface HookFunction {
  readonly action: Action
  readonly timeoutMs: number | undefined
}

export interface Suite {
  readonly title: string
  readonly parent: Suite | undefined
  readonly mode: TestMode
  /** What its tests inherit. */
  settings: Settings
  readonly hooks: Readonly<Record<Hook, HookFunction[]>>
}

/** What a framework does around each attempt of a test, where tests run as their runner runs them. */
export interface TestWatch {
  begins(test: Test): void
  /** After the hooks of a test that has not failed. @throws what fails the test */
  ends?(test: Test): void
  /** After the attempt, however it ended. */
  settles?(test: Test): void
  /** Makes the attempt itself, with the hooks of the test. @param isLast whether nothing runs behind it */
  attempt?(test: Test, isLast: boolean): Promise<void>
}

export interface Test {
  /** Unique in its file: the titles of its suites and its own title. */
  readonly name: string
  readonly title: string
  readonly suite: Suite
  readonly mode: TestMode
  settings: Settings
  readonly body: Action
  readonly watch?: TestWatch | undefined
  /** The source of its function. */
  readonly text: string
  /** The stack of its declaration; undefined unless asked for. */
  readonly declaredAt: string | undefined
}

/** How a runner runs a test, or the tests of a suite. Norn heeds it where it runs tests as their runner does. */
export interface Settings {
  /** Whether the test is expected to fail. */
  readonly fails?: boolean | undefined
  /** Whether it runs beside its neighbours. */
  readonly isConcurrent?: boolean | undefined
  /** Undefined if there is no limit. */
  readonly timeoutMs?: number | undefined
  /** The same of hooks. */
  readonly hookTimeoutMs?: number | undefined
  /** Attempts after the first. */
  readonly retry?: number | undefined
  /** Whether another attempt may follow a failure with this error; undefined if after each. */
  readonly retryAfter?: ((error: unknown) => boolean) | undefined
  /** How often the test runs after it has passed. */
  readonly repeats?: number | undefined
  /** Concurrent tests at the same time, at most. */
  readonly atOnce?: number | undefined
  /** Whether the file is a program of its own, whose process ends behind its tests. */
  readonly isProgram?: boolean | undefined
}

/** A file with more tests is rejected: it declares them in an endless loop. */
const MAX_TESTS = 20_000

const SEPARATOR = ' > '

/** What frameworks undo when the test of an evaluation ends. */
let ending: Action[] = []

/** Registers an action that runs behind the hooks of the test, if the test passes. */
export function whenTestEnds(action: Action): void {
  ending.push(action)
}

/** By the path of a file: what declares it as one test. */
const wholes = new Map<string, () => void>()

/** In each evaluation of a file that declares no test, the file itself is declared as one. */
export function whenNoneDeclared(file: string, declareWhole: () => void): void {
  wholes.set(file, declareWhole)
}

/** Thrown by a test to skip itself. */
export class SkippedItself extends Error {
  constructor() {
    super('the test skips itself')
    this.name = 'SkippedItself'
  }
}

/** A suite whose callback runs when the file has been evaluated. */
interface DeferredSuite {
  readonly suite: Suite
  readonly declare: () => unknown
  /** How many tests stand before it. */
  readonly at: number
}

/** The suites and tests of one evaluation of a file. */
export class SuiteCollection {
  readonly root: Suite = newSuite('', undefined, 'run')
  #tests: Test[] = []
  #deferred: DeferredSuite[] = []
  /** Undefined before the first test. */
  #ordinals: Map<string, number> | undefined
  readonly #pending: Promise<void>[] = []
  readonly #keepsPlaces: boolean
  #current: Suite = this.root
  /** The defaults that the root has. */
  #given: Settings | undefined

  /** @param keepsPlaces whether to keep where each test is declared, which takes time */
  constructor(keepsPlaces = false) {
    ending = []
    this.#keepsPlaces = keepsPlaces
  }

  /** In the order of the file, once `settled`. */
  get tests(): readonly Test[] {
    return this.#tests
  }

  /** The suite whose callback is running; outside of any, the root. */
  get current(): Suite {
    return this.#current
  }

  /**
   * Runs the callback of a suite, which declares its content.
   *
   * @param isDeferred whether it runs when all around it is declared, as in vitest
   */
  suite(
    title: string,
    mode: TestMode,
    settings: Settings,
    declare: (() => unknown) | undefined,
    isDeferred = false,
  ): void {
    const parent = this.#current
    const suite = newSuite(title, parent, mode, settings)
    if (declare === undefined) return
    if (isDeferred) {
      this.#deferred.push({ suite, declare, at: this.#tests.length })
      return
    }
    this.#current = suite
    let declared: unknown
    try {
      declared = declare()
    } finally {
      this.#current = parent
    }
    // What it declares after its first await counts as its own unless another suite is declared
    // meanwhile.
    if (isThenable(declared)) this.#pending.push(this.#awaited(declared, suite, parent))
  }

  async #awaited(declared: PromiseLike<unknown>, suite: Suite, parent: Suite): Promise<void> {
    this.#current = suite
    await declared
    if (this.#current === suite) this.#current = parent
  }

  /** @param defaults of its framework, for what no suite says */
  test(title: string, declared: Omit<Test, 'name' | 'title' | 'suite' | 'declaredAt'>, defaults?: Settings): Test {
    if (this.#tests.length >= MAX_TESTS) throw new Error(`the file declares more than ${MAX_TESTS} tests`)
    this.#defaults(defaults)
    const suite = this.#current
    const declaredAt = this.#keepsPlaces ? new Error().stack : undefined
    const test = { ...declared, name: this.#unique(fullTitle(suite, title)), title, suite, declaredAt }
    this.#tests.push(test)
    return test
  }

  /** @param timeoutMs its own limit, which comes before that of its suite */
  hook(kind: Hook, action: Action, timeoutMs?: number, defaults?: Settings): void {
    this.#defaults(defaults)
    this.#current.hooks[kind].push({ action, timeoutMs })
  }

  #defaults(given: Settings | undefined): void {
    if (given === undefined || given === this.#given) return
    this.#given = given
    this.root.settings = { ...given, ...this.root.settings }
  }

  /** A name that is unique in the file. */
  #unique(name: string): string {
    const ordinal = (this.#ordinals?.get(name) ?? 0) + 1
    this.#ordinals ??= new Map()
    this.#ordinals.set(name, ordinal)
    return ordinal === 1 ? name : `${name} (${ordinal})`
  }

  /**
   * Settles when all suites have declared their tests; undefined if that needs no waiting.
   *
   * @param file the absolute path of the file that was evaluated
   */
  settled(file: string): Promise<unknown> | undefined {
    const waited = () => (this.#pending.length === 0 ? undefined : Promise.all(this.#pending))
    const declared = whenDone(this.#declareDeferred(), waited)
    const declareWhole = wholes.get(file)
    if (declareWhole === undefined) return declared as Promise<unknown> | undefined
    return whenDone(declared, () => {
      if (this.#tests.length === 0) declareWhole()
    }) as Promise<unknown> | undefined
  }

  /** Runs the callbacks of deferred suites one after the other, and puts their tests where they stand. */
  #declareDeferred(): unknown {
    const deferred = this.#deferred
    if (deferred.length === 0) return undefined
    const around = this.#tests
    const ordered: Test[] = []
    let taken = 0
    const run = (index: number): unknown => {
      for (let next = index; next < deferred.length; next++) {
        const { suite, declare, at } = deferred[next]!
        ordered.push(...around.slice(taken, at))
        taken = at
        this.#deferred = []
        this.#tests = []
        this.#current = suite
        const declared = whenDone(declare(), () => this.#declareDeferred())
        const take = () => void ordered.push(...this.#tests)
        if (isThenable(declared)) return declared.then(take).then(() => run(next + 1))
        take()
      }
      this.#deferred = []
      this.#tests = [...ordered, ...around.slice(taken)]
      this.#current = this.root
    }
    return run(0)
  }
}

function newSuite(title: string, parent: Suite | undefined, mode: TestMode, settings: Settings = {}): Suite {
  return { title, parent, mode, settings, hooks: noHooks() }
}

function noHooks(): Record<Hook, HookFunction[]> {
  return { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [], aroundEach: [], aroundAll: [] }
}

/** The titles of the suites around a test and its own. */
export function fullTitle(suite: Suite, title: string): string {
  if (suite.parent === undefined) return title
  return joinTitles([...chainOf(suite).map((each) => each.title), title])
}

/** Joins the titles of suites, outermost first, and of a test; empty titles are dropped. */
export function joinTitles(titles: readonly string[]): string {
  return titles.filter((title) => title !== '').join(SEPARATOR)
}

/** A suite and the suites around it, outermost first. */
export function chainOf(suite: Suite): Suite[] {
  const chain: Suite[] = []
  for (let each: Suite | undefined = suite; each !== undefined; each = each.parent) chain.unshift(each)
  return chain
}

/** The mode of a test: `skip`, `todo` and `only` of a suite hold for all its tests. */
export function modeOf(test: Pick<Test, 'mode' | 'suite'>): TestMode {
  const modes = [test.mode, ...chainOf(test.suite).map(({ mode }) => mode)]
  return (['skip', 'todo', 'only'] as const).find((mode) => modes.includes(mode)) ?? 'run'
}

/** The settings of a test: its own come before those of its suites, the innermost first. */
export function settingsOf(test: Pick<Test, 'settings' | 'suite'>): Settings {
  const all = [...chainOf(test.suite).map(({ settings }) => settings), test.settings]
  const named = all.flatMap((each) => Object.entries(each).filter(([, value]) => value !== undefined))
  return Object.fromEntries(named)
}

/** Whether a suite, or a suite around it, has a hook. */
export function hasHooks(suite: Suite): boolean {
  for (let each: Suite | undefined = suite; each !== undefined; each = each.parent) {
    const { beforeAll, beforeEach, afterEach, afterAll } = each.hooks
    if (beforeAll.length + beforeEach.length + afterEach.length + afterAll.length > 0) return true
  }
  return false
}

/**
 * Runs an action as a test of a suite, with its hooks in the order of the frameworks. A `before`
 * hook may return a function that is called after. The first failure ends the run without cleaning
 * up, since norn restores the process.
 *
 * @returns undefined, or a promise if something in it is asynchronous; throws or rejects with the
 *   first failure
 */
export function withHooks(suite: Suite, action: Action): unknown {
  const chain = chainOf(suite)
  const inwards = (kind: Hook) => chain.flatMap(({ hooks }) => actionsOf(hooks[kind]))
  const outwards = (kind: Hook) => chain.toReversed().flatMap(({ hooks }) => actionsOf(hooks[kind]).toReversed())
  const undoing = { each: [] as Action[], all: [] as Action[] }
  const keeping = (undo: Action[], hook: Action) => () =>
    whenDone(hook(), (after) => {
      if (typeof after === 'function') undo.unshift(after as Action)
    })
  return inOrder([
    ...inwards('beforeAll').map((hook) => keeping(undoing.all, hook)),
    ...inwards('beforeEach').map((hook) => keeping(undoing.each, hook)),
    action,
    ...outwards('afterEach'),
    () => inOrder(undoing.each),
    ...outwards('afterAll'),
    () => inOrder(undoing.all),
    () => inOrder(ending),
  ])
}

function actionsOf(hooks: readonly HookFunction[]): Action[] {
  return hooks.map(({ action }) => action)
}

/**
 * Calls actions in sequence, each when the previous one has settled; synchronously where none
 * returns a promise.
 */
function inOrder(actions: readonly Action[], from = 0): unknown {
  for (let index = from; index < actions.length; index++) {
    const given = actions[index]!()
    if (isThenable(given)) return given.then(() => inOrder(actions, index + 1))
  }
}

/** Calls `next` with a value: at once, or when its promise is fulfilled. */
export function whenDone<Value>(value: Value | PromiseLike<Value>, next: (value: Value) => unknown): unknown {
  return isThenable(value) ? value.then((settled) => next(settled as Value)) : next(value)
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}
