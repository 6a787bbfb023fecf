import { expect, test } from 'vitest'
import { disabled, type ModelDefinition } from '../../src/model/definition.ts'
import { reachable } from '../../src/model/reachable.ts'

/** Die Hard: jugs of three and five gallons; can there be four? */
type Jugs = { readonly small: number; readonly big: number }

const JUGS: ModelDefinition<Jugs> = {
  init: { small: 0, big: 0 },
  actions: {
    FillSmall: (state) => ({ ...state, small: 3 }),
    FillBig: (state) => ({ ...state, big: 5 }),
    EmptySmall: (state) => ({ ...state, small: 0 }),
    EmptyBig: (state) => ({ ...state, big: 0 }),
    SmallToBig: ({ small, big }) => ({ small: Math.max(0, small + big - 5), big: Math.min(5, small + big) }),
    BigToSmall: ({ small, big }) => ({ small: Math.min(3, small + big), big: Math.max(0, small + big - 3) }),
  },
}
const everything = () => Object.keys(JUGS.actions).map((action) => ({ action }))

test('all distinct states are reached: TLC has 16 of 97 generated', () => {
  const { states, transitions, diameter, deadlocks } = reachable(JUGS, everything)
  expect(states).toHaveLength(16)
  // TLC counts the initial state too.
  expect(transitions + 1).toBe(97)
  expect(diameter).toBe(7)
  expect(deadlocks).toEqual([])
})

test('a broken invariant is told with the shortest way to it', () => {
  const invariant = ({ big }: Jugs) => big !== 4
  expect(() => reachable({ ...JUGS, invariant }, everything)).toThrow(
    "the model's invariant is broken after FillBig(), BigToSmall(), EmptySmall(), BigToSmall(), FillBig(), BigToSmall(): it returned false",
  )
})

test('states in which nothing can happen are told', () => {
  const countdown: ModelDefinition<{ left: number }> = {
    init: { left: 2 },
    actions: { Take: ({ left }, many: number) => (many > left ? disabled('too many') : { left: left - many }) },
  }
  const { states, deadlocks } = reachable(countdown, () =>
    [1, 2].map((many) => ({ action: 'Take', parameters: [many] })),
  )
  expect(states).toEqual([{ left: 2 }, { left: 1 }, { left: 0 }])
  expect(deadlocks).toEqual([{ left: 0 }])
})

test('a model without an end is refused', () => {
  const endless: ModelDefinition<{ at: number }> = { init: { at: 0 }, actions: { Next: ({ at }) => ({ at: at + 1 }) } }
  expect(() => reachable(endless, () => [{ action: 'Next' }], 100)).toThrow('the model reaches more than 100 states')
})
