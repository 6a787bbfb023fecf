/**
 * Replaces `mocha`, and what its tests have for `this`.
 *
 * Invariant: the hooks and tests of a suite share one `this`, which inherits from that of the suite
 * around it, as in mocha.
 */
import { currentCollection } from '../property/property.ts'
import {
  chainOf,
  HOOKS,
  isThenable,
  SkippedItself,
  type Suite,
  type SuiteCollection,
  type Test,
} from '../property/suites.ts'
import { type Call, type Flavour, withCallback } from './test-functions.ts'

/** On the `this` of the root: the body that runs, and its test. */
const CALL = Symbol('call')
const TEST = Symbol('test')

/** As the methods see their `this`. */
interface Context {
  [CALL]?: Call | undefined
  [TEST]?: Test | undefined
}

const contexts = new WeakMap<Suite, Context>()

/** The `this` of the tests and hooks of a suite. */
function contextOf(suite: Suite | undefined): Context {
  if (suite === undefined) return Object.create(METHODS)
  const known = contexts.get(suite)
  if (known !== undefined) return known
  const context: Context = Object.create(suite.parent === undefined ? METHODS : contextOf(suite.parent))
  contexts.set(suite, context)
  return context
}

const METHODS = {
  timeout(this: Context, ms?: number | string) {
    const attempt = this[CALL]?.attempt
    if (ms === undefined) return attempt?.timeoutMs
    attempt?.restart(millisecondsOf(ms))
    return this
  },
  retries(this: Context, count: number) {
    const attempt = this[CALL]?.attempt
    if (attempt !== undefined) attempt.retry = count
    return this
  },
  slow(this: Context) {
    return this
  },
  skip(): never {
    throw new SkippedItself()
  },
  runnable(this: Context) {
    return runnableOf(this[CALL])
  },
  get test() {
    return runnableOf((this as Context)[CALL])
  },
  get currentTest() {
    const context = this as Context
    return runnableOf(context[TEST] ?? context[CALL])
  },
}

/** A test or hook, as far as tests look at it. */
function runnableOf(from: Pick<Call, 'title' | 'suite'> | undefined): object | undefined {
  if (from === undefined) return undefined
  const { title, suite } = from
  const fullName = suite === undefined ? title : [...chainOf(suite).map((each) => each.title), title].join(' ').trim()
  return { title, fullTitle: () => fullName, parent: suite && { title: suite.title } }
}

/** Calls a body as mocha does: with a callback if it takes one. */
export function callOfMocha(call: Call): unknown {
  const { body, values, suite } = call
  const context = contextOf(suite)
  contextOf(suite && chainOf(suite)[0])[CALL] = call
  if (body.length <= values.length) return body.call(context, ...values)
  return withCallback((done) => {
    let given: unknown
    const once = (error?: unknown) =>
      done(isThenable(given) ? new Error('a test takes a callback or returns a promise, not both') : error)
    given = body.call(context, ...values, once)
    return given
  })
}

/** What a declaration gives: `it(…).timeout(300)`. */
export function declaredByMocha(test: Test): object {
  const set = (change: Test['settings']) => {
    test.settings = { ...test.settings, ...change }
    return declared
  }
  const declared = {
    timeout: (ms: number | string) => set({ timeoutMs: millisecondsOf(ms) }),
    retries: (retry: number) => set({ retry }),
    slow: () => declared,
  }
  return declared
}

/** The `this` of the callback of a suite: what it says holds for all that it declares. */
export function callSuiteOfMocha(body: Function, { current }: SuiteCollection, values: readonly unknown[]): unknown {
  const set = (change: Suite['settings']) => {
    current.settings = { ...current.settings, ...change }
    return context
  }
  const context: object = Object.create(METHODS, {
    title: { value: current.title },
    timeout: {
      value(ms?: number | string) {
        if (ms === undefined) return current.settings.timeoutMs
        return set({ timeoutMs: millisecondsOf(ms), hookTimeoutMs: millisecondsOf(ms) })
      },
    },
    retries: { value: (retry: number) => set({ retry }) },
    slow: { value: () => context },
    bail: { value: () => context },
  })
  return body.call(context, ...values)
}

export const watchOfMocha: Flavour['watch'] = {
  begins(test) {
    contextOf(chainOf(test.suite)[0])[TEST] = test
  },
}

/** Mocha takes `2s` as well, and 0 for no limit. */
function millisecondsOf(given: number | string): number {
  const [, number = '', unit = 'ms'] = /^\s*([\d.]+)\s*(ms|s|m|h)?/.exec(`${given}`) ?? []
  const ms = Number(number) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit as 's']
  return ms > 0 ? ms : Number.POSITIVE_INFINITY
}

/** Declares the root hooks that a module of `--require` exports as `mochaHooks`. */
export function declareRootHooks(exports: object): void | Promise<void> {
  const { mochaHooks, default: all } = exports as { mochaHooks?: RootHooks; default?: { mochaHooks?: RootHooks } }
  const hooks = mochaHooks ?? all?.mochaHooks
  const given = typeof hooks === 'function' ? hooks() : hooks
  return given instanceof Promise ? given.then(add) : add(given ?? {})
}

type RootHooks = object | (() => object | Promise<object>)

function add(hooks: object): void {
  const suites = currentCollection()?.suites
  if (suites === undefined) return
  for (const kind of HOOKS) {
    for (const body of [(hooks as Record<string, unknown>)[kind] ?? []].flat() as Function[]) {
      const call = { kind, body, title: kind, values: [], place: 'only', options: {}, suite: suites.root } as const
      suites.hook(kind, (attempt) => callOfMocha({ ...call, attempt }))
    }
  }
}
