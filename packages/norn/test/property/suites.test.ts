/** Suites, tests and hooks as existing test files declare them. */
import { describe, expect, it } from 'vitest'
import { rowsOf, rowTitle } from '../../src/frameworks/titles.ts'
import { type Action, modeOf, SuiteCollection, type TestMode, withHooks } from '../../src/property/suites.ts'

const nothing = () => {}

function declared(mode: TestMode, body: Action = nothing) {
  return { mode, settings: {}, body, text: '' }
}

function collected(declare: (suites: SuiteCollection) => void) {
  const suites = new SuiteCollection()
  declare(suites)
  return suites.tests
}

describe('names', () => {
  it('join the titles of suites, and tell equal ones apart', () => {
    const tests = collected((suites) => {
      suites.suite('outer', 'run', {}, () => {
        suites.suite('inner', 'run', {}, () => suites.test('is', declared('run', nothing)))
        suites.test('is', declared('run', nothing))
        suites.test('is', declared('run', nothing))
      })
    })
    expect(tests.map(({ name }) => name)).toEqual(['outer > inner > is', 'outer > is', 'outer > is (2)'])
  })

  it('stay with a suite that declares its tests after waiting', async () => {
    const suites = new SuiteCollection()
    suites.suite('late', 'run', {}, async () => {
      await null
      suites.test('comes', declared('run', nothing))
    })
    await suites.settled('x.test.ts')
    suites.test('outside', declared('run', nothing))
    expect(suites.tests.map(({ name }) => name)).toEqual(['late > comes', 'outside'])
  })

  it.each([
    ['adds %i and %s', [1, 'b'], 'adds 1 and b'],
    ['100%% of %j, row %# or %$', [{ a: 1 }], '100% of {"a":1}, row 4 or 5'],
    ['$name of $inner.deep, $missing', [{ name: 'x', inner: { deep: 2 } }], 'x of 2, $missing'],
    ['too few: %s %s', ['a'], 'too few: a %s'],
  ])('fill %s from a row', (title, row, filled) => {
    expect(rowTitle(title, row, 4)).toBe(filled)
  })

  it('take the columns of a table from its first line', () => {
    const table = (strings: TemplateStringsArray, ...values: unknown[]) => rowsOf(strings, values)
    const rows = table`
      a    | b
      ${1} | ${2}
      ${3} | ${4}
    `
    expect(rows).toEqual([[{ a: 1, b: 2 }], [{ a: 3, b: 4 }]])
  })
})

describe('modes', () => {
  it('hold for all that a suite contains, skipping before anything else', () => {
    const tests = collected((suites) => {
      suites.suite('skipped', 'skip', {}, () => suites.test('a', declared('only', nothing)))
      suites.suite('alone', 'only', {}, () => suites.test('b', declared('run', nothing)))
      suites.test('c', declared('run', nothing))
    })
    expect(tests.map(modeOf)).toEqual(['skip', 'only', 'run'])
  })
})

describe('hooks', () => {
  function logging(wait: boolean) {
    const log: string[] = []
    const say = (what: string) => () => {
      log.push(what)
      return wait ? Promise.resolve() : undefined
    }
    const suites = new SuiteCollection()
    const declare = (name: string) => {
      for (const kind of ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'] as const) {
        suites.hook(kind, say(`${kind} ${name}`))
      }
    }
    declare('outer')
    suites.suite('inner', 'run', {}, () => {
      declare('inner')
      suites.test('it', declared('run', say('test')))
    })
    return { log, test: suites.tests[0]! }
  }
  const ORDER = [
    ...['beforeAll outer', 'beforeAll inner', 'beforeEach outer', 'beforeEach inner', 'test'],
    ...['afterEach inner', 'afterEach outer', 'afterAll inner', 'afterAll outer'],
  ]

  it('run around a test from the outside in and back, at once where nothing waits', () => {
    const { log, test } = logging(false)
    expect(withHooks(test.suite, test.body)).toBeUndefined()
    expect(log).toEqual(ORDER)
  })

  it('are waited for', async () => {
    const { log, test } = logging(true)
    await withHooks(test.suite, test.body)
    expect(log).toEqual(ORDER)
  })

  it('may give back what undoes them', () => {
    const log: string[] = []
    const suites = new SuiteCollection()
    suites.hook('beforeEach', () => () => log.push('undone'))
    suites.test(
      'it',
      declared('run', () => log.push('test')),
    )
    withHooks(suites.root, suites.tests[0]!.body)
    expect(log).toEqual(['test', 'undone'])
  })
})
