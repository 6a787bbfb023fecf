import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Arena } from '../../src/values/arena.ts'
import { toPlain } from '../../src/values/plain.ts'
import { printCut, printValue } from '../../src/values/print.ts'
import { functionSet, naturals, powerset } from '../../src/values/symbolic-sets.ts'
import { printWrapped } from '../../src/values/wrap.ts'
import { keyOf, make, read, types } from './naive.ts'

const arena = new Arena()
const value = (text: string) => make(arena, read(text))

test('a printed value reads as the value', () => {
  fc.assert(
    fc.property(
      types.chain((type) => type),
      (naive) => {
        const own = new Arena()
        const made = make(own, naive)
        const again = read(printValue(made))
        expect(keyOf(again)).toBe(keyOf(naive))
        expect(make(own, again)).toBe(made)
      },
    ),
    { numRuns: 300 },
  )
})

test.each([
  '<<1, "a">>',
  '{}',
  '<<>>',
  '{r1, r2}',
  '[a |-> 1, b |-> {TRUE}]',
  '(r1 :> 0 @@ r2 :> 1)',
  '(0 :> <<-1>> @@ 2 :> <<>>)',
  '"a \\"quoted\\" \\\\ \\n\\t\\f\\r"',
])('%s is printed as it is', (text) => {
  expect(printValue(value(text))).toBe(text)
})

test('small sets are written out, large ones are described', () => {
  expect(printValue(powerset(arena, arena.interval(1, 2)))).toBe('{{}, {1}, {2}, {1, 2}}')
  expect(printValue(functionSet(arena, arena.interval(1, 2), naturals(arena)))).toBe('[1..2 -> Nat]')
  expect(printValue(powerset(arena, arena.interval(1, 20)))).toBe('SUBSET (1..20)')
})

test('in messages, long values are cut', () => {
  const long = arena.interval(1, 200)
  expect(printCut(long)).toHaveLength(240)
  expect(printCut(long)).toMatch(/^\{1, 2, .*\.\.\.$/)
  expect(printCut(arena.tuple([1]))).toBe('<<1>>')
})

test('what shares its parts is cut where its text would have no end', () => {
  let shared = arena.tuple([value(`"${'long'.repeat(2000)}"`)])
  for (let level = 0; level < 200; level++) shared = arena.tuple([shared, shared])
  expect(printValue(shared)).toMatch(/\.\.\.$/)
  expect(printWrapped(shared).length).toBeLessThan(20_000)
  let parts = 0
  const count = (part: unknown): void => {
    parts++
    if (Array.isArray(part)) for (const inner of part) count(inner)
  }
  count(toPlain(shared, 1000))
  expect(parts).toBeLessThan(2000)
})

test('what is nested too deep to be read is left out', () => {
  let deep = arena.emptyTuple
  for (let level = 0; level < 30_000; level++) deep = arena.tuple([deep])
  for (const text of [printValue(deep), printWrapped(deep), JSON.stringify(toPlain(deep))])
    expect(text).toContain('...')
})

describe('over several lines', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(36)) as [string, string, string]

  test('what fits on one is left on it', () => {
    expect(printWrapped(value('{1, 2}'))).toBe('{1, 2}')
  })

  test('a set or tuple has an element on each', () => {
    expect(printWrapped(value(`{"${a}", "${b}", "${c}"}`))).toBe(`{ "${a}",\n  "${b}",\n  "${c}" }`)
    expect(printWrapped(value(`<<"${a}", "${b}", "${c}">>`))).toBe(`<< "${a}",\n   "${b}",\n   "${c}" >>`)
  })

  test('a value stands below its field if both do not fit', () => {
    const pair = (n: number) => `[p |-> ${n}, q |-> <<${n}, "qqqqqqqqqqqqqqqqqqq">>]`
    const long = value(
      `[a |-> {${[1, 2, 3, 4].map(pair).join(', ')}}, bbbbb |-> (4 :> "${a}" @@ 5 :> "${b}" @@ 6 :> "${c}")]`,
    )
    expect(printWrapped(long)).toBe(
      [
        '[ a |->',
        `      { ${pair(1)},`,
        `        ${pair(2)},`,
        `        ${pair(3)},`,
        `        ${pair(4)} },`,
        '  bbbbb |->',
        `      ( 4 :> "${a}" @@`,
        `        5 :> "${b}" @@`,
        `        6 :> "${c}" ) ]`,
      ].join('\n'),
    )
  })

  test('no line is longer than 80 columns where it can be broken, and nothing but space is added', () => {
    fc.assert(
      fc.property(
        types.chain((type) => fc.array(type, { minLength: 10, maxLength: 40 })),
        (some) => {
          const own = new Arena()
          const made = own.tuple(some.map((each) => make(own, each)))
          const wrapped = printWrapped(made)
          expect(wrapped.replace(/\s/g, '')).toBe(printValue(made).replace(/\s/g, ''))
          for (const line of wrapped.split('\n')) {
            if (/^[^"]*$/.test(line) && line.trim().includes(' ')) expect(line.length).toBeLessThanOrEqual(80)
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

test('as data for JSON', () => {
  const plain = (text: string) => JSON.stringify(toPlain(value(text)))
  expect(plain('[a |-> <<1, TRUE>>, b |-> {"y", "x"}]')).toBe('{"a":[1,true],"b":["x","y"]}')
  expect(plain('(r1 :> 0 @@ r2 :> <<>>)')).toBe('{"r1":0,"r2":[]}')
  expect(plain('(<<1, 2>> :> r1)')).toBe('{"<<1, 2>>":"r1"}')
  expect(toPlain(naturals(arena))).toBe('Nat')
})
