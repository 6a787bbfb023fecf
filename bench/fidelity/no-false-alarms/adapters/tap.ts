/**
 * tap (16-21, https://node-tap.org): `t` and `t.test`, mocked modules and folders of fixtures.
 *
 * Departs: snapshots are not compared, and there is no mocked clock.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AssertionTest, type Body, type Dialect, readTest } from './assertion-test.ts'
import { root } from './collected.ts'
import type { CollectedTest } from './group.ts'

type Fixtures = { readonly [name: string]: string | Fixtures }

class TapTest extends AssertionTest {
  constructor(title: string, parent?: AssertionTest) {
    super(title, TAP, parent)
  }

  /** Makes a folder of files; it goes with the test. */
  testdir(fixtures: Fixtures = {}): string {
    const folder = mkdtempSync(join(tmpdir(), 'tap-testdir-'))
    fill(folder, fixtures)
    this.teardown(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  mock(path: string, mocks: Readonly<Record<string, unknown>> = {}): unknown {
    const file = fileURLToPath(import.meta.resolve('suite-under-test'))
    return requireWithMocks(path, file, mocks)
  }

  async mockImport(path: string, mocks: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return this.mock(path, mocks)
  }

  /** Replaces a property until the test has ended. */
  intercept(object: object, name: string, descriptor: PropertyDescriptor): void {
    const before = Object.getOwnPropertyDescriptor(object, name)
    Object.defineProperty(object, name, { ...descriptor, configurable: true })
    this.teardown(() => {
      if (before === undefined) Reflect.deleteProperty(object, name)
      else Object.defineProperty(object, name, before)
    })
  }

  matchSnapshot(): boolean {
    return this.pass()
  }
}

const TAP: Dialect = { create: (title, parent) => new TapTest(title, parent), subtestsAtOnce: true }

const NAMES: Readonly<Record<string, readonly string[]>> = {
  equal: ['is', 'strictEqual', 'equals', 'isEqual'],
  not: ['isNot', 'notEqual', 'inequal', 'isInequal'],
  looseSame: ['same', 'isEquivalent', 'looseEquivalent'],
  notLooseSame: ['notSame'],
  strictSame: ['deepEqual', 'strictDeepEqual', 'strictEquivalent'],
  notStrictSame: ['strictNotSame', 'notDeepEqual'],
  match: ['has', 'hasStrict', 'similar', 'like'],
  ok: ['true', 'assert'],
  notOk: ['false', 'notok'],
  error: ['ifError', 'ifErr', 'iferror'],
  type: ['isa', 'isA'],
  mock: ['mockRequire'],
}
const prototype = TapTest.prototype as unknown as Record<string, unknown>
for (const [name, others] of Object.entries(NAMES)) for (const other of others) prototype[other] = prototype[name]

function fill(folder: string, fixtures: Fixtures): void {
  for (const [name, content] of Object.entries(fixtures)) {
    const path = join(folder, name)
    if (typeof content === 'string') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    } else {
      mkdirSync(path, { recursive: true })
      fill(path, content)
    }
  }
}

function declare(mode: CollectedTest['mode']) {
  return (...given: unknown[]): Promise<void> => {
    const { title, options, body } = readTest(given)
    const skipped = body === undefined || options.skip || options.todo
    root.add(title, skipped ? 'skip' : options.only ? 'only' : mode, () => new TapTest(title, t).run(body as Body))
    return Promise.resolve()
  }
}

/** The file as a whole is a test too: what it asserts at its top level is thrown where it fails. */
class File extends TapTest {
  override hold(hold: () => void): boolean {
    hold()
    return true
  }

  override test = Object.assign(declare('run'), { skip: declare('skip'), only: declare('only') }) as never

  override plan(): void {}
  override end(): void {}

  override teardown(step: () => unknown): void {
    root.hooks.after.push(step)
  }

  override beforeEach(step: Body): void {
    root.hooks.beforeEach.push(() => step(this))
  }

  override afterEach(step: Body): void {
    root.hooks.afterEach.push(() => step(this))
  }
}

const t = new File('')
export const { test } = t as unknown as { test: ReturnType<typeof declare> }

export default t
export { t, t as 'module.exports' }

type Require = (this: { require: unknown }, id: string) => unknown

/**
 * Requires a module again, with mocks for the modules that it requires.
 *
 * @param from the file whose `require` finds the module
 * @param mocks by the specifier of the require, or by one relative to the same file
 */
function requireWithMocks(path: string, from: string, mocks: Readonly<Record<string, unknown>>): unknown {
  const require = createRequire(from)
  const { cache } = require
  const file = require.resolve(path)
  const before = { ...cache }
  for (const key of Object.keys(cache)) if (!key.includes('node_modules')) delete cache[key]
  const prototype = Module.prototype as unknown as { require: Require }
  const real = prototype.require
  prototype.require = function (id) {
    return Object.hasOwn(mocks, id) ? mocks[id] : real.call(this, id)
  }
  try {
    return require(file)
  } finally {
    prototype.require = real
    for (const key of Object.keys(cache)) delete cache[key]
    Object.assign(cache, before)
  }
}
