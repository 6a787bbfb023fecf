/** Errors of evaluation: what was wrong, where, and how evaluation got there. */
import { expect, test } from 'vitest'
import { diagnosed, placed } from '../../src/evaluate/diagnosis.ts'
import { NotFollowed } from '../../src/follow/follower.ts'
import { initialStates, machineOf, STILL, still, successors, told, valueIn } from './helper.ts'

test('an error has the place of the smallest part that fails, and the operators around it with their parameters', () => {
  const machine = machineOf(STILL, still('Div(a, b) == a \\div b\nMean(s) == Div(s[1] + s[2], Len(s) - 2)'))
  expect(valueIn(machine, 'Mean(<<3, 4>>)')).toMatchInlineSnapshot(`
    "M.tla:4:14: division by zero: 7 \\div 0
        4 | Div(a, b) == a \\div b
          |              ^^^^^^^^
      in Div with a = 7, b = 0 (M.tla:5:12)
      in Mean with s = <<3, 4>> (expression:1:1)"
  `)
})

test('an error in an action', () => {
  const machine = machineOf(
    'INIT Init NEXT Next',
    `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Bump(i) == x' = x + i
Init == x = 0
Next == \\E i \\in {0, 5} : Bump(IF i = 0 THEN 1 ELSE "a")
====`,
  )
  expect(told(machine, () => successors(machine).join())).toMatchInlineSnapshot(`
    "M.tla:4:17: the second argument of + must be an integer, but it is "a"
        4 | Bump(i) == x' = x + i
          |                 ^^^^^
      in Bump with i = "a" (M.tla:6:27)
      in Next (M.tla:6:1)"
  `)
})

test('variables without a value', () => {
  const state = (init: string, next: string) =>
    machineOf(
      'INIT Init NEXT Next',
      `---- MODULE M ----
EXTENDS Naturals
VARIABLES x, y
Init == ${init}
Next == ${next}
====`,
    )
  const incomplete = state('x = 0 /\\ y = 0', "x' = 1")
  expect(told(incomplete, () => successors(incomplete).join())).toContain("y' has no value after Next")
  const initial = state('x = 0', "x' = 1")
  expect(told(initial, () => initialStates(initial).join())).toContain('y has no value in an initial state')
  const early = state('x = 0 /\\ y = 0', "x' = y' + 1 /\\ y' = 1")
  expect(told(early, () => successors(early).join())).toMatchInlineSnapshot(`
    "M.tla:5:14: y' is used before it has a value: assign all of it in an earlier conjunct, as \`y' = …\` or \`y' \\in …\`
        5 | Next == x' = y' + 1 /\\ y' = 1
          |              ^
      in Next (M.tla:5:1)"
  `)
  const order = state('x = y /\\ y = 0', 'UNCHANGED <<x, y>>')
  expect(told(order, () => initialStates(order).join())).toContain('y is used before it has a value')
})

test('endless recursion is an error, not a crash', () => {
  const machine = machineOf(
    STILL,
    still('RECURSIVE Down(_)\nDown(n) == Down(n - 1) + 1\nf[n \\in Nat] == f[n + 1]\nLoop == f[0]'),
  )
  expect(valueIn(machine, 'Down(3)')).toContain('the evaluation of Down does not end, or is nested too deeply')
  expect(valueIn(machine, 'Loop')).toContain('the evaluation of f does not end, or is nested too deeply')
  // And the machine is as good as before.
  expect(valueIn(machine, '1 + 1')).toBe('2')
})

test.each([
  ['CHOOSE x \\in {1, 2} : x > 2', 'no element of {1, 2} satisfies the body of this CHOOSE'],
  ['CHOOSE x : x = 1', 'an unbounded CHOOSE cannot be evaluated'],
  ['\\E x : x = 1', 'an unbounded \\E cannot be evaluated'],
  ['\\A x \\in Nat : x >= 0', 'attempted to enumerate the infinite set Nat'],
  ['IF 3 THEN 1 ELSE 2', 'expected TRUE or FALSE as the condition of IF, found 3'],
  ['{} /\\ TRUE', 'expected TRUE or FALSE as an item of a conjunction, found {}'],
  ['CASE FALSE -> 1', 'none of the conditions of this CASE is true'],
  ['\\E <<a, b>> \\in {<<1, 2, 3>>} : TRUE', 'expected a tuple of 2 values, found <<1, 2, 3>>'],
  ['\\E x \\in 5 : TRUE', 'expected a set, found the integer 5'],
  ['[](v = 0)', '[] is temporal'],
  ["v' = 0", "v' is used before it has a value"],
])('%s: %s', (expression, message) => {
  expect(valueIn(machineOf(STILL, still('')), expression)).toContain(message)
})

test.each([
  [
    'INVARIANT Grows',
    '`Grows` has a prime, and an invariant is about single states: name it as a PROPERTY, as `[][Grows]_vars`',
  ],
  ['INVARIANT Ever', '`Ever` is temporal, and an invariant is about single states: name it as a PROPERTY'],
  ['POSTCONDITION Small', '`Small` reads variables, and a postcondition is evaluated outside of states'],
])('%s, which is about too much, is refused before anything is explored', (setting, message) => {
  const body = "Grows == v' >= v\nEver == [](v = 0)\nSmall == v < 9"
  expect(() => machineOf(`${STILL} ${setting}`, still(body))).toThrow(message)
})

test('an action is no property', () => {
  const module = still("Grows == v' >= v\nBoth == v = 0 /\\ Grows")
  for (const name of ['Grows', 'Both']) {
    expect(() => machineOf(`${STILL} PROPERTY ${name}`, module)).toThrow(
      'write a property of all steps as `[][A]_vars`',
    )
  }
})

test('a symmetry set that cannot be evaluated has its place', () => {
  const module = still('Swaps == {[v1 \\in {} |-> 1], 1 \\div 0}')
  expect(() => machineOf(`${STILL} SYMMETRY Swaps`, module)).toThrow(
    expect.objectContaining({ at: expect.objectContaining({ line: 4, column: 30 }) }),
  )
})

test.each([
  ['\\E s \\in Seq({1}) : TRUE', 'use a finite set, such as `UNION {[1..n -> {1}] : n \\in 0..3}`'],
  ['{1} \\/ {2}', 'as an item of a disjunction, found {1}: write `S \\cup T` for the union of sets'],
  ['{1} /\\ TRUE', 'as an item of a conjunction, found {1}: write `S \\cap T` for the intersection of sets'],
  ['<<>>[2]', 'to 2, which is not in its domain (it is empty)'],
  ['1 + None', 'the second argument of + must be an integer, but it is the model value None'],
  ['None => TRUE', 'found the model value None'],
])('%s is told with what may be meant: %s', (expression, message) => {
  const machine = machineOf(`${STILL} CONSTANT None = None`, still('CONSTANT None'))
  expect(valueIn(machine, expression)).toContain(message)
})

test.each([
  ['\\A x \\in {1}, y \\in Nat : x = y', '1:21', 'attempted to enumerate the infinite set Nat'],
  ['[x \\in {1}, y \\in 7 |-> 0]', '1:19', 'expected a set, found the integer 7'],
  ['{x + y : x \\in {1}, y \\in "s"}', '1:27', 'expected a set, found the string "s"'],
  ['LET kinds == {1, "a"} IN 2 \\in kinds', '1:14', 'attempted to compare the string "a" with the integer 2'],
  ['LET kinds == {1, "a"} IN \\A k \\in kinds : TRUE', '1:14', '{1, "a"} cannot be listed'],
])('%s is told at the set, %s', (expression, place, message) => {
  const text = valueIn(machineOf(STILL, still('')), expression)
  expect(text).toContain(`expression:${place}: `)
  expect(text).toContain(message)
})

test('a string beyond what JavaScript can hold is an error of the specification, with its place', () => {
  const at = { source: { path: 'M.tla', text: 'x \\o x' }, line: 1, column: 1, endLine: 1, endColumn: 6 }
  const run = () => 'x'.repeat(2 ** 30)
  const message = expect.stringContaining('this makes a string or a list that is longer than JavaScript allows')
  expect(thrownBy(placed(run, at))).toMatchObject({ kind: 'evaluation', message, at })
  expect(diagnosed(thrownBy(run), 'Next')).toMatchObject({ kind: 'evaluation', message })
  for (const other of [new Error('of norn'), new NotFollowed('of norn')]) expect(diagnosed(other, 'Next')).toBe(other)
})

function thrownBy(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
