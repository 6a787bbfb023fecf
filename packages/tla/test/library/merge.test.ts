import { expect, test } from 'vitest'
import { randomFrom } from '#shared/random'
import { merged, reduced } from '../../src/library/merge.ts'
import { domainOfListed, functionOfPairs, type ListedFunction } from '../../src/library/operands.ts'
import { Arena } from '../../src/values/arena.ts'
import type { Canonical } from '../../src/values/value.ts'

/**
 * Functions over some of 1..6 and over some of six strings, so that tuples and records are among
 * them.
 */
function* functions(arena: Arena): Generator<readonly [ListedFunction, ListedFunction]> {
  const random = randomFrom(7)
  const keys = [[1, 2, 3, 4, 5, 6], ['a', 'b', 'c', 'd', 'e', 'f'].map((text) => arena.string(text))] as const
  const some = (among: readonly Canonical[]) =>
    functionOfPairs(
      arena,
      new Map(among.filter(() => random.coin(0.5)).map((key) => [key, random.integer(1, 4)] as const)),
    )
  for (let round = 0; round < 300; round++) {
    const among = keys[round % 2]!
    yield [some(among), some(among)]
  }
}

function pairsOf(arena: Arena, value: ListedFunction): Map<Canonical, Canonical> {
  return new Map(domainOfListed(arena, value).elements.map((key, at) => [key, value.elements[at]!]))
}

test('merged is what a table of both gives', () => {
  const arena = new Arena()
  const sum = (left: Canonical, right: Canonical) => (left as number) + (right as number)
  for (const [left, right] of functions(arena)) {
    const table = pairsOf(arena, left)
    for (const [key, value] of pairsOf(arena, right)) {
      const known = table.get(key)
      table.set(key, known === undefined ? value : sum(known, value))
    }
    expect(merged(arena, left, right, sum)).toBe(functionOfPairs(arena, table))
  }
})

test('reduced is what a table without those gives', () => {
  const arena = new Arena()
  for (const [left, right] of functions(arena)) {
    const others = pairsOf(arena, right)
    const table = new Map([...pairsOf(arena, left)].filter(([key, value]) => value > (others.get(key) ?? 0)))
    const found = reduced(arena, left, right, (value, other = 0) => (value > other ? value : undefined))
    expect(found).toBe(functionOfPairs(arena, table))
  }
})

test('arguments that do not compare are refused', () => {
  const arena = new Arena()
  const numbered = functionOfPairs(arena, new Map([[1, 1]]))
  const named = functionOfPairs(arena, new Map([[arena.string('a'), 1]]))
  expect(() => merged(arena, numbered, named, (left) => left)).toThrow('attempted to compare')
})
