/**
 * The `t` of tape (5.x) and tap (16-21): assertions counted against a plan, subtests, and an end
 * that is called, planned, or that of the body's promise. Departs: the first failed assertion is
 * the outcome, and later ones are ignored.
 */
import assert from 'node:assert'
import { EventEmitter } from 'node:events'
import { matches, sameError } from './match.ts'

export type Body = (t: AssertionTest) => unknown

interface Subtest {
  readonly title: string
  readonly body: Body
  readonly ended: PromiseWithResolvers<void>
}

/** How the two frameworks differ. */
export interface Dialect {
  readonly create: (title: string, parent: AssertionTest) => AssertionTest
  /** Whether a subtest begins when it is declared (tap), or when the body has returned (tape). */
  readonly subtestsAtOnce: boolean
}

/** The names of the methods that a subclass and this one have. */
function methodsOf(test: object): Set<string> {
  const names = new Set<string>()
  for (let each = Object.getPrototypeOf(test); each !== EventEmitter.prototype; each = Object.getPrototypeOf(each)) {
    for (const name of Object.getOwnPropertyNames(each)) {
      if (name !== 'constructor' && typeof Reflect.get(test, name) === 'function') names.add(name)
    }
  }
  return names
}

const inherited = Symbol('norn.inherited')

export class AssertionTest extends EventEmitter {
  readonly name: string
  readonly parent: AssertionTest | undefined
  readonly #dialect: Dialect
  readonly #settled = Promise.withResolvers<void>()
  readonly #teardowns: (() => unknown)[] = []
  readonly #each: { readonly before: Body[]; readonly after: Body[] } = { before: [], after: [] }
  readonly #subtests: Subtest[] = []
  #running = false
  #bodyReturned = false
  /** Whether the end was called, or the body's promise has come true. */
  #ended = false
  /** Whether the outcome is known. */
  #over = false
  #failed = false
  #planned: number | undefined
  #made = 0
  /** Assertions that wait for a promise. */
  #open = 0

  constructor(title: string, dialect: Dialect, parent?: AssertionTest) {
    super()
    this.name = title
    this.parent = parent
    this.#dialect = dialect
    // Assertions are handed around as callbacks: `stream.on('error', t.error)`.
    for (const name of methodsOf(this)) Reflect.set(this, name, (Reflect.get(this, name) as Function).bind(this))
  }

  /** Calls the body; settles when the test has ended and what was to be torn down is. */
  async run(body: Body): Promise<void> {
    this.#begin(body)
    try {
      await this.#settled.promise
    } finally {
      for (const teardown of this.#teardowns.reverse()) await teardown()
    }
  }

  #begin(body: Body): void {
    try {
      const returned = body(this)
      if (typeof (returned as Promise<unknown>)?.then === 'function') {
        Promise.resolve(returned).then(
          () => {
            this.#bodyReturned = true
            if (this.#planned === undefined) this.#ended = true
            this.#proceed()
          },
          (error) => this.#fail(error),
        )
        return
      }
      this.#bodyReturned = true
      this.#proceed()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Starts the next subtest, or settles when there is nothing to wait for. */
  #proceed(): void {
    const next = this.#subtests[0]
    if (next !== undefined) {
      if (!this.#running && (this.#bodyReturned || this.#dialect.subtestsAtOnce)) this.#runSubtest(next)
      return
    }
    if (!this.#bodyReturned || this.#open > 0) return
    const planMet = this.#planned !== undefined && this.#made >= this.#planned
    if (!this.#ended && !planMet) return
    this.#ended = true
    if (this.#planned === undefined || this.#made === this.#planned) {
      this.#over = true
      this.#settled.resolve()
    } else this.#fail(new Error(`plan != count: planned ${this.#planned} assertions, made ${this.#made}`))
  }

  #runSubtest({ title, body, ended }: Subtest): void {
    this.#running = true
    const run = async () => {
      for (const each of this.#allEach('before')) await each(this)
      await this.#dialect.create(title, this).run(body)
      for (const each of this.#allEach('after')) await each(this)
    }
    // A step of its own, so that a subtest never begins inside the call that declares it.
    Promise.resolve()
      .then(run)
      .then(
        () => {
          this.#subtests.shift()
          this.#running = false
          ended.resolve()
          this.#proceed()
        },
        (error) => {
          ended.reject(error)
          this.#fail(error)
        },
      )
  }

  #allEach(moment: 'before' | 'after'): Body[] {
    return [...(this.parent?.[inherited](moment) ?? []), ...this.#each[moment]]
  }

  [inherited](moment: 'before' | 'after'): Body[] {
    return this.#allEach(moment)
  }

  #fail(error: unknown): void {
    this.#over = true
    this.#failed = true
    this.#settled.reject(error)
  }

  /**
   * Makes an assertion. One that does not hold fails the test and lets the program go on, as under
   * its own framework; one that is made after the end throws, since nobody would see it otherwise.
   */
  hold(hold: () => void): boolean {
    this.#made++
    if (this.#over && !this.#failed) throw new Error(`an assertion was made after the end of the test '${this.name}'`)
    try {
      if (this.#planned !== undefined && this.#made > this.#planned) {
        throw new Error(`more assertions than planned (${this.#planned})`)
      }
      hold()
    } catch (error) {
      this.#fail(error)
      return false
    }
    this.#proceed()
    return true
  }

  plan(count: number): void {
    this.#planned = count
    this.#proceed()
  }

  end(error?: unknown): void {
    if (error) this.#fail(error)
    if (this.#ended && this.#planned === undefined && !this.#failed) {
      throw new Error(`.end() was called twice in the test '${this.name}'`)
    }
    this.#ended = true
    this.#proceed()
  }

  test(...given: unknown[]): Promise<void> {
    const { title, options, body } = readTest(given)
    if (body === undefined || options.skip || options.todo) {
      this.#made++
      return Promise.resolve()
    }
    this.#made++
    const ended = Promise.withResolvers<void>()
    ended.promise.catch(() => {})
    this.#subtests.push({ title, body, ended })
    this.#proceed()
    return ended.promise
  }

  teardown(step: () => unknown): void {
    this.#teardowns.push(step)
  }

  beforeEach(step: Body): void {
    this.#each.before.push(step)
  }

  afterEach(step: Body): void {
    this.#each.after.push(step)
  }

  comment(): void {}
  timeoutAfter(): void {}
  setTimeout(): void {}

  skip(): void {
    this.#made++
  }

  pass(): boolean {
    return this.hold(() => {})
  }

  fail(message?: unknown): boolean {
    return this.hold(() => assert.fail(typeof message === 'string' ? message : 'failed by .fail()'))
  }

  ok(value: unknown, message?: string): boolean {
    return this.hold(() => assert.ok(value, message))
  }

  notOk(value: unknown, message?: string): boolean {
    return this.hold(() => assert.ok(!value, message ?? `expected ${String(value)} to be falsy`))
  }

  error(error: unknown): boolean {
    return this.hold(() => {
      if (error) throw error
    })
  }

  equal(value: unknown, expected: unknown, message?: string): boolean {
    return this.hold(() => assert.strictEqual(value, expected, message))
  }

  not(value: unknown, unexpected: unknown, message?: string): boolean {
    return this.hold(() => assert.notStrictEqual(value, unexpected, message))
  }

  looseEqual(value: unknown, expected: unknown, message?: string): boolean {
    return this.hold(() => assert.equal(value, expected, message))
  }

  strictSame(value: unknown, expected: unknown, message?: string): boolean {
    return this.hold(() => assert.deepStrictEqual(value, expected, message))
  }

  notStrictSame(value: unknown, unexpected: unknown, message?: string): boolean {
    return this.hold(() => assert.notDeepStrictEqual(value, unexpected, message))
  }

  looseSame(value: unknown, expected: unknown, message?: string): boolean {
    return this.hold(() => assert.deepEqual(value, expected, message))
  }

  notLooseSame(value: unknown, unexpected: unknown, message?: string): boolean {
    return this.hold(() => assert.notDeepEqual(value, unexpected, message))
  }

  match(value: unknown, pattern: unknown, message?: string): boolean {
    return this.hold(() => assert.ok(matches(value, pattern), message ?? `${String(value)} does not match`))
  }

  notMatch(value: unknown, pattern: unknown, message?: string): boolean {
    return this.hold(() => assert.ok(!matches(value, pattern), message))
  }

  type(value: unknown, expected: string | Function): boolean {
    return this.hold(() => {
      const is = typeof expected === 'string' ? named(value, expected) : value instanceof (expected as new () => object)
      assert.ok(is, `${String(value)} is no ${typeof expected === 'string' ? expected : expected.name}`)
    })
  }

  throws(action: () => unknown, expected?: unknown): boolean {
    return this.hold(() => {
      let thrown: { error: unknown } | undefined
      try {
        action()
      } catch (error) {
        thrown = { error }
      }
      if (thrown === undefined) assert.fail('expected it to throw')
      sameError(thrown.error, expected)
    })
  }

  doesNotThrow(action: () => unknown): boolean {
    return this.hold(() => {
      action()
    })
  }

  async rejects(action: unknown, expected?: unknown): Promise<void> {
    await this.#waitFor(action, (outcome) => {
      if (!('error' in outcome)) assert.fail('expected it to reject')
      sameError(outcome.error, expected)
    })
  }

  async resolves(action: unknown): Promise<void> {
    await this.#waitFor(action, (outcome) => {
      if ('error' in outcome) throw outcome.error
    })
  }

  async resolveMatch(action: unknown, pattern: unknown): Promise<void> {
    await this.#waitFor(action, (outcome) => {
      if ('error' in outcome) throw outcome.error
      assert.ok(matches(outcome.value, pattern), 'it resolves to something that does not match')
    })
  }

  async #waitFor(action: unknown, judge: (outcome: { value: unknown } | { error: unknown }) => void): Promise<void> {
    this.#open++
    let outcome: { value: unknown } | { error: unknown }
    try {
      outcome = { value: await (typeof action === 'function' ? action() : action) }
    } catch (error) {
      outcome = { error }
    }
    this.hold(() => judge(outcome))
    this.#open--
    this.#proceed()
  }
}

function named(value: unknown, name: string): boolean {
  if (typeof value === name.toLowerCase()) return true
  return (value as object | undefined)?.constructor?.name === name
}

export interface TestOptions {
  readonly skip?: boolean | string
  readonly todo?: boolean | string
  readonly only?: boolean
}

export function readTest(given: readonly unknown[]): { title: string; options: TestOptions; body: Body | undefined } {
  const title = given.find((each) => typeof each === 'string') as string | undefined
  const body = given.find((each) => typeof each === 'function') as Body | undefined
  const options = given.find((each) => typeof each === 'object' && each !== null) as TestOptions | undefined
  return { title: title ?? '', options: options ?? {}, body }
}
