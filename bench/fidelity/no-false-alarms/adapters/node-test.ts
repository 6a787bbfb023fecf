/**
 * node:test (Node 24, doc/api/test.md): `test`, `it`, `describe`, hooks, subtests, plans.
 *
 * Departs: time limits, concurrency and snapshots are ignored; mocks are node:test's own.
 */
import assert from 'node:assert'
import { root } from './collected.ts'
import { type CollectedTest, called, Group, type Moment } from './group.ts'

type Body = (t: TestContext, done?: (error?: unknown) => void) => unknown
interface Options {
  readonly skip?: boolean | string
  readonly todo?: boolean | string
  readonly only?: boolean
  readonly plan?: number
}

const real = () => process.getBuiltinModule('node:test')

class TestContext {
  readonly name: string
  readonly signal: AbortSignal = new AbortController().signal
  readonly #afters: Body[] = []
  readonly #each: { readonly beforeEach: Body[]; readonly afterEach: Body[] } = { beforeEach: [], afterEach: [] }
  #planned: number | undefined
  #made = 0
  #subtests: Promise<unknown> = Promise.resolve()

  constructor(name: string, options: Options) {
    this.name = name
    this.#planned = options.plan
  }

  get fullName(): string {
    return this.name
  }

  get mock() {
    return real().mock
  }

  readonly assert: Record<string, unknown> = new Proxy(assert as unknown as Record<string, unknown>, {
    get: (target, key: string) => {
      const assertion = target[key] as Function
      return (...args: unknown[]) => {
        this.#made++
        return assertion(...args)
      }
    },
  })

  plan(count: number): void {
    this.#planned = count
  }

  diagnostic(): void {}
  runOnly(): void {}
  todo(): void {}
  skip(): void {}

  /** The test has begun, so the hook runs at once. */
  before(body: Body): void {
    const ran = called(body, undefined, [this])
    this.#subtests = this.#subtests.then(() => ran)
  }

  after(body: Body): void {
    this.#afters.push(body)
  }

  beforeEach(body: Body): void {
    this.#each.beforeEach.push(body)
  }

  afterEach(body: Body): void {
    this.#each.afterEach.push(body)
  }

  /** A subtest; the next one starts when it has ended. */
  test(...given: unknown[]): Promise<void> {
    const { title, options, body } = read(given)
    this.#made++
    const run = async () => {
      if (body === undefined || options.skip || options.todo) return
      for (const each of this.#each.beforeEach) await called(each, undefined, [this])
      await runBody(title, options, body)
      for (const each of this.#each.afterEach) await called(each, undefined, [this])
    }
    const ended = this.#subtests.then(run)
    this.#subtests = ended
    ended.catch(() => {})
    return ended
  }

  async finish(): Promise<void> {
    await this.#subtests
    if (this.#planned !== undefined) {
      // What was queued before the end still counts.
      if (this.#made < this.#planned) await new Promise((resolve) => setImmediate(resolve))
      assert.equal(this.#made, this.#planned, `plan expected ${this.#planned} assertions but received ${this.#made}`)
    }
  }

  async end(): Promise<void> {
    for (const body of this.#afters) await called(body, undefined, [this])
  }
}

async function runBody(title: string, options: Options, body: Body): Promise<void> {
  const t = new TestContext(title, options)
  try {
    await called(body, t, [t])
    await t.finish()
  } finally {
    await t.end()
  }
}

function read(given: readonly unknown[]): { title: string; options: Options; body: Body | undefined } {
  const body = given.find((each) => typeof each === 'function') as Body | undefined
  const title = given.find((each) => typeof each === 'string') as string | undefined
  const options = (given.find((each) => typeof each === 'object' && each !== null) ?? {}) as Options
  return { title: title ?? body?.name ?? '', options, body }
}

let current: Group = root

function declareTest(mode: CollectedTest['mode']) {
  return (...given: unknown[]): Promise<void> => {
    const { title, options, body } = read(given)
    const skipped = body === undefined || Boolean(options.skip) || Boolean(options.todo)
    current.add(title, skipped ? 'skip' : options.only ? 'only' : mode, () => runBody(title, options, body!))
    return Promise.resolve()
  }
}

function declareGroup(skipped: boolean) {
  return (...given: unknown[]): Promise<void> => {
    const { title, options, body } = read(given)
    const outer = current
    current = new Group(title, outer, skipped || Boolean(options.skip))
    try {
      body?.call(undefined, undefined as never)
    } finally {
      current = outer
    }
    return Promise.resolve()
  }
}

function hook(moment: Moment) {
  return (body: Body) => {
    current.hooks[moment].push(() => called(body, undefined, [new TestContext('', {})]))
  }
}

const variants = { skip: declareTest('skip'), todo: declareTest('skip'), only: declareTest('only') }
export const describe = Object.assign(declareGroup(false), { skip: declareGroup(true), only: declareGroup(false) })
export const suite = describe
export const it = Object.assign(declareTest('run'), variants)
export const [before, beforeEach, afterEach, after] = (['before', 'beforeEach', 'afterEach', 'after'] as const).map(
  hook,
)
export const mock: object = new Proxy(
  {},
  {
    get(_, key) {
      const value: unknown = Reflect.get(real().mock, key)
      return typeof value === 'function' ? value.bind(real().mock) : value
    },
  },
)

export const test = Object.assign(declareTest('run'), variants, {
  ...{ describe, suite, it, before, beforeEach, afterEach, after, mock },
})
Object.assign(test, { test, default: test })

export default test
export { test as 'module.exports' }
