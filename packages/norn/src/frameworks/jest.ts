/**
 * Replaces `@jest/globals`, `mocha` and the globals of jest, mocha and vitest by one set of
 * functions: functions that the frameworks share behave the same.
 *
 * Invariant: a body with a parameter receives what its runner would pass: a callback, or vitest's
 * context if the parameter is destructured.
 */
import { isThenable, type TestWatch } from '../property/suites.ts'
import type { Framework, FrameworkHost } from './framework.ts'
import { type Exports, missingExpect, placeOf } from './installed.ts'
import { expectWatch, jestExpect, withSnapshots } from './jest-expect.ts'
import { type JestObject, jestObject } from './jest-object.ts'
import { callOfMocha, callSuiteOfMocha, declaredByMocha, watchOfMocha } from './mocha.ts'
import { testConfigurationOf } from './test-configuration.ts'
import { declaring, type Flavour, hooking, withCallback } from './test-functions.ts'
import { vitestModule } from './vitest.ts'

const JEST_TIMEOUT_MS = 5000
/** Concurrent tests at a time. */
const JEST_AT_ONCE = 5
const MOCHA_TIMEOUT_MS = 2000

function jestFlavour({ file }: FrameworkHost, jest: JestObject): Flavour {
  const { testTimeoutMs: timeoutMs = JEST_TIMEOUT_MS, retry = 0 } = testConfigurationOf(file, true)
  const found = jestExpect(file)
  const isStrict = found !== undefined && found.major >= FIRST_STRICT
  const watches = [jest.watch, ...(found === undefined ? [] : [expectWatch(file, found)])]
  return {
    name: 'jest',
    defaults: { timeoutMs, hookTimeoutMs: timeoutMs, retry, atOnce: JEST_AT_ONCE },
    watch: allOf(watches),
    call(call) {
      const { body, values, kind } = call
      if (body.length <= values.length)
        return isStrict && kind === 'test' ? withoutValue(body(...values)) : body(...values)
      return withCallback((done) => {
        if (body(...values, done) !== undefined && isStrict)
          throw new Error('a test takes a callback or returns something, not both')
      })
    },
  }
}

/** The runner of jest 27 and later takes only promises for a result. */
const FIRST_STRICT = 27

function withoutValue(given: unknown): unknown {
  if (given === undefined || isThenable(given) || isGenerator(given)) return given
  throw new Error(`a test returns a promise or nothing; this one returns ${typeof given}`)
}

function isGenerator(value: unknown): boolean {
  return typeof (value as { next?: unknown } | null)?.next === 'function'
}

function allOf(watches: readonly TestWatch[]): TestWatch {
  return {
    begins: (test) => {
      for (const watch of watches) watch.begins(test)
    },
    ends: (test) => {
      for (const watch of watches) watch.ends?.(test)
    },
  }
}

function mochaFlavour({ file }: FrameworkHost): Flavour {
  const { testTimeoutMs = MOCHA_TIMEOUT_MS, retry = 0 } = testConfigurationOf(file, true)
  return {
    name: 'mocha',
    defaults: { timeoutMs: testTimeoutMs, hookTimeoutMs: testTimeoutMs, retry },
    watch: watchOfMocha,
    call: callOfMocha,
    callSuite: callSuiteOfMocha,
    declared: declaredByMocha,
  }
}

export function jestModule(host: FrameworkHost): Exports {
  const expect = expectOfJest(host) ?? missingExpect('jest, or the package expect,')
  const jest = jestObject(host)
  return functionsOf(jestFlavour(host, jest), jest, expect)
}

function mochaModule(host: FrameworkHost): Exports {
  return functionsOf(mochaFlavour(host), jestObject(host), globalExpect(host))
}

export const jest: Framework = { specifier: '@jest/globals', module: jestModule, definesJest: true }
export const mocha: Framework = { specifier: 'mocha', module: mochaModule, leavesNothing: isWithoutExpect }

/** The globals of test files: those of the runner that the project has. */
export function globalFunctions(host: FrameworkHost): Exports {
  const runner = runnerOf(host.file)
  // First: it defines what the `expect` of jest leaves alone, and not the other way round.
  const vitest = placeOf('vitest', host.file) === undefined ? undefined : vitestModule(host)
  // Libraries ask whether there is a `jest`, to move its clock.
  if (vitest !== undefined && runner === 'vitest') return vitest
  const jest = jestObject(host)
  const flavour = runner === 'mocha' ? mochaFlavour(host) : jestFlavour(host, jest)
  const { default: _, ...functions } = functionsOf(flavour, jest, vitest?.expect ?? globalExpect(host))
  return vitest === undefined ? functions : { ...functions, vi: vitest.vi }
}

/** Whether the globals of a file leave nothing in the process (see `Framework`). */
export function globalsLeaveNothing(host: FrameworkHost): boolean {
  return runnerOf(host.file) === 'mocha' && isWithoutExpect(host)
}

function isWithoutExpect({ file }: FrameworkHost): boolean {
  return placeOf('vitest', file) === undefined && jestExpect(file) === undefined
}

/** The runner of a file that uses globals: that of the nearest configuration, or else one that is installed. */
function runnerOf(file: string): 'vitest' | 'jest' | 'mocha' {
  const { runner } = testConfigurationOf(file, true)
  return runner ?? (['vitest', 'jest', 'mocha'] as const).find((name) => placeOf(name, file) !== undefined) ?? 'jest'
}

function globalExpect(host: FrameworkHost): unknown {
  if (placeOf('vitest', host.file) !== undefined) return vitestModule(host).expect
  return expectOfJest(host) ?? missingExpect('vitest, jest or the package expect')
}

function expectOfJest(host: FrameworkHost): unknown {
  const found = jestExpect(host.file)
  return found && withSnapshots(host, found)
}

function functionsOf(flavour: Flavour, { object }: JestObject, expect: unknown): Exports {
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
    jest: object,
  }
  return { ...exports, default: exports }
}
