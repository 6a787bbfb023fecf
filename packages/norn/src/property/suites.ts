/**
 * The tests of an existing test file as norn collects them: suites in suites, with their hooks.
 *
 * A test framework runs each test once; norn runs one of them in each execution, in fresh modules. So what a framework
 * does once for all tests of a suite (`beforeAll`) happens here in every execution, before the hooks of each test and its
 * body, and what it does afterwards happens after: the whole of it under the controlled world.
 *
 * Invariant: what is collected is a function of the file alone. Titles are joined by ` > `, as vitest prints them, and a
 * title that occurs again is told apart by an ordinal, so that each names one test of the file.
 */

export type TestMode = 'run' | 'skip' | 'only' | 'todo'

export type Hook = 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll'

/** A function of a test file with what its framework passes to it bound already; its promise is waited for. */
export type Action = () => unknown

export interface Suite {
  readonly title: string
  readonly parent: Suite | undefined
  readonly mode: TestMode
  readonly hooks: Readonly<Record<Hook, Action[]>>
}

export interface Test {
  /** Unique in its file: the titles of its suites and its own. */
  readonly name: string
  readonly suite: Suite
  readonly mode: TestMode
  /** Why it cannot be a property, whatever it does; undefined if it may be one. */
  readonly excluded: string | undefined
  readonly body: Action
  /** The source of its function. */
  readonly text: string
}

/** A file that declares more is refused: it declares them in a loop without end. */
const MAX_TESTS = 20_000

const SEPARATOR = ' > '

/** What one evaluation of a file collects. */
export class SuiteCollection {
  readonly root: Suite = newSuite('', undefined, 'run')
  readonly tests: Test[] = []
  readonly #ordinals = new Map<string, number>()
  readonly #pending: Promise<void>[] = []
  #current: Suite = this.root

  /** The suite whose callback is running; the file's own outside of any. */
  get current(): Suite {
    return this.#current
  }

  /** Runs the callback of a suite, which declares what is in it. */
  suite(title: string, mode: TestMode, declare: (() => unknown) | undefined): void {
    const parent = this.#current
    const suite = newSuite(title, parent, mode)
    if (declare === undefined) return
    this.#current = suite
    let declared: unknown
    try {
      declared = declare()
    } finally {
      this.#current = parent
    }
    // What such a suite declares after its first wait is taken for its own as long as nothing else is declared.
    if (isThenable(declared)) this.#pending.push(this.#awaited(declared, suite, parent))
  }

  async #awaited(declared: PromiseLike<unknown>, suite: Suite, parent: Suite): Promise<void> {
    this.#current = suite
    await declared
    if (this.#current === suite) this.#current = parent
  }

  test(title: string, mode: TestMode, body: Action, text: string, excluded?: string): void {
    if (this.tests.length >= MAX_TESTS) throw new Error(`the file declares more than ${MAX_TESTS} tests`)
    const suite = this.#current
    this.tests.push({ name: this.#unique(fullTitle(suite, title)), suite, mode, body, text, excluded })
  }

  hook(kind: Hook, action: Action): void {
    this.#current.hooks[kind].push(action)
  }

  /** A name that nothing else in the file has. */
  #unique(name: string): string {
    const ordinal = (this.#ordinals.get(name) ?? 0) + 1
    this.#ordinals.set(name, ordinal)
    return ordinal === 1 ? name : `${name} (${ordinal})`
  }

  /** The suites that declare their tests asynchronously; undefined if none does. */
  settled(): Promise<unknown> | undefined {
    return this.#pending.length === 0 ? undefined : Promise.all(this.#pending)
  }
}

function newSuite(title: string, parent: Suite | undefined, mode: TestMode): Suite {
  return { title, parent, mode, hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] } }
}

/** The title of a test with those of its suites before it. */
export function fullTitle(suite: Suite, title: string): string {
  if (suite.parent === undefined) return title
  return joinTitles([...chainOf(suite).map((each) => each.title), title])
}

/** The titles of suites, outermost first, and that of a test; those without one are left out. */
export function joinTitles(titles: readonly string[]): string {
  return titles.filter((title) => title !== '').join(SEPARATOR)
}

/** A suite and those around it, outermost first. */
function chainOf(suite: Suite): Suite[] {
  const chain: Suite[] = []
  for (let each: Suite | undefined = suite; each !== undefined; each = each.parent) chain.unshift(each)
  return chain
}

/** Whether a test runs by itself: `skip` and `todo` hold for all that a suite contains, and so does `only`. */
export function modeOf(test: Pick<Test, 'mode' | 'suite'>): TestMode {
  const modes = [test.mode, ...chainOf(test.suite).map(({ mode }) => mode)]
  return (['skip', 'todo', 'only'] as const).find((mode) => modes.includes(mode)) ?? 'run'
}

/** Whether a suite, or one around it, has a hook: without, an action can run by itself. */
export function hasHooks(suite: Suite): boolean {
  for (let each: Suite | undefined = suite; each !== undefined; each = each.parent) {
    const { beforeAll, beforeEach, afterEach, afterAll } = each.hooks
    if (beforeAll.length + beforeEach.length + afterEach.length + afterAll.length > 0) return true
  }
  return false
}

/**
 * Runs an action as a test of a suite: after the hooks before it, before those after it, as frameworks order them. A hook
 * before may give back a function to be called after. What fails ends it: nothing has to be tidied up, since the process
 * is put back as it was.
 *
 * @returns at once if nothing in it is asynchronous, else a promise; throws or rejects with what failed
 */
export function withHooks(suite: Suite, action: Action): unknown {
  const chain = chainOf(suite)
  const inwards = (kind: Hook) => chain.flatMap(({ hooks }) => hooks[kind])
  const outwards = (kind: Hook) => chain.toReversed().flatMap(({ hooks }) => hooks[kind].toReversed())
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
  ])
}

/** Calls one after the other, each when the one before has settled; synchronously as long as nothing has to be waited for. */
function inOrder(actions: readonly Action[], from = 0): unknown {
  for (let index = from; index < actions.length; index++) {
    const given = actions[index]!()
    if (isThenable(given)) return given.then(() => inOrder(actions, index + 1))
  }
}

/** Goes on with a value at once, or with what its promise settles to. */
export function whenDone<Value>(value: Value | PromiseLike<Value>, next: (value: Value) => unknown): unknown {
  return isThenable(value) ? value.then((settled) => next(settled as Value)) : next(value)
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}
