/**
 * `test`, `describe` and the hooks of test frameworks: declaring a test collects it, and norn runs
 * its body later.
 *
 * One implementation serves vitest, jest, mocha and node:test, which differ in how they call a body
 * (`Flavour`). Chains such as `test.concurrent.skip.each` may have any length. Timeouts, retries and
 * concurrency hold where tests run as their runner runs them; else norn bounds and orders executions.
 */

import type { Attempt } from '../property/attempt.ts'
import { currentCollection } from '../property/property.ts'
import {
  type Action,
  type Hook,
  isThenable,
  type Settings,
  type Suite,
  type SuiteCollection,
  type Test,
  type TestMode,
  type TestWatch,
  whenDone,
} from '../property/suites.ts'
import { type FieldStyle, rowsOf, rowTitle, shownRows } from './titles.ts'

/** A body that is to be called, and how it was declared. */
export interface Call {
  readonly kind: 'test' | Hook
  readonly body: Function
  readonly title: string
  /** The row of the table, for `each` and `for`. */
  readonly values: readonly unknown[]
  /** Of the context: the only argument, behind the row, or nowhere. */
  readonly place: 'only' | 'behind' | 'nowhere'
  readonly options: Options
  /** The suite that the test or hook is of; undefined for a test that another one declares. */
  readonly suite: Suite | undefined
  /** Where tests run as their runner runs them. */
  readonly attempt: Attempt | undefined
  /** What a hook around tests has to call. */
  readonly inside?: (() => Promise<void>) | undefined
}

/** How a framework calls a body. */
export interface Flavour {
  /** For messages: `vitest`, `node:test`, ... */
  readonly name: string
  /** What tests and hooks have unless something else is said. */
  readonly defaults: Settings
  readonly watch?: TestWatch
  /** What the declaration of a test returns. */
  declared?(test: Test): unknown
  /** How titles show the fields of rows. */
  readonly fields?: FieldStyle
  /** Whether a function that a hook returns is called behind what the hook prepares. */
  readonly hooksUndo?: true
  /** Whether hooks may be declared inside a test, without effect. */
  readonly ignoresLateHooks?: true
  /** Whether the callback of a suite runs when all around it is declared. */
  readonly defersSuites?: true
  /** Calls the callback of a suite that differs from a plain function. */
  callSuite?(body: Function, suites: SuiteCollection, values: readonly unknown[]): unknown
  /** Calls the body of a test or hook as the framework would. */
  call(call: Call): unknown
}

interface Flags {
  readonly mode: TestMode
  readonly settings: Settings
}

type Options = Readonly<Record<string, unknown>>

/** The effect of a link of a chain. */
const LINKS: Readonly<Record<string, Partial<Flags>>> = {
  only: { mode: 'only' },
  skip: { mode: 'skip' },
  todo: { mode: 'todo' },
  fails: { settings: { fails: true } },
  failing: { settings: { fails: true } },
  expectFailure: { settings: { fails: true } },
  concurrent: { settings: { isConcurrent: true } },
  sequential: { settings: { isConcurrent: false } },
  shuffle: {},
}

// biome-ignore lint/suspicious/noExplicitAny: frameworks' own declarations type what users write
export type Declaring = ((...args: any[]) => unknown) & Record<string, any>

/** `test` or `describe` of a framework. */
export function declaring(kind: 'test' | 'describe', flavour: Flavour): Declaring {
  return chained(kind, flavour, { mode: 'run', settings: {} })
}

function chained(kind: 'test' | 'describe', flavour: Flavour, flags: Flags): Declaring {
  const declare = kind === 'test' ? declareTest : declareSuite
  const callable: Declaring = Object.assign(
    (...args: unknown[]) => declare(flavour, flags, partsOf(args, kind), [], 'only'),
    {
      each:
        (table: unknown, ...values: unknown[]) =>
        (...args: unknown[]) => {
          const rows = rowsOf(table, values)
          const shown = flavour.fields === undefined ? rows : shownRows(table, rows)
          for (const [index, row] of rows.entries()) {
            const parts = partsOf(args, kind)
            const title = rowTitle(parts.title, shown[index]!, index, flavour.fields)
            declare(flavour, flags, { ...parts, title }, row, 'nowhere')
          }
        },
      for:
        (table: readonly unknown[]) =>
        (...args: unknown[]) => {
          for (const [index, row] of table.entries()) {
            const parts = partsOf(args, kind)
            const title = rowTitle(parts.title, Array.isArray(row) ? row : [row], index, flavour.fields)
            declare(flavour, flags, { ...parts, title }, [row], 'behind')
          }
        },
      skipIf: (condition: unknown) => chained(kind, flavour, condition ? { ...flags, mode: 'skip' } : flags),
      runIf: (condition: unknown) => chained(kind, flavour, condition ? flags : { ...flags, mode: 'skip' }),
    },
  )
  for (const [link, change] of Object.entries(LINKS)) {
    const settings = { ...flags.settings, ...change.settings }
    const get = () => chained(kind, flavour, { ...flags, ...change, settings })
    // Not enumerable, because links nest without end.
    Object.defineProperty(callable, link, { get, configurable: true })
  }
  return callable
}

interface Parts {
  readonly title: string
  readonly options: Options
  readonly body: Function | undefined
}

/** Accepts `(title, body, timeout)`, `(title, options, body)`, `(body)` and `(options, body)`. */
export function partsOf(args: readonly unknown[], kind: string): Parts {
  const [first, ...rest] = args
  const titled = typeof first === 'string' || (typeof first === 'function' && rest.length > 0)
  const others = titled ? rest : args
  const body = others.find((each) => typeof each === 'function') as Function | undefined
  const options = others.find((each) => typeof each === 'object' && each !== null) as Options | undefined
  const timeout = others.find((each) => typeof each === 'number')
  const named = typeof first === 'function' ? first.name : first
  const title = titled ? `${named}` : (body?.name ?? '')
  return {
    title: title === '' ? `(${kind} without a title)` : title,
    options: { ...(timeout === undefined ? {} : { timeout }), ...options },
    body,
  }
}

function flagsWith({ mode, settings }: Flags, options: Options): Flags {
  const { skip, only, todo } = options
  const asked = skip ? 'skip' : todo ? 'todo' : only ? 'only' : mode
  return { mode: mode === 'run' ? asked : mode, settings: { ...settings, ...settingsIn(options) } }
}

/** What the options of a declaration say of how tests run. */
function settingsIn({ fails, expectFailure, concurrent, sequential, timeout, retry, repeats }: Options): Settings {
  const isConcurrent = sequential ? false : typeof concurrent === 'boolean' ? concurrent : undefined
  return Object.fromEntries(
    Object.entries({
      fails: fails || expectFailure ? true : undefined,
      isConcurrent,
      timeoutMs: timeoutOf(timeout),
      ...retriesIn(retry),
      repeats: typeof repeats === 'number' ? repeats : undefined,
    }).filter(([, value]) => value !== undefined),
  )
}

/** A number of attempts, or `{ count, condition }` of vitest. */
function retriesIn(given: unknown): Settings {
  if (typeof given === 'number') return { retry: given }
  if (typeof given !== 'object' || given === null) return {}
  const { count = 0, condition } = given as { count?: number; condition?: RegExp | ((error: unknown) => boolean) }
  const isMeant = (error: unknown) =>
    condition instanceof RegExp ? condition.test((error as Error).message) : (condition?.(error) ?? true)
  return { retry: count, retryAfter: isMeant }
}

/** How many tests of a suite of node:test run at the same time; of a test it says how many of its subtests. */
export function concurrencyIn({ concurrency }: Options): Settings {
  if (concurrency === true) return { isConcurrent: true, atOnce: Number.POSITIVE_INFINITY }
  if (typeof concurrency === 'number') return { isConcurrent: concurrency > 1, atOnce: concurrency }
  return concurrency === false ? { isConcurrent: false } : {}
}

/** In milliseconds; runners take 0 for no limit. */
export function timeoutOf(given: unknown): number | undefined {
  return typeof given !== 'number' ? undefined : given > 0 ? given : Number.POSITIVE_INFINITY
}

function declareTest(
  flavour: Flavour,
  flags: Flags,
  { title, options, body }: Parts,
  values: readonly unknown[],
  place: Call['place'],
): unknown {
  const { mode, settings } = flagsWith(flags, options)
  const collection = currentCollection()
  const suite = collection?.suites.current
  const run: Action = (attempt) =>
    flavour.call({ kind: 'test', body: body!, title, values, place, options, suite, attempt })
  // A subtest of node:test belongs to the test around it.
  if (collection === undefined) {
    return body === undefined || mode === 'skip' || mode === 'todo' ? undefined : run()
  }
  const { watch, defaults } = flavour
  if (body === undefined) collection.suites.test(title, { mode: 'todo', settings, body: () => {}, text: '' }, defaults)
  else {
    const text = Function.prototype.toString.call(body)
    const test = collection.suites.test(title, { mode, settings, body: run, watch, text }, defaults)
    return flavour.declared?.(test)
  }
  return undefined
}

function declareSuite(
  flavour: Flavour,
  flags: Flags,
  { title, options, body }: Parts,
  values: readonly unknown[],
  place: Call['place'],
): void {
  const { mode, settings } = flagsWith(flags, options)
  const collection = currentCollection()
  if (collection === undefined) throw new Error(`${flavour.name}: a suite ('${title}') was declared inside a test`)
  const { suites } = collection
  const suiteSettings = { ...settings, ...concurrencyIn(options) }
  const given = [...values, ...(place === 'behind' ? [{}] : [])]
  const declare = body && (() => (flavour.callSuite ?? plainly)(body, suites, given))
  suites.suite(title, mode, suiteSettings, declare, flavour.defersSuites)
}

const plainly = (body: Function, _: SuiteCollection, values: readonly unknown[]) => body(...values)

/** A function that declares hooks of one kind. */
export function hooking(kind: Hook, flavour: Flavour): (...args: unknown[]) => void {
  return (...args) => {
    // In mocha a hook may have a title.
    const body = args.find((each) => typeof each === 'function') as Function | undefined
    if (body === undefined) throw new TypeError(`${flavour.name}: ${kind}() takes a function`)
    const collection: { suites: SuiteCollection } | undefined = currentCollection()
    if (collection === undefined) {
      if (flavour.ignoresLateHooks) return
      throw new Error(`${flavour.name}: ${kind}() was called inside a test`)
    }
    const suite = collection.suites.current
    const { options } = partsOf(args, kind)
    const action: Action = (attempt, inside) => {
      const given = flavour.call({
        kind,
        body,
        title: kind,
        values: [],
        place: 'only',
        options,
        suite,
        attempt,
        inside,
      })
      return flavour.hooksUndo ? given : whenDone(given, () => undefined)
    }
    collection.suites.hook(kind, action, timeoutOf(options.timeout), flavour.defaults)
  }
}

/** Calls a body that ends by a callback: `done(error)`. What it throws counts more than its callback. */
export function withCallback(call: (done: (error?: unknown) => void) => unknown): unknown {
  return new Promise<void>((resolve, reject) => {
    let ended: (() => void) | undefined
    let hasReturned = false
    const end = (action: () => void) => {
      if (ended !== undefined) throw new Error('done() called multiple times')
      ended = action
      if (hasReturned) action()
    }
    const done = Object.assign(
      (error?: unknown) => end(() => (error === undefined || error === null ? resolve() : reject(error))),
      { fail: (error?: unknown) => end(() => reject(error ?? new Error('done.fail() was called'))) },
    )
    const given = call(done)
    if (isThenable(given)) given.then(undefined, reject)
    hasReturned = true
    ended?.()
  })
}
