/**
 * Replaces `@jest/globals`, `mocha` and the globals of jest, mocha and vitest by one set of
 * functions: functions that the frameworks share behave the same.
 *
 * Invariant: a body with a parameter receives what its runner would pass: a callback, or vitest's
 * context if the parameter is destructured.
 */
import { type MockCall, mockModule, originalModule } from '../loader/module-mocks.ts'
import { evaluation } from '../property/property.ts'
import { type Action, SkippedItself } from '../property/suites.ts'
import { timeFunctions } from './fake-timers.ts'
import type { Framework, FrameworkHost } from './framework.ts'
import { type Exports, installedThrough, jestAssertions, missingExpect, vitestAssertions } from './installed.ts'
import { declaring, type Flavour, hooking, withCallback } from './test-functions.ts'
import { vitestFlavour, vitestModule } from './vitest.ts'

const ignored = () => {}

/** The `this` of mocha's tests. Bounds of mocha's runner have no effect. */
function mochaContext(title: string): object {
  const chained = () => context
  const context = {
    timeout: chained,
    slow: chained,
    retries: chained,
    skip: () => {
      throw new SkippedItself()
    },
    test: { title, fullTitle: () => title },
    currentTest: { title },
  }
  return context
}

/** Whether a function destructures its parameter, as for a context; a callback is not. */
function destructures(body: Function, values: number): boolean {
  return values === 0 && /^(?:async\s*)?(?:function\s*\w*\s*)?\(?\s*\{/.test(Function.prototype.toString.call(body))
}

function sharedFlavour(name: string, expect: unknown): Flavour {
  const vitest = vitestFlavour(expect)
  return {
    name,
    call(body, title, values, place) {
      const context = mochaContext(title)
      if (body.length <= values.length) return body.call(context, ...values)
      if (destructures(body, values.length)) return vitest.call(body, title, values, place)
      return withCallback((done) => body.call(context, ...values, done))
    },
  }
}

export function jestModule(host: FrameworkHost): Exports {
  return functionsOf('jest', host, jestAssertions(host.file)?.expect ?? missingExpect('jest, or the package expect,'))
}

function mochaModule(host: FrameworkHost): Exports {
  return functionsOf('mocha', host, globalExpect(host.file))
}

export const jest: Framework = { specifier: '@jest/globals', module: jestModule, definesJest: true }
export const mocha: Framework = { specifier: 'mocha', module: mochaModule }

/** The globals of test files. */
export function globalFunctions(host: FrameworkHost): Exports {
  const { default: _, ...functions } = functionsOf('the test globals', host, globalExpect(host.file))
  return { ...functions, vi: vitestAssertions(host.file) && vitestModule(host).vi }
}

function globalExpect(file: string): unknown {
  const found = vitestAssertions(file) ?? jestAssertions(file)
  return found?.expect ?? missingExpect('vitest, jest or the package expect')
}

function functionsOf(name: string, host: FrameworkHost, expect: unknown): Exports {
  const flavour = sharedFlavour(name, expect)
  const test = declaring('test', flavour)
  const describe = declaring('describe', flavour)
  const [beforeAll, afterAll] = [hooking('beforeAll', flavour), hooking('afterAll', flavour)]
  const exports = {
    test,
    it: test,
    specify: test,
    fit: test.only,
    xit: test.skip,
    xtest: test.skip,
    describe,
    context: describe,
    suite: describe,
    fdescribe: describe.only,
    xdescribe: describe.skip,
    beforeAll,
    before: beforeAll,
    beforeEach: hooking('beforeEach', flavour),
    afterEach: hooking('afterEach', flavour),
    afterAll,
    after: afterAll,
    expect,
    jest: jestObject(host),
  }
  return { ...exports, default: exports }
}

/** The mock functions that work without jest's runner. */
const MOCKS = ['fn', 'spyOn', 'replaceProperty', 'mocked', 'isMockFunction'] as const
const ALL_MOCKS = ['clearAllMocks', 'resetAllMocks', 'restoreAllMocks'] as const

/** `jest`, with the mocks of the project's own jest, which are restored between executions. */
function jestObject({ file, refuse }: FrameworkHost): object {
  let mocker: Exports | undefined
  let seen = evaluation()
  const mocks = (name: string): Function => {
    const carriers = ['jest', '@jest/globals', '@jest/environment']
    const ModuleMocker = mocker ? undefined : installedThrough('jest-mock', carriers, file)?.ModuleMocker
    if (ModuleMocker) mocker = new (ModuleMocker as new (scope: object) => Exports)(globalThis)
    if (mocker === undefined) throw new Error(`jest.${name} is not available: install jest-mock in this project`)
    if (seen !== evaluation()) (mocker.restoreAllMocks as Action).call(mocker)
    seen = evaluation()
    return (mocker[name] as Function).bind(mocker)
  }
  const object: Record<string, unknown> = { setTimeout: () => object, retryTimes: () => object, getSeed: () => 0 }
  for (const name of MOCKS) object[name] = (...args: unknown[]) => mocks(name)(...args)
  for (const name of ALL_MOCKS) {
    object[name] = () => {
      mocks(name)()
      return object
    }
  }
  const fn = (original?: Function) => mocks('fn')(original) as object
  object.mock = (file: unknown, specifier: unknown, factory?: MockCall['factory']) => {
    if (mockModule(file, specifier, { factory, isSpying: false, fn, isLoose: true })) return object
    return refuse('jest.mock in a function, of a name that is not constant, or of a jest that require gives')
  }
  object.requireActual = (file: unknown, specifier: unknown) => {
    const found = originalModule(file, specifier, true) ?? refuse('jest.requireActual')
    return found instanceof Promise ? refuse('jest.requireActual of a module with top-level await') : found
  }
  const refused = ['unmock', 'doMock', 'dontMock', 'unstable_mockModule', 'requireMock']
  for (const name of [...refused, 'resetModules', 'isolateModules', 'isolateModulesAsync']) {
    object[name] = () => refuse(`jest.${name}`)
  }
  for (const [name, act] of Object.entries(timeFunctions('jest', [], refuse))) {
    object[name] = (...args: never[]) => {
      const result = act(...args)
      return result === undefined ? object : result
    }
  }
  object.mocked = (value: unknown) => value
  object.autoMockOff = object.disableAutomock = ignored
  return object
}
