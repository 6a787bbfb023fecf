/** `jest`, with the mocks of the project's own jest, which are restored between executions. */
import { isNamespace } from '../loader/automock.ts'
import {
  forgetModules,
  type MockCall,
  mockModule,
  mockModuleNow,
  originalModule,
  unmockModuleNow,
  withOwnModules,
} from '../loader/module-mocks.ts'
import { currentCollection, evaluation } from '../property/property.ts'
import { type Action, chainOf, type Suite, type TestWatch } from '../property/suites.ts'
import { timeFunctions } from './fake-timers.ts'
import type { FrameworkHost } from './framework.ts'
import { type Exports, installedThrough } from './installed.ts'
import { testConfigurationOf } from './test-configuration.ts'

/** The mock functions that work without jest's runner. */
const MOCKS = ['fn', 'spyOn', 'replaceProperty', 'mocked', 'isMockFunction'] as const
const ALL_MOCKS = ['clearAllMocks', 'resetAllMocks', 'restoreAllMocks'] as const

export interface JestObject {
  readonly object: object
  /** What the configuration asks for before each test. */
  readonly watch: TestWatch
}

export function jestObject({ file, refuse }: FrameworkHost): JestObject {
  const { resets } = testConfigurationOf(file, true)
  let mocker: Exports | undefined
  let seen = evaluation()
  let root: Suite | undefined
  const mocks = (name: string): Function => {
    const carriers = ['jest', '@jest/globals', '@jest/environment', 'jest-circus', 'jest-environment-node']
    const ModuleMocker = mocker ? undefined : moduleMocker(installedThrough('jest-mock', carriers, file))
    if (ModuleMocker) mocker = new ModuleMocker(globalThis)
    if (mocker === undefined) throw new Error(`jest.${name} is not available: install jest-mock in this project`)
    if (seen !== evaluation()) (mocker.restoreAllMocks as Action).call(mocker)
    seen = evaluation()
    return (mocker[name] as Function).bind(mocker)
  }
  /** What is set holds for all tests that begin later. */
  const setForAll = (settings: Suite['settings']) => {
    const suite = currentCollection()?.suites.root ?? root
    if (suite !== undefined) suite.settings = { ...suite.settings, ...settings }
    return object
  }
  const object: Record<string, unknown> = {
    setTimeout: (timeoutMs: number) => setForAll({ timeoutMs, hookTimeoutMs: timeoutMs }),
    retryTimes: (retry: number) => setForAll({ retry }),
    getSeed: () => 0,
  }
  for (const name of MOCKS) object[name] = (...args: unknown[]) => mocks(name)(...args)
  for (const name of ALL_MOCKS) {
    object[name] = () => {
      mocks(name)()
      return object
    }
  }
  const fn = (original?: Function) => mocks('fn')(original) as object
  /** A compiled module, as jest has it, passes on exports by getters, and says that it is one. */
  const standIn = (exports: object) =>
    mocks('generateFromMetadata')(
      mocks('getMetadata')(isNamespace(exports) ? { ...exports, __esModule: true } : exports),
    )
  const loosely = (factory: MockCall['factory']): MockCall => ({ factory, fn, standIn, isLoose: true })
  object.mock = (file: unknown, specifier: unknown, factory?: MockCall['factory']) => {
    if (mockModule(file, specifier, loosely(factory))) return object
    return refuse('jest.mock in a function, of a name that is not constant, or of a jest that require gives')
  }
  object.requireActual = (file: unknown, specifier: unknown) => {
    const found = originalModule(file, specifier, true) ?? refuse('jest.requireActual')
    return found instanceof Promise ? refuse('jest.requireActual of a module with top-level await') : found
  }
  object.doMock = (file: unknown, specifier: unknown, factory?: MockCall['factory']) => {
    if (mockModuleNow(file, specifier, loosely(factory))) return object
    return refuse('jest.doMock in a package')
  }
  object.dontMock = (file: unknown, specifier: unknown) =>
    unmockModuleNow(file, specifier) ? object : refuse('jest.dontMock in a package')
  object.resetModules = (file: unknown) =>
    forgetModules(file, true) ? object : refuse('jest.resetModules in a package')
  for (const name of ['isolateModules', 'isolateModulesAsync']) {
    object[name] = (file: unknown, action: Action) =>
      (withOwnModules(file, action) ?? refuse(`jest.${name} in a package`)).result
  }
  for (const name of ['unmock', 'unstable_mockModule', 'requireMock']) object[name] = () => refuse(`jest.${name}`)
  for (const [name, act] of Object.entries(timeFunctions('jest', [], refuse))) {
    object[name] = (...args: never[]) => {
      const result = act(...args)
      return result === undefined ? object : result
    }
  }
  object.mocked = (value: unknown) => value
  object.autoMockOff = object.disableAutomock = () => object
  const watch: TestWatch = {
    begins({ suite }) {
      ;[root] = chainOf(suite)
      for (const name of resets) mocks(name)()
    },
  }
  return { object, watch }
}

type ModuleMocker = new (scope: object) => Exports

/** Until version 26 the package is an instance. */
function moduleMocker(exports: Exports | undefined): ModuleMocker | undefined {
  return (exports?.ModuleMocker ?? exports?.constructor) as ModuleMocker | undefined
}
