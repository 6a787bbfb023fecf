/**
 * `test`, `describe` and the hooks of test frameworks: declaring a test collects it, and norn runs
 * its body later.
 *
 * One implementation serves vitest, jest, mocha and node:test, which differ in how they call a body
 * (`Flavour`). Chains such as `test.concurrent.skip.each` may have any length. Options of the
 * runner (timeouts, retries, concurrency) are ignored: norn bounds and orders executions.
 */
import { currentCollection } from '../property/property.ts'
import {
  type Action,
  fullTitle,
  type Hook,
  isThenable,
  type Settings,
  type SuiteCollection,
  type TestMode,
  whenDone,
} from '../property/suites.ts'
import { rowsOf, rowTitle } from './titles.ts'

/** How a framework calls a body. */
export interface Flavour {
  /** For messages: `vitest`, `node:test`, ... */
  readonly name: string
  /**
   * Calls the body of a test or hook as the framework would.
   *
   * @param values the row of the table, for `each` and `for`
   * @param place of the context: the only argument, behind the row, or nowhere
   * @param options of the declaration
   */
  call(
    body: Function,
    title: string,
    values: readonly unknown[],
    place: 'only' | 'behind' | 'nowhere',
    options?: Options,
  ): unknown
  /** A test begins, or its body has ended. @param title with those of its suites */
  begins?(title: string): void
  ends?(): void
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
          for (const [index, row] of rowsOf(table, values).entries()) {
            const parts = partsOf(args, kind)
            declare(flavour, flags, { ...parts, title: rowTitle(parts.title, row, index) }, row, 'nowhere')
          }
        },
      for:
        (table: readonly unknown[]) =>
        (...args: unknown[]) => {
          for (const [index, row] of table.entries()) {
            const parts = partsOf(args, kind)
            const title = rowTitle(parts.title, Array.isArray(row) ? row : [row], index)
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
function partsOf(args: readonly unknown[], kind: string): Parts {
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
function settingsIn({ fails, expectFailure, concurrent, sequential, timeout, retry }: Options): Settings {
  const isConcurrent = sequential ? false : typeof concurrent === 'boolean' ? concurrent : undefined
  return Object.fromEntries(
    Object.entries({
      fails: fails || expectFailure ? true : undefined,
      isConcurrent,
      timeoutMs: timeoutOf(timeout),
      retry: typeof retry === 'number' ? retry : undefined,
    }).filter(([, value]) => value !== undefined),
  )
}

/** In milliseconds; runners take 0 for no limit. */
function timeoutOf(given: unknown): number | undefined {
  return typeof given !== 'number' ? undefined : given > 0 ? given : Number.POSITIVE_INFINITY
}

function declareTest(
  flavour: Flavour,
  flags: Flags,
  { title, options, body }: Parts,
  values: readonly unknown[],
  place: 'only' | 'behind' | 'nowhere',
): unknown {
  const { mode, settings } = flagsWith(flags, options)
  const collection = currentCollection()
  const full = collection === undefined ? title : fullTitle(collection.suites.current, title)
  const run: Action = () => {
    flavour.begins?.(full)
    return whenDone(flavour.call(body!, title, values, place, options), (given) => {
      flavour.ends?.()
      return given
    })
  }
  // A subtest of node:test belongs to the test around it.
  if (collection === undefined) {
    return body === undefined || mode === 'skip' || mode === 'todo' ? undefined : run()
  }
  if (body === undefined) collection.suites.test(title, { mode: 'todo', settings, body: () => {}, text: '' })
  else collection.suites.test(title, { mode, settings, body: run, text: Function.prototype.toString.call(body) })
  return undefined
}

function declareSuite(
  flavour: Flavour,
  flags: Flags,
  { title, options, body }: Parts,
  values: readonly unknown[],
  place: 'only' | 'behind' | 'nowhere',
): void {
  const { mode, settings } = flagsWith(flags, options)
  const declare = body && (() => body.call(SUITE, ...values, ...(place === 'behind' ? [{}] : [])))
  const collection = currentCollection()
  if (collection === undefined) throw new Error(`${flavour.name}: a suite ('${title}') was declared inside a test`)
  collection.suites.suite(title, mode, settings, declare)
}

/** The `this` of mocha's suites. Bounds of mocha's runner have no effect. */
const SUITE: object = Object.fromEntries(['timeout', 'slow', 'retries', 'bail'].map((name) => [name, () => SUITE]))

/** A function that declares hooks of one kind. */
export function hooking(kind: Hook, flavour: Flavour): (...args: unknown[]) => void {
  return (...args) => {
    // In mocha a hook may have a title.
    const body = args.find((each) => typeof each === 'function') as Function | undefined
    if (body === undefined) throw new TypeError(`${flavour.name}: ${kind}() takes a function`)
    const collection: { suites: SuiteCollection } | undefined = currentCollection()
    if (collection === undefined) throw new Error(`${flavour.name}: ${kind}() was called inside a test`)
    collection.suites.hook(kind, () => flavour.call(body, kind, [], 'only'))
  }
}

/** Calls a body that may end by a callback: `done(error)`. */
export function withCallback(call: (done: (error?: unknown) => void) => unknown): unknown {
  return new Promise<void>((resolve, reject) => {
    const done = Object.assign(
      (error?: unknown) => {
        if (error === undefined || error === null) resolve()
        else reject(error)
      },
      { fail: (error?: unknown) => reject(error ?? new Error('done.fail() was called')) },
    )
    const given = call(done)
    if (isThenable(given)) given.then(undefined, reject)
  })
}
