/**
 * Assertions and mocks of the user's project, which test files use unchanged. The test runners of
 * these packages are not used.
 *
 * Node loads them once, outside of executions, and all executions share them, because loading takes
 * longer than most executions. Invariant: `expect` is the project's own version, so assertions
 * behave and report as in the project's test runner.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { hostRequire } from '../loader/internals.ts'
import { nodeModulePaths, resolveImport, resolveRequire } from '../loader/node-internals.ts'

export type Exports = Record<string, unknown>

/** The exports of a package, resolved from a file; undefined if it cannot be loaded. */
export function installed(specifier: string, from: string): Exports | undefined {
  const path = placeOf(specifier, from)
  if (path === undefined) return undefined
  try {
    return hostRequire(path) as Exports
  } catch {
    return undefined
  }
}

/** The path of a package's main file, resolved from a file; undefined if it is not installed. */
export function placeOf(specifier: string, from: string): string | undefined {
  try {
    return fileURLToPath(resolveImport(specifier, { parentURL: pathToFileURL(from).href }).url)
  } catch {
    try {
      const asking = { id: from, filename: from, paths: nodeModulePaths(dirname(from)) }
      return resolveRequire(specifier, asking, false)
    } catch {
      return undefined
    }
  }
}

/** A package that may be installed only as a dependency of others (pnpm hides those). */
export function installedThrough(specifier: string, through: readonly string[], from: string): Exports | undefined {
  const direct = installed(specifier, from)
  if (direct !== undefined) return direct
  for (const carrier of through) {
    const place = placeOf(join(carrier, 'package.json'), from) ?? placeOf(carrier, from)
    const found = place === undefined ? undefined : installed(specifier, place)
    if (found !== undefined) return found
  }
  return undefined
}

export type Callable = ((...args: unknown[]) => unknown) & Record<string, unknown>

const ignored = () => {}

export interface Assertions {
  readonly expect: Callable
  /** vitest's other assertions, and chai; empty for jest. */
  readonly others: Exports
}

/** Snapshot matchers always pass: generated values vary, and no runner stores the snapshots. */
const SNAPSHOTS = [
  'toMatchSnapshot',
  'toMatchInlineSnapshot',
  'toMatchFileSnapshot',
  'toThrowErrorMatchingSnapshot',
  'toThrowErrorMatchingInlineSnapshot',
]

function withoutRunner(expect: Callable): Callable {
  const passes = () => ({ pass: true, message: () => '' })
  const extend = expect.extend as ((matchers: object) => void) | undefined
  extend?.(Object.fromEntries(SNAPSHOTS.map((name) => [name, passes])))
  return new Proxy(expect, {
    // A soft assertion goes on after a failure, which norn reports at once.
    get: (target, name) => (name === 'soft' ? expect : Reflect.get(target, name)),
  })
}

/** The `expect` of the project's vitest; undefined if it has none. */
export function vitestAssertions(from: string): Assertions | undefined {
  const vitest = installed('vitest', from)
  if (vitest !== undefined) {
    const { expect, chai, assert, should, expectTypeOf, assertType } = vitest
    return { expect: withoutRunner(expect as Callable), others: { chai, assert, should, expectTypeOf, assertType } }
  }
  const place = placeOf('vitest', from)
  return place === undefined ? undefined : composedAssertions(place)
}

interface Chai {
  use(plugin: unknown): void
  expect: Callable & { extend(expect: unknown, matchers: object): void }
  assert: unknown
  should(): unknown
}

/** `expectTypeOf`, which checks nothing when a program runs: all of its members return another. */
const untyped: Callable = new Proxy((() => untyped) as unknown as Callable, { get: () => untyped })

/** Up to version 3, vitest cannot be imported outside its runner: composes `expect` as it does. */
function composedAssertions(place: string): Assertions | undefined {
  const chai = installedThrough('chai', ['@vitest/expect'], place) as unknown as Chai | undefined
  const parts = installed('@vitest/expect', place)
  if (chai === undefined || parts === undefined) return undefined
  for (const plugin of [parts.JestExtend, parts.JestChaiExpect, parts.JestAsymmetricMatchers]) chai.use(plugin)
  const asymmetric = Reflect.get(globalThis, parts.ASYMMETRIC_MATCHERS_OBJECT as symbol) as object
  const expect = ((value: unknown, message?: string) => chai.expect(value, message)) as Callable
  Object.assign(expect, chai.expect, asymmetric)
  const state = {}
  Object.assign(expect, {
    extend: (matchers: object) => chai.expect.extend(expect, matchers),
    getState: () => state,
    setState: (more: object) => Object.assign(state, more),
    assertions: ignored,
    hasAssertions: ignored,
    addSnapshotSerializer: ignored,
    unreachable: (message?: string) => {
      throw new Error(message ?? 'expected not to be reached')
    },
  })
  const others = { chai, assert: chai.assert, should: chai.should(), expectTypeOf: untyped, assertType: ignored }
  return { expect: withoutRunner(expect), others }
}

/** Replaces an `expect` that is not installed: throws when used. */
export function missingExpect(packages: string): Callable {
  const refuse = (): never => {
    throw new Error(`expect is not available: install ${packages} in this project, or assert with node:assert`)
  }
  return new Proxy(refuse as unknown as Callable, { get: refuse, apply: refuse })
}
