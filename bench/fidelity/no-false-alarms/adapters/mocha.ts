/**
 * mocha's BDD and TDD interfaces (mocha 11, https://mochajs.org): groups, hooks, callbacks and
 * promises, `this`.
 *
 * Departs: time limits and retries are accepted and ignored (see group.ts).
 */
import { root } from './collected.ts'
import { type CollectedTest, called, Group, type Moment, type Shared, Skipped } from './group.ts'

type Body = (this: Context, done?: (error?: unknown) => void) => unknown

/** The `this` of a test, a hook or a group. */
class Context {
  readonly test: { title: string }
  readonly currentTest: { title: string; state: string }

  constructor(title: string) {
    this.test = { title }
    this.currentTest = { title, state: 'passed' }
  }

  timeout = () => this
  slow = () => this
  retries = () => this
  skip = (): never => {
    throw new Skipped()
  }
}

const CONTEXT = 'norn: the context of mocha'

let current: Group = root

function contextOf(shared: Shared, title: string): Context {
  return (shared[CONTEXT] ??= new Context(title)) as Context
}

function group(title: string, body: (this: Context) => void, skipped: boolean): void {
  const outer = current
  current = new Group(title, outer, skipped)
  try {
    body?.call(new Context(title))
  } finally {
    current = outer
  }
}

function test(title: string, body: Body | undefined, mode: CollectedTest['mode']): Context {
  const run = (shared: Shared) => guarded(() => called(body!, contextOf(shared, title), []))
  current.add(title, body === undefined ? 'skip' : mode, run)
  return new Context(title)
}

/** mocha has a listener for uncaught errors, which fails the test; tests take it away and put it back. */
async function guarded(run: () => Promise<void>): Promise<void> {
  if (process.listenerCount('uncaughtException') > 0) return run()
  const { promise: failed, reject } = Promise.withResolvers<never>()
  process.on('uncaughtException', reject)
  try {
    await Promise.race([run(), failed])
  } finally {
    process.off('uncaughtException', reject)
  }
}

const describe = Object.assign((title: string, body: () => void) => group(title, body, false), {
  skip: (title: string, body: () => void) => group(title, body, true),
  only: (title: string, body: () => void) => group(title, body, false),
})

const it = Object.assign((title: string, body?: Body) => test(title, body, 'run'), {
  skip: (title: string, body?: Body) => test(title, body, 'skip'),
  only: (title: string, body?: Body) => test(title, body, 'only'),
})

function hook(moment: Moment) {
  return (...args: [Body] | [string, Body]) => {
    const body = args.at(-1) as Body
    current.hooks[moment].push((shared) => called(body, contextOf(shared, ''), []))
  }
}

const [before, beforeEach, afterEach, after] = (['before', 'beforeEach', 'afterEach', 'after'] as const).map(hook)

export const interfaces = {
  ...{ describe, context: describe, xdescribe: describe.skip, it, specify: it, xit: it.skip },
  ...{ before, beforeEach, afterEach, after },
  ...{ suite: describe, test: it, setup: beforeEach, teardown: afterEach, suiteSetup: before, suiteTeardown: after },
}

export default interfaces
export { interfaces as 'module.exports' }
