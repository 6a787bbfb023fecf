import { describe, expect, test } from 'vitest'
import { NODE_PLATFORM } from '../../src/node/platform.ts'
import { Arena } from '../../src/values/arena.ts'
import { Permuter, permutationGroup } from '../../src/values/symmetry.ts'
import type { Tuple } from '../../src/values/value.ts'
import { make, read } from './naive.ts'

const arena = new Arena()
const value = (text: string) => make(arena, read(text))

const SWAP = '(r1 :> r2 @@ r2 :> r1)'
const TURN = '(r1 :> r2 @@ r2 :> r3 @@ r3 :> r1)'

test.each([
  ['{}', 0],
  ['{(r1 :> r1 @@ r2 :> r2)}', 0],
  [`{${SWAP}}`, 1],
  [`{${TURN}}`, 2],
  [`{${SWAP}, ${TURN}}`, 5],
  [`{${SWAP}, (a1 :> a2 @@ a2 :> a1)}`, 3],
])('%s generates %d permutations besides the identity', (text, count) => {
  expect(permutationGroup(value(text))).toHaveLength(count)
})

describe('a permutation', () => {
  const [swap] = permutationGroup(value(`{${SWAP}}`)).map((permutation) => new Permuter(arena, permutation))

  test.each([
    ['r1', 'r2'],
    ['r3', 'r3'],
    ['{r1, r3}', '{r2, r3}'],
    ['<<r1, "r1", 1, TRUE>>', '<<r2, "r1", 1, TRUE>>'],
    ['[a |-> {r1}, b |-> r2]', '[a |-> {r2}, b |-> r1]'],
    ['(r1 :> 1 @@ r2 :> 2 @@ r3 :> r1)', '(r1 :> 2 @@ r2 :> 1 @@ r3 :> r2)'],
    ['{(r1 :> 1), (r3 :> 1)}', '{(r2 :> 1), (r3 :> 1)}'],
  ])('of %s is %s, and back', (before, after) => {
    expect(swap!.of(value(before))).toBe(value(after))
    expect(swap!.of(value(after))).toBe(value(before))
  })
})

test('a permutation holds also where ids stand for other values than before', () => {
  const own = new Arena(NODE_PLATFORM.memory)
  const [r1, r2] = [own.modelValue('r1'), own.modelValue('r2')]
  const swap = permutationGroup(make(own, read(`{${SWAP}}`))).map((permutation) => new Permuter(own, permutation))[0]!
  const made = (from: number) => Array.from({ length: 1000 }, (_, at) => own.tuple([from + at, r1]))
  const turned = ({ elements }: Tuple) => own.tuple([elements[0]!, r2])
  const check = (tuples: readonly Tuple[]) => {
    for (const tuple of tuples) expect(swap.of(tuple)).toBe(turned(tuple))
    for (const tuple of tuples) expect(swap.ofCode(own.code(tuple))).toBe(own.code(turned(tuple)))
  }
  const permuteSome = () => void made(0).map((tuple) => swap.of(tuple))
  permuteSome()
  // Only what they become is held, by its code.
  own.reclaim()
  expect(own.size).toBeLessThan(1100)
  check(made(5000))
})

test.each(['{1}', '{<<r1>>}', '{(r1 :> 1)}', '{(r1 :> r2)}', '{(r1 :> r2 @@ r2 :> r2)}'])(
  '%s is not a set of permutations of model values',
  (text) => {
    expect(() => permutationGroup(value(text))).toThrow('a symmetry set contains permutations of model values, not')
  },
)

test('a set that generates too many permutations is refused', () => {
  const names = Array.from({ length: 9 }, (_, at) => `r${at + 1}`)
  const turn = names.map((name, at) => `${name} :> ${names[(at + 1) % 9]}`).join(' @@ ')
  expect(() => permutationGroup(value(`{(${turn}), (r1 :> r2 @@ r2 :> r1)}`))).toThrow(
    'the symmetry set generates more than 50000 permutations',
  )
})
