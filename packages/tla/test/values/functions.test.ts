import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TlaError } from '../../src/error/error.ts'
import { Arena } from '../../src/values/arena.ts'
import { asSet, canonical } from '../../src/values/canonical.ts'
import { interval } from '../../src/values/enumerated-sets.ts'
import { equal } from '../../src/values/equality.ts'
import { apply, domainOf, field } from '../../src/values/functions.ts'
import { member } from '../../src/values/member.ts'
import { printValue } from '../../src/values/print.ts'
import { functionOf, recordOf, ruleFunction, tupleOf, updated } from '../../src/values/rule-functions.ts'
import { functionSet, integers, naturals } from '../../src/values/symbolic-sets.ts'
import type { Value } from '../../src/values/value.ts'
import { make, read, types } from './naive.ts'

const arena = new Arena()
const value = (text: string) => make(arena, read(text))
const nat = naturals(arena)

test.each([
  ['<<1, 2>>', '2', '2'],
  ['(2 :> 5 @@ 3 :> 6)', '3', '6'],
  ['[a |-> 1, b |-> 2]', '"b"', '2'],
  ['(r1 :> 0 @@ r2 :> 1)', 'r2', '1'],
  ['({1} :> 0 @@ {1, 2} :> 1)', '{2, 1}', '1'],
])('%s[%s] is %s', (of, argument, result) => {
  expect(apply(value(of), value(argument))).toBe(value(result))
})

test.each([
  ['<<1, 2>>', '3', 'the tuple <<1, 2>> to 3, which is not in its domain 1..2'],
  ['<<1, 2>>', '0', 'which is not in its domain 1..2'],
  ['<<1, 2>>', '"a"', 'the tuple <<1, 2>> to "a"'],
  ['[a |-> 1]', '"b"', 'the record [a |-> 1] to "b", which is not in its domain {"a"}'],
  ['(2 :> 1)', '1', 'the function (2 :> 1) to 1, which is not in its domain {2}'],
  ['(2 :> 1)', '"a"', 'attempted to compare'],
  ['{1}', '1', 'attempted to apply the set {1} as a function, to the argument 1'],
  ['r1', '1', 'attempted to apply the model value r1 as a function'],
])('%s[%s] is refused', (of, argument, message) => {
  expect(() => apply(value(of), value(argument))).toThrow(message)
})

test('a field that a record does not have is refused, and those that it has are named', () => {
  expect(field(value('[a |-> 1, b |-> 2]'), 'b')).toBe(2)
  expect(field(value('(r1 :> 1 @@ "a" :> 2)'), 'a')).toBe(2)
  expect(() => field(value('[a |-> 1, b |-> 2]'), 'c')).toThrow(
    'attempted to access the field c of the record [a |-> 1, b |-> 2], which has a, b',
  )
  expect(() => field(value('<<1>>'), 'c')).toThrow('attempted to access the field c of the tuple <<1>>')
})

test('a function over a large domain finds all of its keys, and no other', () => {
  const pairs = Array.from({ length: 100 }, (_, at) => arena.tuple([at % 10, Math.floor(at / 10)]))
  const domain = arena.set(pairs.slice())
  const identity = arena.function(domain, domain.elements)
  for (const pair of pairs) expect(apply(identity, pair)).toBe(pair)
  expect(() => apply(identity, arena.tuple([0, 10]))).toThrow('which is not in its domain')
  expect(() => apply(identity, arena.string('a'))).toThrow('attempted to compare')
})

test('DOMAIN is of functions only', () => {
  expect(domainOf(arena, value('<<7, 7>>'))).toBe(value('{1, 2}'))
  expect(domainOf(arena, value('<<>>'))).toBe(arena.emptySet)
  expect(domainOf(arena, value('[a |-> 7]'))).toBe(value('{"a"}'))
  expect(domainOf(arena, value('(r1 :> 7)'))).toBe(value('{r1}'))
  expect(() => domainOf(arena, 1)).toThrow('attempted to take the DOMAIN of the integer 1')
})

describe('EXCEPT', () => {
  test.each([
    ['<<1, 2>>', '2', '"x"', '<<1, "x">>'],
    ['<<1, 2>>', '3', '"x"', '<<1, 2>>'],
    ['[a |-> 1]', '"a"', '"x"', '[a |-> "x"]'],
    ['[a |-> 1]', '"b"', '"x"', '[a |-> 1]'],
    ['(r1 :> 1 @@ r2 :> 2)', 'r1', '3', '(r1 :> 3 @@ r2 :> 2)'],
    ['(r1 :> 1 @@ r2 :> 2)', 'r3', '3', '(r1 :> 1 @@ r2 :> 2)'],
    ['[a |-> 1]', 'r1', '3', '[a |-> 1]'],
  ])('[%s EXCEPT ![%s] = %s] is %s', (of, key, element, result) => {
    expect(updated(arena, value(of), value(key), value(element))).toBe(value(result))
  })

  test.each([
    ['1', '1', 'attempted to apply EXCEPT to the integer 1'],
    ['<<1>>', '"a"', 'its indices are integers'],
    ['[a |-> 1]', '1', 'its fields are strings'],
    ['(2 :> 3)', '"a"', 'attempted to compare'],
  ])('[%s EXCEPT ![%s] = 0] is refused', (of, key, message) => {
    expect(() => updated(arena, value(of), value(key), 0)).toThrow(message)
  })

  test('of a function over Nat answers for its key, and is refused outside of the domain', () => {
    const changed = updated(
      arena,
      ruleFunction(arena, nat, (argument) => argument),
      1,
      3,
    )
    expect([0, 1, 2].map((argument) => apply(changed, argument))).toEqual([0, 3, 2])
    expect(() => apply(changed, -1)).toThrow('which is not in its domain')
  })
})

describe('a function given by a rule', () => {
  test('over a finite domain is evaluated at once, in the form that its domain asks for', () => {
    fc.assert(
      fc.property(
        types.chain((type) => fc.array(type, { maxLength: 5 })),
        (some) => {
          const own = new Arena()
          const domain = own.set(some.map((each) => make(own, each)))
          const identity = functionOf(own, domain, (argument) => argument)
          expect(domainOf(own, identity)).toBe(domain)
          for (const key of domain.elements) expect(apply(identity, key)).toBe(key)
          expect(canonical(identity)).toBe(own.function(domain, domain.elements))
        },
      ),
    )
  })

  test('is listed later if some element has no value, and gives those that have one', () => {
    const half = functionOf(arena, arena.interval(1, 2), (argument) => {
      if (argument === 2) throw new TlaError('evaluation', 'no value')
      return argument
    })
    expect(apply(half, 1)).toBe(1)
    expect(() => apply(half, 2)).toThrow('no value')
    expect(() => canonical(half)).toThrow('no value')
    expect(printValue(half)).toBe('[x \\in 1..2 |-> ...]')
  })

  test('asks its rule once for each argument, so that recursion is as fast as a table', () => {
    let calls = 0
    const fibonacci: Value = ruleFunction(arena, nat, (argument) => {
      calls++
      const n = argument as number
      return n < 2 ? n : (apply(fibonacci, n - 1) as number) + (apply(fibonacci, n - 2) as number)
    })
    expect(apply(fibonacci, 40)).toBe(102334155)
    expect(calls).toBe(41)
  })

  test('over an infinite domain is neither listed nor compared', () => {
    const identity = ruleFunction(arena, nat, (argument) => argument)
    expect(() => apply(identity, -1)).toThrow('[x \\in Nat |-> ...] to -1, which is not in its domain')
    expect(() => canonical(identity)).toThrow('attempted to enumerate the infinite set Nat')
    expect(() => equal(identity, value('<<1>>'))).toThrow('the infinite set Nat')
    expect(domainOf(arena, identity)).toBe(nat)
  })

  test('may have elements that cannot be listed', () => {
    const types = tupleOf(arena, [nat, integers(arena)])
    expect(member(-1, apply(types, 1))).toBe(false)
    expect(member(-1, apply(types, 2))).toBe(true)
    expect(equal(types, tupleOf(arena, [nat, integers(arena)]))).toBe(true)
    expect(equal(types, tupleOf(arena, [nat, nat]))).toBe(false)
    expect(printValue(types)).toBe('<<Nat, Int>>')
    const fields = recordOf(arena, arena.shape(['b', 'a']), [nat, 1])
    expect([field(fields, 'a'), field(fields, 'b')]).toEqual([nat, 1])
  })
})

test('a function is in the set of functions over its domain exactly if its elements are in the range', () => {
  const set = functionSet(arena, value('{r1, r2}'), value('{0, 1}'))
  const all = asSet(set).elements
  expect(all.map(printValue)).toEqual([
    '(r1 :> 0 @@ r2 :> 0)',
    '(r1 :> 0 @@ r2 :> 1)',
    '(r1 :> 1 @@ r2 :> 0)',
    '(r1 :> 1 @@ r2 :> 1)',
  ])
  for (const each of all) expect(member(each, set)).toBe(true)
  expect(member(value('(r1 :> 0 @@ r2 :> 2)'), set)).toBe(false)
  expect(member(value('(r1 :> 0 @@ r3 :> 1)'), set)).toBe(false)
  expect(member(value('(r1 :> 0)'), set)).toBe(false)
  expect(() => member(1, set)).toThrow('attempted to check whether the integer 1 is an element of [{r1, r2} -> 0..1]')
})

test('large functions by rule are unequal if their domains are, however alike they begin', () => {
  const identity = (high: number) => ruleFunction(arena, interval(arena, 1, high), (argument) => argument)
  expect(equal(identity(1000), identity(1001))).toBe(false)
  expect(equal(identity(1000), identity(1000))).toBe(true)
})

test('long values of other kinds are refused as short ones are', () => {
  const numbers = arena.tuple(Array.from({ length: 20 }, (_, at) => at))
  const texts = arena.tuple(Array.from({ length: 20 }, (_, at) => arena.string(`${at}`)))
  expect(equal(numbers, arena.tuple(Array.from({ length: 20 }, () => 7)))).toBe(false)
  expect(() => equal(numbers, texts)).toThrow('attempted to compare')
})
