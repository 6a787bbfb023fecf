/** What is evaluated, how often, and what is kept. */
import { expect, test } from 'vitest'
import { machineOf, STILL, still, successors, valueIn } from './helper.ts'

test('what EXCEPT would put where there is nothing is not evaluated', () => {
  const machine = machineOf(STILL, still('Nothing == Head(<<>>)'))
  expect(valueIn(machine, '[<<1>> EXCEPT ![5] = Nothing]')).toBe('<<1>>')
  expect(valueIn(machine, '[[a |-> <<1>>] EXCEPT !.b = Nothing, !.a[2] = Nothing]')).toBe('[a |-> <<1>>]')
  expect(valueIn(machine, '[<<1>> EXCEPT ![1] = Nothing]')).toContain('Head of the empty sequence')
})

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

test('what a recursion gives to be applied is not listed, so that it may refer to other elements of itself', () => {
  const machine = machineOf(
    STILL,
    still(`row[i \\in 0..3] == [j \\in 0..i |-> IF j = 0 THEN (IF i = 0 THEN 0 ELSE row[i - 1][i - 1]) ELSE row[i][j - 1] + 2]
pair[i \\in 0..3, j \\in 0..3] == [k \\in 0..1 |-> IF k = 0 THEN i + j ELSE pair[i, j][0] * 10]
onwards[i \\in Nat] == [j \\in 0..3 |-> IF j = 0 THEN i ELSE onwards[i + 1][j - 1]]
nested[i \\in 0..4] == [j \\in 0..4 |-> IF j = 0 THEN [k \\in 0..i |-> IF k = 0 THEN i ELSE nested[i][1] + 1]
                                    ELSE IF i = 0 THEN j ELSE nested[i - 1][j] + 1]
RECURSIVE Row(_)
Row(i) == [j \\in 0..i |-> IF j = 0 THEN (IF i = 0 THEN 0 ELSE Row(i - 1)[i - 1]) ELSE Row(i)[j - 1] + 2]
RECURSIVE Even(_), Odd(_)
Even(n) == LET all == [j \\in 0..n |-> IF j = 0 THEN TRUE ELSE Odd(n)[j - 1]] IN all
Odd(n) == [[j \\in 0..n |-> IF j = 0 THEN TRUE ELSE Even(n)[j - 1]] EXCEPT ![0] = FALSE]
RECURSIVE Last(_)
Last(n) == [j \\in 0..1 |-> IF j = 0 THEN n ELSE Last(n - 1)][IF n = 0 THEN 0 ELSE 1]
RECURSIVE Self(_)
Self(i) == [j \\in 0..i |-> IF j = 0 THEN 1 ELSE Self(i)[j]]`),
  )
  expect(valueIn(machine, '<<row[3][3], row[2][0], DOMAIN row[3], row[1]>>')).toBe(
    '<<12, 2, {0, 1, 2, 3}, (0 :> 0 @@ 1 :> 2)>>',
  )
  expect(valueIn(machine, '<<pair[1, 2][1], pair[3, 0] = [k \\in 0..1 |-> 3 + 27 * k]>>')).toBe('<<30, TRUE>>')
  expect(valueIn(machine, '<<onwards[0][2], onwards[5][0]>>')).toBe('<<2, 5>>')
  expect(valueIn(machine, '<<nested[4][3], nested[4][0][2], DOMAIN nested[4][0]>>')).toBe('<<7, 6, {0, 1, 2, 3, 4}>>')
  expect(valueIn(machine, '<<Row(3)[3], Row(1), DOMAIN Row(2)>>')).toBe('<<12, (0 :> 0 @@ 1 :> 2), {0, 1, 2}>>')
  expect(valueIn(machine, '<<Even(4)[4], Even(3)[3], Odd(2)>>')).toBe(
    '<<TRUE, FALSE, (0 :> FALSE @@ 1 :> TRUE @@ 2 :> FALSE)>>',
  )
  expect(valueIn(machine, 'Last(3)')).toBe('0')
  expect(valueIn(machine, 'Self(1)[0]')).toBe('1')
  expect(valueIn(machine, 'Self(1)[1]')).toContain('M.tla:17:12: the evaluation of this function does not end')
})

test('functions that recursion gave remember what was around them', () => {
  const machine = machineOf(
    STILL,
    still(`Op(k) == LET RECURSIVE R(_)
             R(n) == IF n = 0 THEN [z \\in Nat |-> k] ELSE [z \\in Nat |-> R(n - 1)[z] + 1]
         IN R(3)
table[i \\in 0..3] == [j \\in 0..3 |-> IF j = 0 THEN i * 10 ELSE table[i][j - 1] + 1]`),
  )
  expect(valueIn(machine, 'LET a == Op(1) b == Op(2) IN <<a[0], b[0], a[1]>>')).toBe('<<4, 5, 4>>')
  expect(valueIn(machine, 'LET fs == [k \\in 1..2 |-> Op(k)] IN <<fs[1][0], fs[2][0]>>')).toBe('<<4, 5>>')
  expect(valueIn(machine, 'LET a == table[1] b == table[2] IN <<a[2], b[3], a[3], table[3][1], b[1]>>')).toBe(
    '<<12, 23, 13, 31, 21>>',
  )
})

test('arguments that would not end are not evaluated unless they are used', () => {
  const machine = machineOf(
    STILL,
    still(`RECURSIVE Loop(_)
Loop(n) == Loop(n + 1)
RECURSIVE R(_, _)
R(n, b) == IF n = 0 THEN n ELSE R(n - 1, b)
RECURSIVE Total(_, _)
Total(n, sum) == IF n = 0 THEN sum ELSE Total(n - 1, sum + R(0, n) + n)
RECURSIVE Ackermann(_, _)
Ackermann(m, n) == CASE m = 0 -> n + 1
                     [] m > 0 /\\ n = 0 -> Ackermann(m - 1, 1)
                     [] OTHER -> Ackermann(m - 1, Ackermann(m, n - 1))
RECURSIVE Fold(_, _, _)
Fold(Op(_, _), s, e) == IF s = <<>> THEN e ELSE Op(Head(s), Fold(Op, Tail(s), e))`),
  )
  expect(valueIn(machine, '<<R(3, Loop(0)), R(2, Loop(Loop(0)))>>')).toBe('<<0, 0>>')
  expect(valueIn(machine, 'Fold(LAMBDA a, b : IF a = 2 THEN 0 ELSE b, <<1, 2, 3>>, Loop(0))')).toBe('0')
  expect(valueIn(machine, '<<Ackermann(2, 3), Total(200, 0), R(1, R(2, 7))>>')).toBe('<<9, 20100, 0>>')
  expect(valueIn(machine, 'R(0, 1) + Loop(0)')).toContain('the evaluation of Loop does not end')
})

test('an argument that prints does so when it is used, and once', () => {
  const printed: string[] = []
  const machine = machineOf(
    STILL,
    still('RECURSIVE R(_, _)\nR(n, b) == IF n = 0 THEN 0 ELSE IF n > 9 THEN b + b ELSE R(n - 1, b)'),
  )
  machine.surroundings.print = (lines) => void printed.push(lines)
  expect(valueIn(machine, '<<R(3, Print("unused", 1)), R(10, Print("used", 1))>>')).toBe('<<0, 2>>')
  expect(printed).toEqual(['"used"  1'])
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

test('an argument that waits disturbs no level of the recursion that it is asked for in, though they share a definition', () => {
  const machine = machineOf(
    STILL,
    still(String.raw`
RECURSIVE Sum(_)
Sum(S) == IF S = {} THEN 0 ELSE LET e == CHOOSE e \in S : TRUE IN e + Sum(S \ {e})
Depth(n) == IF n = 70 THEN 0 ELSE n
Largest(S, limit) == CHOOSE x \in S : \A y \in S : (y < limit /\ Sum({y}) = y) => y <= x /\ x < limit
RECURSIVE Down(_, _)
Down(S, n) == IF S = {0} THEN <<>> ELSE
  LET all == {x \in S : x <= n /\ Sum({x, 0}) = x}
      before == Largest(all, Depth(n))
      rest == {x \in S : x <= before /\ Sum({x}) = x}
  IN Append(Down(rest, before), <<n, before, all \ rest>>)`),
  )
  expect(valueIn(machine, 'Down({0, 2, 3, 5, 9}, 9)')).toBe(
    '<<<<2, 0, {2}>>, <<3, 2, {3}>>, <<5, 3, {5}>>, <<9, 5, {9}>>>>',
  )
})

test('an operator that is given as an argument reads what was around it on its own level of a recursion', () => {
  const machine = machineOf(
    STILL,
    still(`Same(z) == z
RECURSIVE Sets(_, _)
Sets(Of(_), n) == LET all == {Of(k) + k : k \\in 1..n}
                  IN CASE n = 0 -> {}
                       [] n > 9 -> all
                       [] OTHER -> Sets(LAMBDA z : Cardinality(all) + z, n - 1) \\cup all`),
  )
  expect(valueIn(machine, '<<Sets(Same, 3), Sets(LAMBDA w : 2 * w, 2)>>')).toBe('<<{2, 4, 5, 6, 7}, {3, 4, 6}>>')
})
