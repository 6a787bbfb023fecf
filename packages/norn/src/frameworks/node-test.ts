/**
 * Replaces `node:test`: norn collects the declarations; mocks and assertions are Node's own. A
 * subtest belongs to its test and runs where it is declared.
 */
import { hostRequire } from '../loader/internals.ts'
import { currentCollection, evaluation } from '../property/property.ts'
import { type Hook, SkippedItself, whenDone } from '../property/suites.ts'
import type { Framework, FrameworkHost } from './framework.ts'
import type { Exports } from './installed.ts'
import { Plan } from './plan.ts'
import { declaring, type Flavour, hooking, withCallback } from './test-functions.ts'

interface NodeTest {
  readonly mock: { constructor: new () => { reset(): void }; reset(): void }
}

const ignored = () => {}

/** What `t.assert` has: those of node:assert, and those that the program registers. */
const assertions: Exports = {
  ...(hostRequire('node:assert') as Exports),
  // As under the other frameworks: nobody stores snapshots.
  snapshot: ignored,
  fileSnapshot: ignored,
}

/** The innermost test that runs: hooks that are declared during a test belong to it. */
let running: ReturnType<typeof contextOf> | undefined

function flavourWith(real: NodeTest): Flavour {
  const call: Flavour['call'] = (body, title, _values, _place, options) => {
    const outer = running
    const context = contextOf(title, real, call)
    running = context
    if (typeof options?.plan === 'number') context.plan(options.plan)
    const run = () =>
      body.length >= 2 ? withCallback((done) => body.call(context, context, done)) : body.call(context, context)
    return whenDone(run(), (given) =>
      whenDone(context.ended(), () => {
        running = outer
        return given
      }),
    )
  }
  return { name: 'node:test', call }
}

/** The context that a test receives: `t`. */
function contextOf(title: string, real: NodeTest, call: Flavour['call']) {
  const hooks: Record<Hook, Function[]> = { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] }
  const noting = (kind: Hook) => (hook: Function) => void hooks[kind].push(hook)
  const each = (actions: readonly Function[]) =>
    actions.reduce<unknown>((before, hook) => whenDone(before, () => call(hook, title, [], 'only')), undefined)
  const plan = new Plan()
  /** Settles when the subtests so far have ended: one runs at a time, and the test waits for all. */
  let subtests: Promise<unknown> | undefined
  const subtest = (...args: unknown[]): Promise<unknown> => {
    plan.count()
    const body = args.find((argument) => typeof argument === 'function') as Function | undefined
    const name = typeof args[0] === 'string' ? args[0] : (body?.name ?? '')
    const run = body === undefined ? ignored : () => call(body, `${title} > ${name}`, [], 'only')
    const start = () => whenDone(each(hooks.beforeEach), () => whenDone(run(), () => each(hooks.afterEach)))
    const ended = subtests === undefined ? Promise.resolve(start()) : subtests.then(start)
    const settled = () => {
      if (subtests === mine) subtests = undefined
    }
    const mine: Promise<unknown> = ended.then(settled, settled)
    subtests = mine
    return ended
  }
  const skip = () => {
    throw new SkippedItself()
  }
  let mock: object | undefined
  return {
    name: title,
    fullName: title,
    get mock() {
      mock ??= new real.mock.constructor()
      return mock
    },
    assert: plan.counting(assertions),
    signal: new AbortController().signal,
    diagnostic: ignored,
    plan: (count: number, options?: { wait?: boolean | number }) => plan.expect(count, options),
    runOnly: ignored,
    todo: ignored,
    skip,
    test: Object.assign(subtest, { skip: async () => {}, todo: async () => {}, only: subtest }),
    before: (hook: Function) => call(hook, title, [], 'only'),
    after: noting('afterAll'),
    beforeEach: noting('beforeEach'),
    afterEach: noting('afterEach'),
    ended: () =>
      whenDone(subtests, () =>
        whenDone(plan.met, () => {
          plan.check()
          return each(hooks.afterAll)
        }),
      ),
  }
}

/** Declares hooks: of a suite, or of the test that runs. */
function hook(kind: Hook, own: 'before' | 'after' | 'beforeEach' | 'afterEach', flavour: Flavour) {
  const declare = hooking(kind, flavour)
  return (...args: unknown[]) => {
    const body = args.find((each) => typeof each === 'function') as Function | undefined
    if (body !== undefined && running !== undefined && currentCollection() === undefined) running[own](body)
    else declare(...args)
  }
}

/** `import test from 'node:test'` and `require` give `test`, with the other exports on it. */
function nodeTestModule({ refuse }: FrameworkHost): Exports {
  const real = hostRequire('node:test') as NodeTest & Exports
  const flavour = flavourWith(real)
  const test = declaring('test', flavour)
  const describe = declaring('describe', flavour)
  let seen = evaluation()
  const mock = new Proxy(real.mock, {
    get(target, name) {
      if (seen !== evaluation()) {
        seen = evaluation()
        target.reset()
      }
      if (name === 'timers') return refuse('mock.timers of node:test')
      if (name === 'module') return refuse('mock.module of node:test')
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const exports = {
    test,
    it: test,
    describe,
    suite: describe,
    before: hook('beforeAll', 'before', flavour),
    beforeEach: hook('beforeEach', 'beforeEach', flavour),
    afterEach: hook('afterEach', 'afterEach', flavour),
    after: hook('afterAll', 'after', flavour),
    mock,
    assert: { register: (name: string, assertion: Function) => void (assertions[name] = assertion) },
    run: () => refuse('run of node:test'),
    snapshot: { setDefaultSnapshotSerializers: ignored, setResolveSnapshotPath: ignored },
  }
  const names = ['skip', 'todo', 'only', 'expectFailure']
  for (const name of names) Object.defineProperty(test, name, { value: test[name], enumerable: true })
  return Object.assign(test, exports, { default: test })
}

export const nodeTest: Framework = { specifier: 'node:test', module: nodeTestModule, entry: 'norn/node-test' }
