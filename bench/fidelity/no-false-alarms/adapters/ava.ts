/**
 * ava (6.x, https://github.com/avajs/ava/tree/main/docs): `test` with its hooks and modifiers, and
 * the assertions of `t`.
 *
 * Departs: a failed assertion throws, as in ava 6; `t.like` and `t.snapshot` are missing until a
 * suite needs them.
 */
import assert from 'node:assert/strict'
import { root } from './collected.ts'
import type { CollectedTest, Moment, Shared } from './group.ts'

type Body = (t: Assertions, ...args: unknown[]) => unknown

interface ThrowsExpectation {
  readonly instanceOf?: Function
  readonly is?: unknown
  readonly message?: string | RegExp | ((message: string) => boolean)
  readonly name?: string
  readonly code?: string | number
}

class Assertions {
  readonly title: string
  context: unknown
  readonly #teardowns: (() => unknown)[] = []
  #planned: number | undefined
  #made = 0

  constructor(title: string, context: unknown) {
    this.title = title
    this.context = context
  }

  /** Runs what was to run after the test, last first, and holds the plan. */
  async finish(failed: boolean): Promise<void> {
    for (const teardown of this.#teardowns.reverse()) await teardown()
    if (failed) return
    if (this.#planned !== undefined) assert.equal(this.#made, this.#planned, `planned ${this.#planned} assertions`)
    else if (this.#made === 0) assert.fail('the test finished without running any assertions')
  }

  plan(count: number): void {
    this.#planned = count
  }

  teardown(step: () => unknown): void {
    this.#teardowns.push(step)
  }

  timeout(): void {}
  log(): void {}

  pass(): true {
    return this.#held(() => {})
  }

  fail(message?: string): void {
    this.#held(() => assert.fail(message ?? 'test failed via t.fail()'))
  }

  assert(value: unknown, message?: string): true {
    return this.#held(() => assert.ok(value, message))
  }

  truthy = this.assert

  falsy(value: unknown, message?: string): true {
    return this.#held(() => assert.ok(!value, message))
  }

  true(value: unknown, message?: string): true {
    return this.#held(() => assert.equal(value, true, message))
  }

  false(value: unknown, message?: string): true {
    return this.#held(() => assert.equal(value, false, message))
  }

  is(value: unknown, expected: unknown, message?: string): true {
    return this.#held(() => assert.ok(Object.is(value, expected), message ?? `${show(value)} is not ${show(expected)}`))
  }

  not(value: unknown, unexpected: unknown, message?: string): true {
    return this.#held(() => assert.ok(!Object.is(value, unexpected), message))
  }

  deepEqual(value: unknown, expected: unknown, message?: string): true {
    return this.#held(() => assert.deepEqual(value, expected, message))
  }

  notDeepEqual(value: unknown, unexpected: unknown, message?: string): true {
    return this.#held(() => assert.notDeepEqual(value, unexpected, message))
  }

  regex(text: string, expression: RegExp, message?: string): true {
    return this.#held(() => assert.match(text, expression, message))
  }

  notRegex(text: string, expression: RegExp, message?: string): true {
    return this.#held(() => assert.doesNotMatch(text, expression, message))
  }

  throws(action: () => unknown, expected?: ThrowsExpectation, message?: string): unknown {
    let thrown: { error: unknown } | undefined
    try {
      action()
    } catch (error) {
      thrown = { error }
    }
    this.#held(() => holdThrown(thrown, expected, message))
    return thrown?.error
  }

  notThrows(action: () => unknown, message?: string): void {
    this.#held(() => assert.doesNotThrow(action, message))
  }

  async throwsAsync(action: unknown, expected?: ThrowsExpectation, message?: string): Promise<unknown> {
    let thrown: { error: unknown } | undefined
    try {
      await (typeof action === 'function' ? action() : action)
    } catch (error) {
      thrown = { error }
    }
    this.#held(() => holdThrown(thrown, expected, message))
    return thrown?.error
  }

  async notThrowsAsync(action: unknown): Promise<void> {
    await (typeof action === 'function' ? action() : action)
    this.#made++
  }

  #held(hold: () => void): true {
    this.#made++
    hold()
    return true
  }
}

function holdThrown(thrown: { error: unknown } | undefined, expected: ThrowsExpectation | undefined, message?: string) {
  if (thrown === undefined) assert.fail(message ?? 'expected it to throw')
  const error = thrown.error as Error & { code?: unknown }
  const { instanceOf = Error, is, name, code, message: text } = expected ?? {}
  assert.ok(error instanceof (instanceOf as new () => Error), message ?? `${show(error)} is no ${instanceOf.name}`)
  if (expected !== undefined && 'is' in expected) assert.ok(Object.is(error, is), message)
  if (name !== undefined) assert.equal(error.name, name, message)
  if (code !== undefined) assert.equal(error.code, code, message)
  if (typeof text === 'string') assert.equal(error.message, text, message)
  else if (text instanceof RegExp) assert.match(error.message, text, message)
  else if (text !== undefined) assert.ok(text(error.message), message)
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

const CONTEXT = 'norn: the context of ava'

/**
 * ava lets a rejection be handled late: only what nobody has handled when the test has ended
 * counts.
 */
class Rejections {
  readonly #open = new Map<unknown, unknown>()

  watch(): void {
    process.on('unhandledRejection', (error, promise) => this.#open.set(promise, error))
    process.on('rejectionHandled', (promise) => this.#open.delete(promise))
  }

  async holdNone(): Promise<void> {
    // Node tells only after the next turn which of them have been handled since.
    if (this.#open.size > 0) await new Promise((resolve) => setImmediate(resolve))
    for (const error of this.#open.values()) throw error
  }
}

const rejections = new Rejections()

async function run(title: string, body: Body, shared: Shared, args: readonly unknown[], failing: boolean) {
  const t = new Assertions(title, (shared[CONTEXT] ??= {}))
  rejections.watch()
  let error: unknown
  let failed = false
  try {
    await body(t, ...args)
  } catch (thrown) {
    failed = true
    error = thrown
  }
  shared[CONTEXT] = t.context
  await t.finish(failed || failing)
  if (!failed) await rejections.holdNone()
  if (failing) assert.ok(failed, 'the test was expected to fail, and passed')
  else if (failed) throw error
}

function declarer(mode: CollectedTest['mode'], failing = false) {
  return (...given: unknown[]) => {
    const title = typeof given[0] === 'string' ? (given.shift() as string) : ''
    const body = given.shift() as Body | undefined
    root.add(title, body === undefined ? 'skip' : mode, (shared) => run(title, body!, shared, given, failing))
  }
}

function hook(moment: Moment) {
  const declare = (...given: unknown[]) => {
    const body = given.find((each) => typeof each === 'function') as Body
    root.hooks[moment].push(async (shared) => {
      const t = new Assertions('', (shared[CONTEXT] ??= {}))
      await body(t)
      shared[CONTEXT] = t.context
    })
  }
  return Object.assign(declare, { always: declare })
}

const modifiers = {
  skip: declarer('skip'),
  only: declarer('only'),
  failing: declarer('run', true),
  todo: declarer('skip'),
}

const test = Object.assign(declarer('run'), modifiers, {
  serial: Object.assign(declarer('run'), modifiers),
  before: hook('before'),
  beforeEach: hook('beforeEach'),
  afterEach: hook('afterEach'),
  after: hook('after'),
  macro: (body: Body) => body,
})

export default test
export { test as 'module.exports' }
