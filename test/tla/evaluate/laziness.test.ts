/** What is evaluated, how often, and what is kept. */
import { expect, test } from 'vitest'
import { machineOf, STILL, still, successors, valueIn } from './helper.ts'

test('arguments and LET definitions that are not used are not evaluated', () => {
  const machine = machineOf(
    STILL,
    still('First(a, b) == a\nRECURSIVE R(_, _)\nR(n, b) == IF n = 0 THEN n ELSE R(n - 1, b)'),
  )
  expect(valueIn(machine, 'First(1, 1 \\div 0)')).toBe('1')
  expect(valueIn(machine, 'R(3, Head(<<>>))')).toBe('0')
  expect(valueIn(machine, 'LET bad == CHOOSE x \\in {} : TRUE IN 5')).toBe('5')
  expect(valueIn(machine, '[i \\in 0..3 |-> 12 \\div i][3]')).toBe('4')
})

test('what is kept in a LET or an argument belongs to one entry', () => {
  const machine = machineOf(STILL, still('Pair(a) == <<a, a>>'))
  expect(valueIn(machine, '[i \\in 1..3 |-> LET j == i * i IN j + j]')).toBe('<<2, 8, 18>>')
  expect(valueIn(machine, '{Pair(i + 1) : i \\in 1..2}')).toBe('{<<2, 2>>, <<3, 3>>}')
})

test('recursion keeps the bindings of each level apart', () => {
  const machine = machineOf(
    STILL,
    still(`RECURSIVE Sets(_)
Sets(S) == IF S = {} THEN {{}} ELSE UNION {{T \\cup {x} : T \\in Sets(S \\ {x})} \\cup Sets(S \\ {x}) : x \\in S}
RECURSIVE Depth(_)
Depth(n) == LET here == n * 10 IN IF n = 0 THEN <<>> ELSE Append(Depth(n - 1), here)
RECURSIVE Fold(_, _, _)
Fold(Op(_, _), s, e) == IF s = <<>> THEN e ELSE Op(Head(s), Fold(Op, Tail(s), e))
Outer(k) == Fold(LAMBDA a, b : a * k + b, <<1, 2, 3>>, 0)`),
  )
  expect(valueIn(machine, 'Cardinality(Sets(1..4))')).toBe('16')
  expect(valueIn(machine, 'Depth(3)')).toBe('<<10, 20, 30>>')
  expect(valueIn(machine, '[k \\in 1..2 |-> Outer(k)]')).toBe('<<6, 12>>')
  expect(
    valueIn(machine, 'LET f[n \\in Nat] == IF n = 0 THEN {0} ELSE {n + m : m \\in f[n - 1]} \\cup {n} IN f[3]'),
  ).toBe('{3, 5, 6}')
})

test('functions by rule remember what was around them', () => {
  const machine = machineOf(STILL, still('Adder(k) == [x \\in Nat |-> x + k]\nBelow(k) == {x \\in Nat : x < k}'))
  expect(valueIn(machine, 'LET f == Adder(1) g == Adder(10) IN <<f[1], g[1], f[2], g[f[1]]>>')).toBe('<<2, 11, 3, 12>>')
  expect(valueIn(machine, '{k \\in 1..3 : 1 \\in Below(k)}')).toBe('{2, 3}')
})

test('what is worked out once for a state is worked out again for the next', () => {
  const machine = machineOf(
    'INIT Init NEXT Next',
    `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Squares == {i * x : i \\in 1..3}
Init == x \\in {1, 2}
Next == x' \\in Squares /\\ x' \\in Squares
====`,
  )
  expect(successors(machine)).toEqual(['1', '2', '3', '2', '4', '6'])
})

test('what a specification prints is printed each time, unless a constant definition does it: that is evaluated once', () => {
  const printed: string[] = []
  const machine = machineOf(STILL, still('Noisy(n) == PrintT(n)\nConstant == PrintT("constant")'))
  machine.surroundings.print = (lines) => void printed.push(lines)
  valueIn(machine, 'Noisy("each") /\\ Noisy("each") /\\ Constant /\\ Constant')
  expect(printed).toEqual(['"each"', '"each"', '"constant"'])
})

test('definitions that use one another many times over stay small', () => {
  const chain = Array.from({ length: 16 }, (_, at) => `F${at + 1}(a) == F${at}(F${at}(a))`)
  const machine = machineOf(STILL, still(['F0(a) == a + 1', ...chain].join('\n')))
  expect(valueIn(machine, 'F16(0)')).toBe('65536')
})

test('of a set that is not listed the condition is asked for what matters only, even if the set never changes', () => {
  const machine = machineOf(STILL, still('Some == {f \\in UNION {[S -> 1..2] : S \\in SUBSET {1, 2}} : f[2] = 2}'))
  expect(valueIn(machine, '<<1, 2>> \\in Some')).toBe('TRUE')
  expect(valueIn(machine, '{1} \\in {S \\in SUBSET {1, 2} : (CHOOSE x \\in S : TRUE) = 1}')).toBe('TRUE')
  expect(valueIn(machine, 'Cardinality(Some)')).toContain('which is not in its domain')
})

test('sets that hold infinite sets are gone through, and what they hold stays as it is', () => {
  const machine = machineOf(STILL, still('Numbers == {Nat, Int}'))
  for (const [text, value] of [
    ['\\A x \\in Numbers : 1 \\in x', 'TRUE'],
    ['-3 \\in CHOOSE x \\in Numbers : -1 \\in x', 'TRUE'],
    ['\\E y \\in CHOOSE x \\in {{Nat}, {Int}} : \\E y \\in x : -1 \\in y : -3 \\in y', 'TRUE'],
    ['Cardinality({x \\in Numbers : -1 \\in x})', '1'],
    ['{x \\cap {-1, 1} : x \\in Numbers}', '{{1}, {-1, 1}}'],
    ['{Nat} \\subseteq Numbers', 'TRUE'],
    ['{Nat} \\in {{Nat}, {Int}}', 'TRUE'],
    ['{{Nat}, {Int}} = {{Int}, {Nat}}', 'TRUE'],
    ['Cardinality({Nat} \\cup {Int})', '2'],
    ['\\A x \\in Numbers \\ {Int} : -1 \\notin x', 'TRUE'],
    ['Cardinality(Numbers \\cap {Int})', '1'],
  ] as const) {
    expect(valueIn(machine, text), text).toBe(value)
  }
})
