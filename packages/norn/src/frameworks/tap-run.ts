/**
 * A test of tap that runs: its context `t` and its subtests. Follows `lib/test.js` of libtap 1.
 *
 * Invariants: an assertion that fails does not end the test; the first one is what the test fails with. A
 * test ends when its plan is met, when it calls `end`, or when its promise settles, and then only behind its
 * subtests, one after the other. An assertion behind the end is an error that nobody can catch.
 */
import { isThenable } from '../property/suites.ts'
import type { Assertion } from './tap-assertions.ts'
import { partsOf } from './test-functions.ts'

export interface TapFile {
  /** `t.context` of the file in this execution, which those of its tests inherit. */
  readonly context: () => object
  readonly assertions: Readonly<Record<string, Assertion>>
  readonly match: (found: unknown, wanted: unknown) => string | undefined
  readonly refuse: (what: string) => never
}

/** What `t` has that compares or awaits. */
export function assertionsOf({ assertions }: TapFile): readonly string[] {
  return [...Object.keys(assertions), ...ACTIONS]
}

/** Assertions about what is called or awaited. */
const ACTIONS = ['throws', 'throw', 'doesNotThrow', 'notThrow', 'rejects', 'resolves', 'resolveMatch'] as const

type TapHook = (this: unknown, t: object) => unknown

export class TapRun {
  readonly #title: string
  readonly #body: Function
  readonly #file: TapFile
  readonly #around: TapRun | undefined
  readonly #over = Promise.withResolvers<void>()
  readonly #teardowns: Function[] = []
  readonly #hooks = { beforeEach: [] as TapHook[], afterEach: [] as TapHook[] }
  #failure: { readonly error: unknown } | undefined
  #planned: number | undefined
  #counted = 0
  #hasEnded = false
  #hasCalledEnd = false
  #isOver = false
  /** Subtests and promises that the end waits for. */
  #queue: Promise<void> | undefined
  #context: (Record<string, unknown> & { readonly context: object }) | undefined

  constructor(title: string, body: Function, file: TapFile, around?: TapRun) {
    this.#title = title
    this.#body = body
    this.#file = file
    this.#around = around
  }

  /** Rejects as the test fails. What it tears down runs at its end, or where `ending` is run. */
  async run(ending?: (() => unknown)[]): Promise<void> {
    const tearDown = () => this.#tearDown()
    ending?.push(tearDown)
    try {
      const given: unknown = this.#body.call(this.context, this.context)
      if (isThenable(given))
        given.then(
          () => this.#end(),
          (error) => this.#threw(error),
        )
    } catch (error) {
      this.#threw(error)
    }
    await this.#over.promise
    await this.#runHooks('afterEach')
    if (ending === undefined) await tearDown()
    this.check()
  }

  async #tearDown(): Promise<void> {
    for (const each of this.#teardowns.splice(0)) await each.call(this.context)
  }

  async #runHooks(kind: 'beforeEach' | 'afterEach'): Promise<void> {
    const chain: TapRun[] = []
    for (let each = this.#around; each !== undefined; each = each.#around) chain.push(each)
    for (const run of kind === 'beforeEach' ? chain.toReversed() : chain)
      for (const hook of run.#hooks[kind]) await hook.call(this.context, this.context)
  }

  /** @throws what the test has failed with so far */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }

  #failed(error: unknown): void {
    this.#failure ??= { error }
  }

  #threw(error: unknown): void {
    this.#failed(error)
    this.#end()
  }

  /** `t.end()`, which may follow a plan that is met, and nothing else. */
  #endByCall(): void {
    if (this.#hasCalledEnd) {
      const error = new Error('test end() method called more than once')
      if (this.#isOver) throw error
      this.#failed(error)
    }
    this.#hasCalledEnd = true
    this.#end()
  }

  /** Ends the test behind what it still waits for. */
  #end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const over = () => {
      if (this.#planned !== undefined && this.#counted !== this.#planned)
        this.#failed(new Error(`test count(${this.#counted}) != plan(${this.#planned})`))
      this.#isOver = true
      this.#over.resolve()
    }
    if (this.#queue === undefined) over()
    else void this.#queue.then(over)
  }

  /** Counts an assertion or a subtest; the plan ends the test when it is met. */
  #counts(outcome: string | undefined, message: unknown, at: Function): boolean {
    const beyond = this.#planned !== undefined && this.#counted >= this.#planned
    const said = this.#isOver ? 'test after end() was called' : beyond ? 'test count exceeds plan' : outcome
    if (!beyond) this.#counted++
    if (said !== undefined) {
      const error = Object.assign(new Error(typeof message === 'string' ? `${message}: ${said}` : said), {
        test: this.#title,
      })
      Error.captureStackTrace(error, at)
      if (this.#isOver) throw error
      this.#failed(error)
    }
    if (this.#counted === this.#planned) this.#end()
    return said === undefined
  }

  #after(action: () => Promise<void>): Promise<void> {
    const next = this.#queue === undefined ? action() : this.#queue.then(action)
    this.#queue = next
    return next
  }

  /** Runs a subtest behind those before it; the promise never rejects. */
  #subtest(args: readonly unknown[]): Promise<void> {
    const { title, options, body } = partsOf(args, 'test')
    if (body === undefined || options.skip || options.todo) {
      this.#counts(undefined, undefined, this.#subtest)
      return Promise.resolve()
    }
    return this.#after(async () => {
      const run = new TapRun(title, body, this.#file, this)
      let failed: unknown
      try {
        await run.#runHooks('beforeEach')
        await run.run()
      } catch (error) {
        failed = { error }
        this.#failed(error)
      }
      this.#counts(undefined, undefined, this.#subtest)
      if (failed !== undefined) this.#failed(failed)
    })
  }

  /** `t` */
  get context(): Record<string, unknown> & { readonly context: object } {
    return (this.#context ??= this.#newContext())
  }

  #newContext(): Record<string, unknown> & { readonly context: object } {
    const { refuse, assertions, match } = this.#file
    const subtest = (...args: unknown[]) => this.#subtest(args)
    const skipped = async () => void this.#counts(undefined, undefined, skipped)
    const asserting = Object.entries(assertions).map(([name, { operands, check }]) => {
      const assertion = (...args: unknown[]) => {
        const [found, wanted] = args
        return this.#counts(check(found, wanted), args[operands], assertion)
      }
      return [name, assertion] as const
    })
    const throws = (...args: unknown[]) => {
      const { action, wanted, message } = throwsArguments(args)
      try {
        ;(action as Function)()
      } catch (error) {
        return this.#counts(match(...asMatched(error, wanted)), message, throws) && error
      }
      return this.#counts('expected to throw', message, throws)
    }
    const doesNotThrow = (action: Function, message?: unknown) => {
      try {
        action()
      } catch (error) {
        return this.#counts(`should not throw: ${(error as Error)?.message}`, message, doesNotThrow)
      }
      return this.#counts(undefined, message, doesNotThrow)
    }
    const awaited = (promise: unknown, then: (outcome: { value?: unknown; error?: unknown }) => void) =>
      this.#after(async () => {
        const given = typeof promise === 'function' ? promise() : promise
        const settled = Promise.resolve(given).then(
          (value) => ({ value }),
          (error) => ({ error }),
        )
        then(await settled)
      })
    const rejects = (...args: unknown[]) => {
      const { action, wanted, message } = throwsArguments(args)
      return awaited(action, (outcome) => {
        const said = 'error' in outcome ? match(...asMatched(outcome.error, wanted)) : 'expected a rejected promise'
        this.#counts(said, message, rejects)
      })
    }
    const resolves = (promise: unknown, message?: unknown) =>
      awaited(promise, (outcome) => {
        const said = 'error' in outcome ? `expected a resolved promise: ${outcome.error}` : undefined
        this.#counts(said, message, resolves)
      })
    const resolveMatch = (promise: unknown, wanted: unknown, message?: unknown) =>
      awaited(promise, ({ value, error }) => {
        this.#counts(
          error === undefined ? match(value, wanted) : `expected a resolved promise: ${error}`,
          message,
          resolveMatch,
        )
      })
    const teardown = (action: Function) => void this.#teardowns.push(action)
    const refused = ['testdir', 'fixture', 'mock', 'mockRequire', 'mockImport', 'matchSnapshot', 'spawn', 'emits']
    return {
      ...Object.fromEntries(refused.map((name) => [name, () => refuse(`t.${name} of tap`)])),
      ...Object.fromEntries(asserting),
      name: this.#title,
      context: Object.create(this.#around?.context.context ?? this.#file.context()),
      throws,
      throw: throws,
      doesNotThrow,
      notThrow: doesNotThrow,
      rejects,
      resolves,
      resolveMatch,
      teardown,
      tearDown: teardown,
      plan: (count: number) => this.#plan(count),
      end: () => this.#endByCall(),
      bailout: (reason: unknown) => this.#threw(new Error(`bail out: ${reason}`)),
      comment() {},
      setTimeout() {},
      test: subtest,
      only: subtest,
      skip: skipped,
      todo: skipped,
      before: (action: () => unknown) => this.#after(async () => void (await action())),
      beforeEach: (hook: TapHook) => void this.#hooks.beforeEach.push(hook),
      afterEach: (hook: TapHook) => void this.#hooks.afterEach.push(hook),
    }
  }

  #plan(count: number): void {
    if (this.#planned !== undefined) throw new Error('Cannot set plan more than once')
    this.#planned = count
    if (count === 0 || this.#counted >= count) this.#end()
  }
}

interface ThrowsArguments {
  readonly action: unknown
  readonly wanted: unknown
  readonly message: unknown
}

/** `(action, wanted, message)`, in which the last two may be missing. */
function throwsArguments(args: readonly unknown[]): ThrowsArguments {
  const [action, ...rest] = args
  const wanted = rest.find((each) => typeof each !== 'string')
  return { action, wanted, message: rest.find((each) => typeof each === 'string') }
}

/** What of an error is compared with what. */
function asMatched(error: unknown, wanted: unknown): [unknown, unknown] {
  if (wanted === undefined) return [undefined, undefined]
  if (wanted instanceof RegExp) return [(error as Error).message, wanted]
  if (!(wanted instanceof Error)) return [error, wanted]
  return [error, { ...wanted, name: wanted.name, message: wanted.message }]
}
