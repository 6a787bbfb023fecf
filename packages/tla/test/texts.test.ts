/** Specifications as texts in memory: the API of the core. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkSpecification, parseSpecification, TlaError } from '../src/index.ts'
import { checkSpecification as checkFile } from '../src/node/index.ts'

const model = (name: string) => new URL(`../../../models/${name}`, import.meta.url)
const text = (name: string) => readFileSync(model(name), 'utf8')

const COUNTER = `---- MODULE Counter ----
EXTENDS Naturals, TLC, Bound
VARIABLE x
Init == x = 0
Next == x < Most /\\ x' = x + 1 /\\ PrintT(x)
Small == x < 2
====`
const BOUND = '---- MODULE Bound ----\nMost == 3\n===='

describe('checkSpecification', () => {
  test.each(['TwoPhaseCommit', 'RaftElection', 'LeaseLock'])('counts as it does from files: %s', (name) => {
    const counts = checkFile(model(`${name}.tla`))
    const checked = checkSpecification({
      module: text(`${name}.tla`),
      modules: { Transaction: text('Transaction.tla') },
      configuration: text(`${name}.cfg`),
    })
    const { result, generated, distinct, depth, queue } = counts
    expect(checked).toMatchObject({ result, generated, distinct, depth, queue })
  })

  test('finds other modules among the texts, and hands over what is printed', () => {
    const printed: string[] = []
    const checked = checkSpecification(
      { module: COUNTER, modules: { Bound: BOUND }, configuration: 'INIT Init NEXT Next INVARIANT Small' },
      { deadlock: false, print: (lines) => printed.push(lines) },
    )
    expect(checked).toMatchObject({ result: 'invariant', name: 'Small', values: { x: '2' } })
    expect(checked.behaviour?.map(({ state }) => state)).toEqual([{ x: 0 }, { x: 1 }, { x: 2 }])
    expect(printed).toEqual(['0', '1'])
  })

  test('refuses wrong texts with the place, and wrong options', () => {
    const texts = { module: COUNTER, modules: { Bond: BOUND } }
    const problem = "module `Bound` not found: looked for `Bound.tla` among the given modules and among norn's modules"
    expect(() => checkSpecification(texts)).toThrow(problem)
    expect(() => checkSpecification(texts)).toThrow(TlaError)
    expect(() => checkSpecification({ module: 'x == 1' })).toThrow(
      'the text has no module: start it with `---- MODULE Name ----`',
    )
    expect(() => checkSpecification(texts, { timeMs: 0 })).toThrow('expected `timeMs` to be a number above 0, found 0')
  })

  test('has no files', () => {
    const module = '---- MODULE Reads ----\nEXTENDS Json\nASSUME JsonDeserialize("a.json") = 1\n===='
    const { result, error } = checkSpecification({ module })
    expect([result, error?.message]).toEqual(['error', 'cannot read the file a.json: this platform has no files'])
  })
})

test('parseSpecification gives what a module declares', () => {
  const parsed = parseSpecification({ module: COUNTER, modules: { Bound: BOUND } })
  expect(parsed).toMatchObject({ name: 'Counter', constants: [], variables: ['x'], warnings: [] })
  expect(parsed.definitions).toEqual(expect.arrayContaining(['Init', 'Next', 'Small', 'Most']))
})
