/**
 * The `expect` of the project's jest, 24 and later, with what its runner adds: snapshots, the name of the
 * test, and a check of `expect.assertions`.
 *
 * Snapshots are compared with those in the file or in the test, and never written: one that is not there
 * yet passes, as in jest without `--ci`.
 */
import { basename, dirname, join } from 'node:path'
import { chainOf, type Test, type TestWatch } from '../property/suites.ts'
import type { FrameworkHost } from './framework.ts'
import { type Callable, type Exports, installedThrough } from './installed.ts'

const CARRIERS = ['jest', '@jest/globals', '@jest/expect', 'jest-circus', '@jest/core', 'jest-cli']

interface State extends Exports {
  snapshotState?: object | undefined
}

/** Nothing of it is certain: a package of that name need not be jest's. */
interface Expect extends Callable {
  extend?(matchers: object): void
  getState?(): State
  setState?(state: State): void
  extractExpectedAssertionsErrors?(): readonly { readonly error: Error }[]
}

type Matcher = (this: State, ...args: unknown[]) => unknown

const SNAPSHOT_MATCHERS = [
  'toMatchSnapshot',
  'toMatchInlineSnapshot',
  'toThrowErrorMatchingSnapshot',
  'toThrowErrorMatchingInlineSnapshot',
]

export interface JestExpect {
  readonly expect: Expect
  /** The first number of its version. */
  readonly major: number
}

/** Undefined if the project has none. */
export function jestExpect(from: string): JestExpect | undefined {
  const exports = installedThrough('expect', CARRIERS, from) as unknown
  const named = exports as { expect?: Expect; default?: Expect } | undefined
  // Until version 27 the package is the function.
  const expect = typeof exports === 'function' ? (exports as Expect) : (named?.expect ?? named?.default)
  if (expect === undefined) return undefined
  const major = Number.parseInt(`${installedThrough('expect/package.json', CARRIERS, from)?.version}`, 10)
  return { expect, major }
}

/** Adds the matchers of snapshots. */
export function withSnapshots({ file, outside }: FrameworkHost, { expect, major }: JestExpect): Expect {
  const library = installedThrough('jest-snapshot', CARRIERS, file)
  const SnapshotState = library?.SnapshotState as (new (path: string, options: object) => object) | undefined
  const stateOf = () => {
    if (expect.getState?.().snapshotState === undefined && SnapshotState !== undefined) {
      const path = join(dirname(file), '__snapshots__', `${basename(file)}.snap`)
      const snapshotFormat = major >= 29 ? { escapeString: false, printBasicPrototype: false } : {}
      const options = {
        expand: false,
        updateSnapshot: 'new',
        snapshotFormat,
        prettierPath: null,
        rootDir: dirname(file),
      }
      expect.setState?.({ snapshotState: outside(() => new SnapshotState(path, options)) })
    }
    return expect.getState?.().snapshotState
  }
  const matching = (name: string): Matcher =>
    function (...args) {
      const matcher = library?.[name] as Matcher | undefined
      // Outside of ordinary tests values are generated.
      if (matcher === undefined || expect.getState?.().testPath === undefined) return PASSED
      // Jest lets a test go on behind a snapshot that differs, and fails it at its end.
      return matcher.call({ ...this, dontThrow: () => {}, snapshotState: stateOf() }, ...args)
    }
  expect.extend?.(Object.fromEntries(SNAPSHOT_MATCHERS.map((name) => [name, matching(name)])))
  const addSerializer = library?.addSerializer
  if (addSerializer !== undefined) Object.assign(expect, { addSnapshotSerializer: addSerializer })
  return expect
}

const PASSED = { pass: true, message: () => '' }

/** What jest's runner does with `expect` around each test. */
export function expectWatch(file: string, { expect }: JestExpect): TestWatch {
  return {
    begins(test) {
      expect.extractExpectedAssertionsErrors?.()
      const currentTestName = jestName(test)
      expect.setState?.({ currentTestName, testPath: file, snapshotState: undefined, suppressedErrors: [] })
    },
    ends() {
      const [first] = expect.extractExpectedAssertionsErrors?.() ?? []
      if (first !== undefined) throw first.error
    },
  }
}

function jestName({ suite, title }: Test): string {
  return [...chainOf(suite).map((each) => each.title), title].filter((each) => each !== '').join(' ')
}
