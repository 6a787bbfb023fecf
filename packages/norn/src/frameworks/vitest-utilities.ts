/** `vi` of vitest: mocks are the project's own; time, stubs and mocks of modules are norn's. */
import { isNamespace } from '../loader/automock.ts'
import {
  forgetModules,
  type MockCall,
  mockModule,
  mockModuleNow,
  originalModule,
  unmockModuleNow,
} from '../loader/module-mocks.ts'
import { standInOfExport } from '../loader/replaced-exports.ts'
import { isUnresolved } from '../loader/unresolved.ts'
import { activeExecution } from '../property/current.ts'
import { evaluation } from '../property/property.ts'
import type { Action } from '../property/suites.ts'
import { timeFunctions } from './fake-timers.ts'
import type { FrameworkHost } from './framework.ts'
import type { Exports } from './installed.ts'
import { type Clock, type Waiting, waitFor } from './waiting.ts'

/** Virtual time, in which nothing has to be advanced. */
export const VIRTUAL: Clock = { advance: () => {}, nowMs: () => (activeExecution()?.elapsedUs() ?? 0) / 1000 }

/** The functions of `vi` that work without vitest's runner. */
const PLAIN_UTILITIES = [
  ...['fn', 'when', 'isWhenChain', 'mocked', 'isMockFunction', 'hoisted', 'defineHelper'],
  ...['clearAllMocks', 'resetAllMocks', 'restoreAllMocks'],
]

/**
 * `vi`, whose mocks and stubs are undone between executions.
 *
 * @param real the project's own
 * @param major the first number of its version
 * @param configure does what `vi.setConfig` says; undefined: `vi.resetConfig`
 */
export function vitestUtilities(
  { refuse }: FrameworkHost,
  real: Exports,
  major: number,
  configure: (change: Readonly<Record<string, unknown>> | undefined) => void,
): Record<string, Function> {
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
    ...moduleFunctions(real, major, refuse),
    setConfig: configure,
    resetConfig: () => configure(undefined),
    ...time,
    waitFor: (action: () => unknown, waiting: Waiting | number | undefined) => waitFor(action, waiting, faked),
    waitUntil: (action: () => unknown, waiting: Waiting | number | undefined) =>
      waitFor(action, waiting, faked, Boolean),
    spyOn: (target: object, ...rest: unknown[]) =>
      (real.spyOn as Function)(
        isNamespace(target)
          ? (standInOfExport(target, `${rest[0]}`) ?? refuse('vi.spyOn of vitest on such an export'))
          : target,
        ...rest,
      ),
    stubGlobal: globals.stub,
    unstubAllGlobals: globals.undo,
    stubEnv: environment.stub,
    unstubAllEnvs: environment.undo,
  }
  const proxy: Record<string, Function> = new Proxy(utilities as Record<string, Function>, {
    get(_, name) {
      if (typeof name !== 'string') return undefined
      if (seen !== evaluation()) forget()
      const own = utilities[name]
      if (typeof own === 'function') return (...args: unknown[]) => orElse(own(...args), proxy)
      const utility = real[name]
      if (typeof utility !== 'function') return undefined
      return PLAIN_UTILITIES.includes(name) ? utility.bind(real) : () => refuse(`vi.${name} of vitest`)
    },
  })
  return proxy
}

/** The functions for mocks of modules, which work where the loader has moved their calls (loader/hoisting.ts). */
function moduleFunctions(real: Exports, major: number, refuse: FrameworkHost['refuse']) {
  const fn = real.fn as (original?: unknown) => object
  const callOf = (given: unknown): MockCall => {
    const factory = typeof given === 'function' ? (given as MockCall['factory']) : undefined
    const isSpying = (given as { spy?: unknown } | undefined)?.spy === true
    return { factory, isSpying, fn, isLoose: false }
  }
  return {
    mock(file: unknown, specifier: unknown, given: unknown) {
      if (!mockModule(file, specifier, callOf(given)))
        refuse('vi.mock of vitest in a function, or of a name that is not constant')
    },
    importActual: async (file: unknown, specifier: unknown) =>
      originalModule(file, specifier, false) ?? refuse('vi.importActual of vitest'),
    doMock(file: unknown, specifier: unknown, given: unknown) {
      try {
        if (!mockModuleNow(file, specifier, callOf(given))) refuse('vi.doMock of vitest in a package')
      } catch (error) {
        // Such a module can be mocked until version 3.
        if (isUnresolved(error) && major < 4) refuse('vi.doMock of vitest for a module that is not there')
        throw error
      }
    },
    doUnmock(file: unknown, specifier: unknown) {
      if (!unmockModuleNow(file, specifier)) refuse('vi.doUnmock of vitest in a package')
    },
    resetModules(file: unknown) {
      if (!forgetModules(file)) refuse('vi.resetModules of vitest in a package')
    },
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
