/**
 * Replaces `node:test`: norn collects the declarations; mocks and assertions are Node's own. A
 * subtest belongs to its test and runs where it is declared.
 */
import { hostRequire } from '../loader/internals.ts'
import { evaluation } from '../property/property.ts'
import { type Hook, whenDone } from '../property/suites.ts'
import type { Exports } from './installed.ts'
import { declaring, type Flavour, hooking, SkippedItself, withCallback } from './test-functions.ts'
import type { FrameworkHost } from './vitest.ts'

interface NodeTest {
  readonly mock: { constructor: new () => { reset(): void }; reset(): void }
  readonly assert: object
}

const ignored = () => {}

function flavourWith(real: NodeTest): Flavour {
  const call: Flavour['call'] = (body, title) => {
    const context = contextOf(title, real, call)
    const run = () =>
      body.length >= 2 ? withCallback((done) => body.call(context, context, done)) : body.call(context, context)
    return whenDone(run(), (given) => whenDone(context.ended(), () => given))
  }
  return { name: 'node:test', call }
}

/** The context that a test receives: `t`. */
function contextOf(title: string, real: NodeTest, call: Flavour['call']) {
  const hooks: Record<Hook, Function[]> = { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] }
  const noting = (kind: Hook) => (hook: Function) => void hooks[kind].push(hook)
  const each = (actions: readonly Function[]) =>
    actions.reduce<unknown>((before, hook) => whenDone(before, () => call(hook, title, [], 'only')), undefined)
  const subtest = (...args: unknown[]): Promise<unknown> => {
    const body = args.find((argument) => typeof argument === 'function') as Function | undefined
    const name = typeof args[0] === 'string' ? args[0] : (body?.name ?? '')
    const run = body === undefined ? ignored : () => call(body, `${title} > ${name}`, [], 'only')
    return Promise.resolve(
      whenDone(each(hooks.beforeEach), () => whenDone(run(), () => each(hooks.afterEach))) as never,
    )
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
    assert: real.assert,
    signal: new AbortController().signal,
    diagnostic: ignored,
    plan: ignored,
    runOnly: ignored,
    todo: ignored,
    skip,
    test: Object.assign(subtest, { skip: async () => {}, todo: async () => {}, only: subtest }),
    before: (hook: Function) => call(hook, title, [], 'only'),
    after: noting('afterAll'),
    beforeEach: noting('beforeEach'),
    afterEach: noting('afterEach'),
    ended: () => each(hooks.afterAll),
  }
}

/** `import test from 'node:test'` and `require` give `test`, with the other exports on it. */
export function nodeTestModule({ refuse }: FrameworkHost): Exports {
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
    before: hooking('beforeAll', flavour),
    beforeEach: hooking('beforeEach', flavour),
    afterEach: hooking('afterEach', flavour),
    after: hooking('afterAll', flavour),
    mock,
    assert: real.assert,
    run: () => refuse('run of node:test'),
    snapshot: { setDefaultSnapshotSerializers: ignored, setResolveSnapshotPath: ignored },
  }
  const names = ['skip', 'todo', 'only', 'expectFailure']
  for (const name of names) Object.defineProperty(test, name, { value: test[name], enumerable: true })
  return Object.assign(test, exports, { default: test })
}
