import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NODE_PLATFORM } from '../../src/node/platform.ts'
import { Arena } from '../../src/values/arena.ts'
import { hashOf } from '../../src/values/hash.ts'
import { StackFull } from '../../src/values/memory.ts'
import type { Canonical, FunctionValue, RecordValue, SetValue, Tuple } from '../../src/values/value.ts'
import { make, type Naive, someOfOneType, types } from './naive.ts'

const value = types.chain((type) => type)

describe('an arena', () => {
  test('has each value once, whatever it was made of', () => {
    const arena = new Arena()
    const [a, b] = [arena.modelValue('a'), arena.modelValue('b')]
    expect(arena.set([b, a, b])).toBe(arena.set([a, b]))
    expect(arena.function(arena.set([1, 2]), [a, b])).toBe(arena.tuple([a, b]))
    expect(arena.function(arena.set([arena.string('x')]), [1])).toBe(arena.record(arena.shape(['x']), [1]))
    expect(arena.function(arena.emptySet, [])).toBe(arena.emptyTuple)
    expect(arena.function(arena.set([2, 3]), [a, b])).toMatchObject({ kind: 'function' })
    expect(arena.interval(1, 3)).toBe(arena.set([3, 2, 1]))
    expect(arena.interval(1, 0)).toBe(arena.emptySet)
    expect(arena.tuple([])).not.toBe(arena.set([]))
  })

  test('keeps arrays apart that its callers use again', () => {
    const arena = new Arena()
    const elements = [1, 2]
    const tuple = arena.tuple(elements)
    elements[0] = 7
    expect(tuple.elements).toEqual([1, 2])
    expect(arena.tuple(elements)).not.toBe(tuple)
  })

  test('gives codes of 32 bits that name values exactly', () => {
    const arena = new Arena()
    const numbers = [0, 1, -1, 2 ** 30 - 1, 2 ** 30, -(2 ** 30), -(2 ** 30) - 1, 2 ** 31 - 1, -(2 ** 31)]
    const values = [...numbers, true, false, arena.string('a'), arena.emptySet, arena.tuple(numbers)]
    const codes = values.map((each) => arena.code(each))
    expect(codes.map((code) => arena.decode(code))).toEqual(values)
    expect(new Set(codes).size).toBe(values.length)
    for (const code of codes) expect(code | 0).toBe(code)
  })

  test('grows without losing values', () => {
    const arena = new Arena()
    const tuples = Array.from({ length: 20_000 }, (_, at) => arena.tuple([at, at + 1]))
    expect(new Set(tuples).size).toBe(tuples.length)
    for (const [at, tuple] of tuples.entries()) expect(arena.tuple([at, at + 1])).toBe(tuple)
    expect(arena.bytes).toBeGreaterThan(tuples.length * 64)
  })

  test('hashes by value: the same in another arena', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        const second = new Arena()
        make(second, other)
        expect(hashOf(make(second, one))).toBe(hashOf(make(new Arena(), one)))
      }),
    )
  })
})

describe('what differs in one part from a known value is the value that is made anew', () => {
  test('an element replaced', () => {
    fc.assert(
      fc.property(value, value, fc.nat(), (one, element, at) => {
        const arena = new Arena()
        const before = make(arena, one)
        fc.pre(typeof before === 'object' && isFunction(before) && before.elements.length > 0)
        const place = at % before.elements.length
        const elements = before.elements.with(place, make(arena, element))
        const changed = arena.withElement(before, place, elements[place]!)
        expect(changed.elements).toEqual(elements)
        expect(made(arena, before, elements)).toBe(changed)
        expect(arena.withElement(changed, place, before.elements[place]!)).toBe(before)
      }),
    )
  })

  test('an element appended', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), value, (some, last) => {
        const arena = new Arena()
        const elements = some.map((each) => make(arena, each))
        const appended = arena.appended(arena.tuple(elements), make(arena, last))
        expect(appended).toBe(arena.tuple([...elements, make(arena, last)]))
      }),
    )
  })

  test('an element taken from a set, and given back', () => {
    fc.assert(
      fc.property(someOfOneType(1, 6), fc.nat(), (some, at) => {
        const arena = new Arena()
        const set = arena.set(some.map((each) => make(arena, each)))
        const place = at % set.elements.length
        const element = set.elements[place]!
        const without = arena.setWithout(set, place)
        expect(without).toBe(arena.set(set.elements.filter((each) => each !== element)))
        expect(arena.knownSetWith(without, element)).toBe(set)
      }),
    )
  })
})

function isFunction(candidate: { kind: string }): candidate is Tuple | RecordValue | FunctionValue {
  return ['tuple', 'record', 'function'].includes(candidate.kind)
}

function made(arena: Arena, like: Tuple | RecordValue | FunctionValue, elements: SetValue['elements']) {
  if (like.kind === 'tuple') return arena.tuple(elements)
  return like.kind === 'record' ? arena.record(like.shape, elements) : arena.function(like.domain, elements)
}

test('functions over small numbers have hashes of their own', () => {
  const arena = new Arena()
  const digits = Array.from({ length: 4096 }, (_, at) => [at >> 9, (at >> 6) & 7, (at >> 3) & 7, at & 7])
  expect(new Set(digits.map((each) => hashOf(arena.tuple(each)))).size).toBe(4096)
  expect(new Set(digits.map((each) => hashOf(arena.tuple(each.map((digit) => digit + 1))))).size).toBe(4096)
})

describe('values that nobody holds', () => {
  test('are given back, and there is room for others', () => {
    const arena = new Arena(NODE_PLATFORM.memory)
    for (let at = 0; at < 10_000; at++) arena.tuple([at])
    expect(arena.size).toBeGreaterThan(10_000)
    const bytes = arena.bytes
    arena.reclaim()
    // What is on the stack may be held a little longer.
    expect(arena.size).toBeLessThan(100)
    expect(arena.bytes).toBeLessThan(bytes / 4)
    const tuples = Array.from({ length: 10_000 }, (_, at) => arena.tuple([at, at]))
    expect(new Set(tuples.map(({ id }) => id)).size).toBe(tuples.length)
    expect(Math.max(...tuples.map(({ id }) => id))).toBeLessThan(10_200)
  })

  test('stay if a code of theirs was given out', () => {
    const arena = new Arena(NODE_PLATFORM.memory)
    const codes = Array.from({ length: 1000 }, (_, at) => arena.code(arena.tuple([arena.set([at, -at])])))
    arena.reclaim()
    for (const [at, code] of codes.entries()) expect(arena.decode(code)).toBe(arena.tuple([arena.set([at, -at])]))
  })

  test('leave all others what they were: one object for each value', () => {
    const steps = fc.array(fc.array(fc.tuple(value, fc.boolean()), { maxLength: 6 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(steps, (steps) => {
        const arena = new Arena(NODE_PLATFORM.memory)
        const held: [Naive, Canonical][] = []
        for (const values of steps) {
          for (let other = 0; other < 300; other++) arena.tuple([held.length, arena.set([-other])])
          for (const [naive, isHeld] of values) {
            const made = make(arena, naive)
            if (isHeld) held.push([naive, made])
          }
          arena.reclaim()
          for (const [naive, made] of held) expect(make(arena, naive)).toBe(made)
        }
      }),
      { numRuns: 10 },
    )
  })

  test('stay what they were where the stack ends while others are given back', () => {
    const arena = new Arena(NODE_PLATFORM.memory)
    const held = Array.from({ length: 100 }, (_, at) => arena.tuple([at, arena.set([at, -at])]))
    const reclaimBelow = (frames: number): boolean => {
      if (frames > 0) return reclaimBelow(frames - 1)
      for (let at = 0; at < 200; at++) arena.tuple([at, frames, 'other'.length])
      arena.reclaim()
      return true
    }
    const isPossible = (frames: number) => {
      try {
        return reclaimBelow(frames)
      } catch (error) {
        // V8's of the frames above `reclaim`.
        if (!(error instanceof StackFull)) expect(error).toBeInstanceOf(RangeError)
        return false
      }
    }
    let [most, tooMany] = [0, 100_000]
    while (tooMany - most > 10) {
      const frames = (most + tooMany) >> 1
      if (isPossible(frames)) most = frames
      else tooMany = frames
    }
    for (let frames = most - 100; frames < most + 100; frames += 20) isPossible(frames)
    for (const [at, tuple] of held.entries()) expect(arena.tuple([at, arena.set([at, -at])])).toBe(tuple)
  })
})
