/**
 * A test of node:test that runs: its context `t`, its hooks and its subtests. Follows `Test.run`
 * (lib/internal/test_runner/test.js) of Node 24.
 *
 * A subtest belongs to its test, whose hooks of suites run around it as well; it fails its test when that
 * has ended.
 */
import { hostRequire } from '../loader/internals.ts'
import { Attempt } from '../property/attempt.ts'
import { chainOf, fullTitle, isThenable, joinTitles, SkippedItself, whenDone } from '../property/suites.ts'
import { Plan } from './plan.ts'
import { type Call, concurrencyIn, partsOf, timeoutOf, withCallback } from './test-functions.ts'

/** What a file of tests shares. */
export interface TestFile {
  readonly file: string
  /** What `t.assert` has. */
  readonly assertions: object
  /** The mocks of one test. */
  mocks(): object
  /** The innermost test that runs: hooks and tests that are declared meanwhile belong to it. */
  running: NodeTestRun | undefined
}

// Those that the mock timers of a test do not replace.
const { setTimeout, clearTimeout } = hostRequire('node:timers') as typeof import('node:timers')

type TestHook = 'before' | 'beforeEach' | 'afterEach' | 'after'

export class NodeTestRun {
  readonly #call: Call
  readonly #file: TestFile
  readonly #around: NodeTestRun | undefined
  readonly #plan = new Plan()
  readonly #aborting = new AbortController()
  readonly #hooks = { beforeEach: [] as Function[], afterEach: [] as Function[], after: [] as Function[] }
  readonly #failures: { readonly error: unknown }[] = []
  /** Starts of subtests that wait for their turn. */
  readonly #waiting: (() => void)[] = []
  readonly #atOnce: number
  #running = 0
  /** Resolves when no subtest is left; undefined if none is. */
  #idle: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined
  #skipped = false
  #todo = false
  #context: object | undefined

  constructor(call: Call, file: TestFile, around?: NodeTestRun) {
    this.#call = call
    this.#file = file
    this.#around = around
    this.#atOnce = concurrencyIn(call.options).atOnce ?? 1
    if (typeof call.options.plan === 'number') this.#plan.expect(call.options.plan)
  }

  /** Runs the body. Throws or rejects as the test fails; what runs at its end waits for the hooks around it. */
  run(): unknown {
    const { body, attempt } = this.#call
    const { context } = this
    const file = this.#file
    const outer = file.running
    file.running = this
    const given = body.length === 2 ? withCallback((done) => this.#withDone(done)) : body.call(context, context)
    return whenDone(given, (value) =>
      whenDone(this.#idle?.promise, () =>
        whenDone(this.#plan.check(), () => {
          file.running = outer
          if (this.#failures.length > 0) throw this.#failures[0]!.error
          const end = () => this.#end()
          if (attempt === undefined) return whenDone(end(), () => this.#passed(value))
          attempt.ending.push(end)
          return this.#passed(value)
        }),
      ),
    )
  }

  #passed(value: unknown): unknown {
    if (this.#skipped) throw new SkippedItself()
    return value
  }

  #end(): unknown {
    return whenDone(this.#callAll(this.#hooks.after, this.context), () => this.#aborting.abort())
  }

  #withDone(done: (error?: unknown) => void): void {
    const { body } = this.#call
    if (isThenable(body.call(this.context, this.context, done)))
      throw new Error('passed a callback but also returned a Promise')
  }

  #callAll(hooks: readonly Function[], context: object): unknown {
    return hooks.reduce<unknown>((before, hook) => whenDone(before, () => callHook(hook, context)), undefined)
  }

  /** Declares a hook; `before` runs at once. */
  hook(kind: TestHook, body: Function): unknown {
    if (kind === 'before') return callHook(body, this.context)
    if (kind === 'afterEach') this.#hooks.afterEach.push(body)
    else this.#hooks[kind].push(body)
    return undefined
  }

  /** The hooks around its subtests. */
  get #beforeEach(): readonly Function[] {
    const { suite } = this.#call
    const suites = suite === undefined ? [] : chainOf(suite)
    const ofSuites = () =>
      suites.flatMap(({ hooks }) =>
        hooks.beforeEach.map(
          ({ action }) =>
            () =>
              action(),
        ),
      )
    const outer = this.#around === undefined ? ofSuites() : this.#around.#beforeEach
    return [...outer, ...this.#hooks.beforeEach]
  }

  get #afterEach(): readonly Function[] {
    const { suite } = this.#call
    const suites = suite === undefined ? [] : chainOf(suite).toReversed()
    const ofSuites = () =>
      suites.flatMap(({ hooks }) =>
        hooks.afterEach.map(
          ({ action }) =>
            () =>
              action(),
        ),
      )
    const outer = this.#around === undefined ? ofSuites() : this.#around.#afterEach
    return [...this.#hooks.afterEach, ...outer]
  }

  /** Starts a subtest, or lets it wait for its turn; it never rejects. */
  subtest(...args: unknown[]): Promise<void> {
    this.#plan.count()
    const { title, options, body } = partsOf(args, 'test')
    if (body === undefined || options.skip || options.todo) return Promise.resolve()
    const timeoutMs = timeoutOf(options.timeout) ?? this.#call.attempt?.timeoutMs
    const attempt = this.#call.attempt && new Attempt({ timeoutMs })
    const run = new NodeTestRun({ ...this.#call, title, body, options, attempt }, this.#file, this)
    this.#idle ??= Promise.withResolvers<void>()
    return new Promise((resolve) => {
      const start = () => {
        this.#running++
        void this.#runSubtest(run, attempt).then(() => {
          this.#running--
          resolve()
          this.#waiting.shift()?.()
          if (this.#running > 0) return
          this.#idle?.resolve()
          this.#idle = undefined
        })
      }
      if (this.#running < this.#atOnce) start()
      else this.#waiting.push(start)
    })
  }

  async #runSubtest(run: NodeTestRun, attempt: Attempt | undefined): Promise<void> {
    const { context } = run
    try {
      try {
        for (const hook of this.#beforeEach) await callHook(hook, context)
        attempt?.start()
        await run.run()
        attempt?.check()
      } finally {
        this.#file.running = this
        for (const hook of this.#afterEach) await callHook(hook, context)
        for (const end of attempt?.ending ?? []) await end()
      }
    } catch (error) {
      if (!run.#todo && !(error instanceof SkippedItself)) this.#failures.push({ error })
    }
  }

  get #fullName(): string {
    const { title, suite } = this.#call
    if (this.#around !== undefined) return joinTitles([this.#around.#fullName, title])
    return suite === undefined ? title : fullTitle(suite, title)
  }

  /** `t` */
  get context(): object {
    return (this.#context ??= this.#newContext())
  }

  #newContext(): object {
    const file = this.#file
    const subtest = (...args: unknown[]) => this.subtest(...args)
    const counted = async () => this.#plan.count()
    let mock: object | undefined
    const context: object = {
      name: this.#call.title,
      fullName: this.#fullName,
      filePath: file.file,
      attempt: 0,
      passed: false,
      error: null,
      tags: [],
      get mock() {
        return (mock ??= file.mocks())
      },
      assert: this.#plan.counting(file.assertions, () => context),
      signal: this.#aborting.signal,
      diagnostic: () => {},
      log: () => {},
      plan: (count: number, options?: { wait?: boolean | number }) => this.#plan.expect(count, options),
      runOnly: () => {},
      todo: () => {
        this.#todo = true
      },
      skip: () => {
        this.#skipped = true
      },
      waitFor,
      test: Object.assign(subtest, { skip: counted, todo: counted, only: subtest }),
      before: (hook: Function) => this.hook('before', hook),
      after: (hook: Function) => this.hook('after', hook),
      beforeEach: (hook: Function) => this.hook('beforeEach', hook),
      afterEach: (hook: Function) => this.hook('afterEach', hook),
    }
    return context
  }
}

/** Calls a hook: with a callback if it takes one. */
function callHook(hook: Function, context: object): unknown {
  return hook.length === 2 ? withCallback((done) => hook.call(context, context, done)) : hook.call(context, context)
}

/** `t.waitFor`: calls a condition until it does not throw. */
function waitFor(condition: () => unknown, { interval = 50, timeout = 1000 } = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let cause: unknown
    let next: NodeJS.Timeout | undefined
    const late = setTimeout(() => {
      clearTimeout(next)
      reject(new Error('waitFor() timed out', { cause }))
    }, timeout)
    const poll = async () => {
      try {
        const result = await condition()
        clearTimeout(late)
        resolve(result)
      } catch (error) {
        cause = error
        next = setTimeout(poll, interval)
      }
    }
    void poll()
  })
}
