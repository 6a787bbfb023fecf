/**
 * Replaces `vitest`: norn collects the declarations; `expect` and the mocks are the project's own.
 *
 * Features that need vitest's runner are refused by name, which makes the execution inconclusive: a
 * test that relies on them must not pass.
 */
import { isNamespace } from '../loader/automock.ts'
import { type MockCall, mockModule, originalModule } from '../loader/module-mocks.ts'
import { activeExecution, currentExecution } from '../property/current.ts'
import { evaluation } from '../property/property.ts'
import { type Action, isThenable, SkippedItself, whenDone } from '../property/suites.ts'
import { timeFunctions } from './fake-timers.ts'
import { extended, type Fixtures, NO_FIXTURES, withFixtures } from './fixtures.ts'
import type { Framework, FrameworkHost } from './framework.ts'
import {
  type Callable,
  type Exports,
  installed,
  installedThrough,
  missingExpect,
  placeOf,
  vitestAssertions,
} from './installed.ts'
import { type Declaring, declaring, type Flavour, hooking } from './test-functions.ts'
import { beginTest, checkAssertions, provideWorkerState } from './vitest-state.ts'
import { type Clock, polling, type Waiting, waitFor } from './waiting.ts'

/** The `onTestFinished` actions of the running test, in the order of their calls. */
let finishing: Action[] = []

const onTestFinished = (action: Action): void => {
  finishing.unshift(action)
}

const VITEST_DEFAULTS = { timeoutMs: 5000, hookTimeoutMs: 10_000 }

export function vitestFlavour(expect: unknown): Flavour {
  return {
    name: 'vitest',
    defaults: VITEST_DEFAULTS,
    begins: (title) => beginTest(expect, title),
    ends: () => checkAssertions(expect),
    call({ body, title, values, place }) {
      const context = contextOf(title, expect)
      finishing = []
      const args = place === 'nowhere' ? values : [...values, context]
      return whenDone(body(...args), (given) => {
        // The value of a hook may be its cleanup.
        const actions = finishing
        const ended = actions.reduce<unknown>((before, action) => whenDone(before, () => action()), undefined)
        return isThenable(ended) ? ended.then(() => given) : given
      })
    },
  }
}

function contextOf(title: string, expect: unknown): object {
  return {
    task: { name: title, meta: {}, type: 'test', mode: 'run' },
    expect,
    signal: new AbortController().signal,
    skip: (condition: unknown = true) => {
      if (typeof condition !== 'boolean' || condition) throw new SkippedItself()
    },
    annotate: async () => {},
    onTestFinished,
    onTestFailed: () => {},
    /** Of `@fast-check/vitest`: draws a value in the body. */
    g(builder: (...args: unknown[]) => never, ...args: unknown[]) {
      const execution = currentExecution('g')
      execution.assert(0)
      return execution.draw(builder(...args), builder.name === '' ? 'g' : builder.name)
    },
  }
}

const ignored = () => {}

export function vitestModule(host: FrameworkHost): Exports {
  provideWorkerState(host.file)
  const found = vitestAssertions(host.file)
  const vi = vitestUtilities(host)
  const own = found?.expect ?? missingExpect('vitest')
  const expect = withPoll(own)
  const flavour = vitestFlavour(expect)
  const [test, describe] = [extending(flavour, NO_FIXTURES), declaring('describe', flavour)]
  const refusing = (name: string) => () => host.refuse(`${name} of vitest`)
  return {
    ...found?.others,
    test,
    it: test,
    describe,
    suite: describe,
    beforeAll: hooking('beforeAll', flavour),
    beforeEach: hooking('beforeEach', flavour),
    afterEach: hooking('afterEach', flavour),
    afterAll: hooking('afterAll', flavour),
    aroundEach: refusing('aroundEach'),
    aroundAll: refusing('aroundAll'),
    onTestFinished,
    onTestFailed: ignored,
    expect,
    vi,
    vitest: vi,
    inject: ignored,
    bench: Object.assign(ignored, { skip: ignored, only: ignored, todo: ignored }),
  }
}

export const vitest: Framework = { specifier: 'vitest', module: vitestModule, entry: 'norn/vitest' }

/** `test` with fixtures, and `extend` for more. */
function extending(flavour: Flavour, fixtures: Fixtures): Declaring {
  const test = declaring('test', withFixtures(flavour, fixtures))
  test.extend = (...given: unknown[]) => extending(flavour, extended(fixtures, given))
  return test
}

/** `expect` with a `poll` that needs no runner. */
function withPoll(expect: Callable): Callable {
  const poll = polling((value, message) => expect(value, message), VIRTUAL)
  return new Proxy(expect, { get: (target, name) => (name === 'poll' ? poll : Reflect.get(target, name)) })
}

/** Virtual time, in which nothing has to be advanced. */
const VIRTUAL: Clock = { advance: () => {}, nowMs: () => (activeExecution()?.elapsedUs() ?? 0) / 1000 }

/** The functions of `vi` that work without vitest's runner. */
const PLAIN_UTILITIES = [
  ...['fn', 'when', 'isWhenChain', 'mocked', 'isMockFunction', 'hoisted', 'defineHelper'],
  ...['clearAllMocks', 'resetAllMocks', 'restoreAllMocks'],
]

/** `vi`, whose mocks and stubs are undone between executions. */
function vitestUtilities({ file, refuse }: FrameworkHost): object {
  const real = utilitiesOf(file)
  const globals = stubs(globalThis as Record<string, unknown>)
  const environment = stubs(process.env as Record<string, unknown>)
  let seen = evaluation()
  const forget = () => {
    seen = evaluation()
    for (const each of ['resetAllMocks', 'restoreAllMocks']) (real[each] as Action | undefined)?.()
    // The world has restored the originals already.
    for (const { originals } of [globals, environment]) originals.clear()
  }
  const time = timeFunctions('vi', ['nextTick', 'queueMicrotask'], refuse)
  const faked: Clock = {
    ...VIRTUAL,
    advance: (ms) => {
      if (time.isFakeTimers!()) time.advanceTimersByTime!(ms as never)
    },
  }
  const utilities: Record<string, unknown> = {
    ...moduleFunctions(real, refuse),
    setConfig: ignored,
    resetConfig: ignored,
    ...time,
    waitFor: (action: () => unknown, waiting: Waiting | number | undefined) => waitFor(action, waiting, faked),
    waitUntil: (action: () => unknown, waiting: Waiting | number | undefined) =>
      waitFor(action, waiting, faked, Boolean),
    spyOn: (target: object, ...rest: unknown[]) =>
      isNamespace(target) ? refuse('vi.spyOn of vitest on an export') : (real.spyOn as Function)(target, ...rest),
    stubGlobal: globals.stub,
    unstubAllGlobals: globals.undo,
    stubEnv: environment.stub,
    unstubAllEnvs: environment.undo,
  }
  const proxy: object = new Proxy(utilities, {
    get(_, name) {
      if (typeof name !== 'string') return undefined
      if (seen !== evaluation()) forget()
      const own = utilities[name]
      if (typeof own === 'function') return (...args: unknown[]) => orElse(own(...args), proxy)
      const utility = PLAIN_UTILITIES.includes(name) ? real[name] : undefined
      return typeof utility === 'function' ? utility.bind(real) : () => refuse(`vi.${name} of vitest`)
    },
  })
  return proxy
}

/** The functions for mocks of modules, which work where the loader has moved their calls (loader/hoisting.ts). */
function moduleFunctions(real: Exports, refuse: FrameworkHost['refuse']) {
  const fn = real.fn as (original?: unknown) => object
  return {
    mock(file: unknown, specifier: unknown, given: unknown) {
      const factory = typeof given === 'function' ? (given as MockCall['factory']) : undefined
      const isSpying = (given as { spy?: unknown } | undefined)?.spy === true
      const isDone = mockModule(file, specifier, { factory, isSpying, fn, isLoose: false })
      if (!isDone) refuse('vi.mock of vitest in a function, or of a name that is not constant')
    },
    importActual: async (file: unknown, specifier: unknown) =>
      originalModule(file, specifier, false) ?? refuse('vi.importActual of vitest'),
  }
}

/** Functions of `vi` without a result return `vi`. */
function orElse(result: unknown, utilities: object): unknown {
  return result === undefined ? utilities : result
}

/** Replaced values of an object, and their originals. */
function stubs(holder: Record<string, unknown>) {
  const originals = new Map<string, PropertyDescriptor | undefined>()
  return {
    originals,
    stub(name: string, value: unknown) {
      if (!originals.has(name)) originals.set(name, Object.getOwnPropertyDescriptor(holder, name))
      if (value === undefined && holder === process.env) delete holder[name]
      else if (holder === process.env) holder[name] = `${value}`
      else Object.defineProperty(holder, name, { value, writable: true, configurable: true, enumerable: true })
    },
    undo() {
      for (const [name, original] of originals) {
        if (original === undefined) delete holder[name]
        else Object.defineProperty(holder, name, original)
      }
      originals.clear()
    },
  }
}

function utilitiesOf(file: string): Exports {
  const vitest = installed('vitest', file)
  if (vitest !== undefined) return vitest.vi as Exports
  const place = placeOf('vitest', file)
  const spies = place === undefined ? undefined : installedThrough('@vitest/spy', ['@vitest/expect'], place)
  return { ...spies, hoisted: (factory: Action) => factory(), mocked: (value: unknown) => value }
}
