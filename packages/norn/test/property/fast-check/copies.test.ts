/** Fast-check 2, 3 and 4: what norn relies on is the same for each. */
import four from 'fast-check'
import two from 'fast-check-2'
import three from 'fast-check-3'
import { afterEach, describe, expect, it } from 'vitest'
import { type CurrentExecution, setCurrentExecution } from '../../../src/property/current.ts'
import { copyOf, type FastCheck, isPreconditionFailure } from '../../../src/property/fast-check/copies.ts'
import { fastCheckModule } from '../../../src/property/fast-check/module.ts'
import { takeFilterCount } from '../../../src/property/input/filters.ts'
import { prepareInput } from '../../../src/property/input/input.ts'
import { TapeRandom } from '../../../src/property/input/random.ts'
import { generateInput } from '../../../src/property/input/spans.ts'
import type { Property } from '../../../src/property/property.ts'
import { chance } from '../../../src/tape/chance.ts'
import { replaySource } from '../../../src/tape/replay.ts'
import { type ChoiceSource, Tape } from '../../../src/tape/tape.ts'

const COPIES: [string, FastCheck][] = [
  ['2', two as unknown as FastCheck],
  ['3', three as unknown as FastCheck],
  ['4', four],
]

const inTurn =
  (...values: number[]): ChoiceSource =>
  ({ index }) =>
    values[index]

function byChance(seed: number): ChoiceSource {
  const draws = chance(seed)
  return ({ min, max }) =>
    typeof min === 'bigint' ? draws.bigint(min, max as bigint) : draws.integer(min, Number(max))
}

function generate(arbitrary: four.Arbitrary<unknown>, source: ChoiceSource) {
  const tape = new Tape(source)
  const { value } = generateInput(arbitrary, TapeRandom.over(tape, 'x'), 'x')
  return { value, record: tape.record() }
}

/** What a property asserted in a body does to the execution. */
async function run(assertion: () => unknown, source: ChoiceSource = () => undefined) {
  const tape = new Tape(source)
  const refuse = () => {
    throw new Error('refused')
  }
  const body = { name: 'p', inputs: {}, body: () => {}, options: {}, mode: 'run' } satisfies Property
  const prepared = prepareInput(body, { from: 'tape' }, tape, refuse)
  setCurrentExecution(prepared.current as () => CurrentExecution)
  let error: unknown
  try {
    await assertion()
  } catch (thrown) {
    error = thrown
  }
  setCurrentExecution(undefined)
  return { error, discarded: prepared.discarded(), record: tape.record(), draws: prepared.live.draws }
}

afterEach(() => setCurrentExecution(undefined))

describe.each(COPIES)('fast-check %s', (major, copy) => {
  const fc = fastCheckModule(copy)

  it('is the version that it says', () => {
    expect(fc.__version.split('.')[0]).toBe(major)
    expect(fc.default.__version).toBe(fc.__version)
  })

  it('has no function that its version lacks', () => {
    expect(Object.keys(fc).filter((name) => name !== 'default')).toEqual(
      Object.keys(copy).filter((name) => name !== 'default'),
    )
  })

  it('generates the simplest values from an empty tape', () => {
    const all = fc.tuple(fc.nat(), fc.integer({ min: 3, max: 9 }), fc.array(fc.nat()), fc.double(), fc.bigInt())
    expect(generate(all, () => undefined).value).toEqual([0, 3, [], 0, 0n])
  })

  it.each([
    ['integers', (fc: FastCheck) => fc.integer()],
    ['doubles', (fc: FastCheck) => fc.double()],
    ['dates', (fc: FastCheck) => fc.date()],
    ['records', (fc: FastCheck) => fc.array(fc.record({ a: fc.nat(), b: fc.string() }))],
    ['anything', (fc: FastCheck) => fc.anything()],
    [
      'trees',
      (fc: FastCheck) => fc.letrec((tie) => ({ t: fc.oneof(fc.nat(), fc.boolean(), fc.tuple(tie('t'), tie('t'))) })).t,
    ],
  ])('generates %s again from their choices', (_, make) => {
    for (let seed = 1; seed <= 20; seed++) {
      const { value, record } = generate(make(fc), byChance(seed))
      const again = generate(make(fc), replaySource(record).source)
      expect(fc.stringify(again.value)).toBe(fc.stringify(value))
      expect(again.record).toEqual(record)
    }
  })

  it('has a span for each part, under the same labels', () => {
    const either = fc.array(fc.oneof(fc.nat(9).map(String), fc.nat(7)))
    const labels = generate(either, inTurn(2, 1, 6, 0, 5)).record.spans.map(({ label }) => label)
    expect(labels).toEqual(['x', 'x.*', 'x.*.1', 'x.*', 'x.*.0'])
  })

  it('generates values without a clone of any', () => {
    let clones = 0
    const cloneable = fc.nat().map((n) => Object.defineProperty({ n }, fc.cloneMethod, { value: () => ++clones }))
    const nested = fc.tuple(fc.array(cloneable), fc.nat()).map((pair) => pair)
    const { value } = generate(nested, inTurn(1, 7, 3))
    expect([JSON.stringify(value), clones]).toEqual(['[[{"n":7}],3]', 0])
  })

  it('counts what filters reject', () => {
    takeFilterCount()
    generate(
      fc.nat(9).filter((n) => n > 5),
      inTurn(1, 2, 8),
    )
    expect(takeFilterCount()).toEqual({ tried: 3, refused: 2 })
  })

  it('knows its commands and schedulers by their methods, and no other value', () => {
    const { value } = generate(fc.scheduler(), () => undefined)
    expect(copyOf(value)?.stringify(value)).toMatch(/^schedulerFor/)
    expect([copyOf({}), copyOf(null), copyOf('text')]).toEqual([undefined, undefined, undefined])
  })

  it('throws the error of a predicate, unchanged', async () => {
    const thrown = new TypeError('of the predicate')
    const failing = fc.property(fc.nat(), () => {
      throw thrown
    })
    const rejecting = fc.asyncProperty(fc.nat(), async () => {
      await null
      throw thrown
    })
    expect((await run(() => fc.assert(failing))).error).toBe(thrown)
    expect((await run(() => fc.assert(rejecting))).error).toBe(thrown)
  })

  it.each([
    ['false', false],
    ['something', 'text'],
  ])('fails where a predicate returns %s', async (_, value) => {
    const message = 'the property returned false'
    const returning = fc.property(fc.nat(), () => value as boolean)
    const resolving = fc.asyncProperty(fc.nat(), async () => value as boolean)
    expect((await run(() => fc.assert(returning))).error).toMatchObject({ message })
    expect((await run(() => fc.assert(resolving))).error).toMatchObject({ message })
  })

  it('passes where a predicate returns true or nothing', async () => {
    expect((await run(() => fc.assert(fc.property(fc.nat(), () => true)))).error).toBeUndefined()
    expect((await run(() => fc.assert(fc.asyncProperty(fc.nat(), async () => {})))).error).toBeUndefined()
  })

  it('forgets how an earlier run ended', async () => {
    const property = fc.property(fc.nat(), (n) => n !== 1)
    const runs = [inTurn(1), inTurn(0), inTurn(1)].map((source) => () => run(() => fc.assert(property), source))
    const failed: boolean[] = []
    for (const each of runs) failed.push((await each()).error !== undefined)
    expect(failed).toEqual([true, false, true])
  })

  it('discards an input that does not meet a precondition', async () => {
    const { error, discarded } = await run(() => fc.assert(fc.property(fc.nat(), () => void fc.pre(false))))
    expect({ error, discarded }).toEqual({ error: undefined, discarded: true })
    expect(isPreconditionFailure(new Error('another'))).toBe(false)
  })

  it('runs the hooks of a property once, around its predicate', async () => {
    const log: string[] = []
    const property = fc.property(fc.nat(), () => void log.push('run'))
    property.beforeEach(() => void log.push('before')).afterEach(() => void log.push('after'))
    const asynchronous = fc.asyncProperty(fc.nat(), async () => void log.push('run'))
    asynchronous.beforeEach(async () => void log.push('before')).afterEach(async () => void log.push('after'))
    expect((await run(() => fc.assert(property))).error).toBeUndefined()
    expect((await run(() => fc.assert(asynchronous))).error).toBeUndefined()
    expect(log).toEqual(['before', 'run', 'after', 'before', 'run', 'after'])
  })

  it('fails by the error of a hook', async () => {
    const property = fc.property(fc.nat(), () => {}).beforeEach(() => void fail())
    expect((await run(() => fc.assert(property))).error).toMatchObject({ message: 'of a hook' })
  })

  it('ignores the seed, path and number of runs of an assertion', async () => {
    const parameters = { seed: 7, path: '3:1', numRuns: 5, verbose: 2 }
    const property = fc.property(fc.nat(), () => {})
    const { draws } = await run(() => fc.assert(property, parameters))
    expect(draws).toMatchObject([{ value: 0 }])
  })

  it('picks tasks of a scheduler by choices of the schedule', async () => {
    const log: string[] = []
    const property = fc.asyncProperty(fc.nat(9), fc.scheduler(), async (_, scheduler) => {
      for (const name of ['a', 'b']) void scheduler.schedule(Promise.resolve(name)).then((each) => log.push(each))
      await scheduler.waitAll()
    })
    const source: ChoiceSource = ({ lane }) => (lane === 'schedule' ? 1 : 5)
    const { record, error } = await run(() => fc.assert(property), source)
    expect(error).toBeUndefined()
    expect(record.input.map(({ value }) => value)).toEqual([5])
    expect(record.schedule.map(({ value }) => value)).toEqual([1, 0])
    expect(log).toEqual(['b', 'a'])
  })
})

function fail(): never {
  throw new Error('of a hook')
}
