/**
 * Initial states and successors: which there are, and how often each is found (the numbers of
 * states that TLC generates).
 */
import { expect, test } from 'vitest'
import { textOf } from '../../src/evaluate/text.ts'
import { initialStates, machineOf, successors } from './helper.ts'

const CONFIGURATION = 'INIT Init NEXT Next'

function two(init: string, next: string, more = ''): string {
  return `---- MODULE M ----
EXTENDS Integers, Sequences
VARIABLES x, y
vars == <<x, y>>
${more}
Init == ${init}
Next == ${next}
====`
}

function step(next: string, more = ''): string[] {
  return successors(machineOf(CONFIGURATION, two('x = 0 /\\ y = 5', next, more)))
}

test('an equation assigns, a second one is a condition', () => {
  expect(step("x' = x + 1 /\\ y' = x'")).toEqual(['1 1'])
  expect(step("x' = 1 /\\ y' = 2 /\\ x' = 1")).toEqual(['1 2'])
  expect(step("x' = 1 /\\ y' = 2 /\\ x' = 3")).toEqual([])
})

test('membership assigns each element, and is a condition afterwards', () => {
  expect(step("x' \\in {1, 2} /\\ y' \\in {x', 7}")).toEqual(['1 1', '1 7', '2 2', '2 7'])
  expect(step("x' = 2 /\\ y' = 2 /\\ x' \\in {2, 3}")).toEqual(['2 2'])
  expect(step("x' \\in {} /\\ y' = 2")).toEqual([])
})

test('each branch is taken, also where branches assign nothing', () => {
  expect(step("(x = 0 \\/ y = 5) /\\ x' = 1 /\\ y' = 1")).toEqual(['1 1', '1 1'])
  expect(step("(\\E i \\in 1..3 : i > 1) /\\ x' = 1 /\\ y' = 1")).toEqual(['1 1', '1 1'])
  expect(step("x' = 1 /\\ (y' = 2 \\/ y' = 3)")).toEqual(['1 2', '1 3'])
})

test('a union that is not listed gives a variable what is in both sides twice, as TLC has it', () => {
  expect(step("x' \\in (SUBSET {1}) \\cup (SUBSET {2}) /\\ y' = 5")).toEqual(['{} 5', '{1} 5', '{} 5', '{2} 5'])
  expect(step("x' \\in [{1} -> {3, 4}] \\cup {<<9>>} /\\ y' = 5")).toEqual(['<<9>> 5', '<<3>> 5', '<<4>> 5'])
  expect(step("\\E e \\in [{1} -> {3, 4}] \\cup {<<1>>} : x' = e /\\ y' = 5")).toEqual([
    '<<1>> 5',
    '<<3>> 5',
    '<<4>> 5',
  ])
  expect(step("x' \\in (1..2) \\cup {2, 0} /\\ y' = 5")).toEqual(['0 5', '1 5', '2 5'])
})

test('of several binders the first varies fastest, as TLC has it', () => {
  const ways = ['11 5', '12 5', '21 5', '22 5']
  expect(step("\\E a \\in {1, 2}, b \\in {10, 20} : x' = a + b /\\ y' = 5")).toEqual(ways)
  expect(step("\\E <<a, c>> \\in {<<1, 0>>, <<2, 0>>}, b \\in {10, 20} : x' = a + b + c /\\ y' = 5")).toEqual(ways)
  expect(step("\\E a, b \\in 1..2 : x' = 10 * b + a /\\ y' = 5")).toEqual(ways)
  expect(step("\\E b \\in {10, 20} : \\E a \\in {1, 2} : x' = a + b /\\ y' = 5")).toEqual(ways)
})

test('\\A is a conjunction, and what it binds is right when branches come back', () => {
  expect(step("(\\A i \\in {1, 2} : x = 0) /\\ x' = 1 /\\ y' = 1")).toEqual(['1 1'])
  expect(step("x' \\in {1, 2} /\\ (\\A i \\in {1, 2} : \\E j \\in {i, 10 * i} : j > 5 /\\ y' \\in {10, 20}) ")).toEqual(
    ['1 10', '1 20', '2 10', '2 20'],
  )
  const pairs =
    "x' = 0 /\\ y' \\in {<<a, b>> : a, b \\in 1..3} /\\ \\A i \\in {1, 2} : \\E k \\in {i, i + 1} : y'[i] = k"
  expect(step(pairs)).toEqual(['0 <<1, 2>>', '0 <<1, 3>>', '0 <<2, 2>>', '0 <<2, 3>>'])
})

test('\\A finds no state twice by what is left once all variables have values', () => {
  expect(step("x' = 1 /\\ \\A i \\in {1, 2} : (y' = 1 \\/ y' = 1)")).toEqual(['1 1', '1 1'])
})

test('\\A goes through more elements than the stack has room for, where nothing is left to assign', () => {
  const some = `Small(i) == i < 0
Far(i) == LET n == i + y IN IF n > 0 THEN ~Small(n) ELSE CASE n = 0 -> n = x [] OTHER -> FALSE`
  for (const body of ['i >= x', 'i >= 0 /\\ i # -1', '\\A j \\in {i} : j = i', 'Far(i)', 'i > 0 => ~Small(i)']) {
    expect(step(`(\\A i \\in 0..20000 : ${body}) /\\ x' = 1 /\\ y' = 1`, some)).toEqual(['1 1'])
    expect(step(`x' = 1 /\\ (\\A i \\in 0..20000 : ${body}) /\\ y' = 1`, some)).toEqual(['1 1'])
  }
  expect(step("y' = 1 /\\ \\A i \\in 1..20000 : (i > 0 => x' = 1)")).toEqual(['1 1'])
  expect(step("y' = 1 /\\ \\A i \\in 1..20000 : (i < 20000 \\/ i = x) /\\ x' = 1")).toEqual([])
  const initial = two(
    '(\\A i \\in 1..20000 : i > 0) /\\ x = 1 /\\ y = 1 /\\ \\A i \\in 1..20000 : i >= x',
    'UNCHANGED vars',
  )
  expect(initialStates(machineOf(CONFIGURATION, initial))).toEqual(['1 1'])
})

test('a disjunction below \\A branches for each element, also where it is about the current state', () => {
  const both = 'Both == x = 0 \\/ y = 5'
  for (const body of [
    '(x = 0 \\/ y = 5)',
    'Both',
    'LET b == Both IN b',
    '\\E k \\in {0, 1} : x = 0',
    '(TRUE => Both)',
  ]) {
    expect(step(`(\\A i \\in {1, 2} : ${body}) /\\ x' = 1 /\\ y' = 1`, both)).toEqual(['1 1', '1 1', '1 1', '1 1'])
  }
})

test('\\A holds each way in which its first element assigns to all others', () => {
  expect(step("\\A i \\in 1..3 : x' \\in {1, 2} /\\ y' = 1")).toEqual(['1 1', '2 1'])
  expect(step("\\A i \\in 1..3 : x' \\in {1, 2, 3} /\\ y' = 1 /\\ (i = 3 => x' # 2)")).toEqual(['1 1', '3 1'])
})

test('\\A assigns by whatever name a variable goes', () => {
  const names = "xp == x'\nSame(v, e) == v = e\nIs(b) == b"
  for (const body of [
    "x' = 1",
    'xp = 1',
    "Same(x', 1)",
    "Is(x' = 1)",
    "LET v == x' IN v = 1",
    'i = i /\\ UNCHANGED x',
  ]) {
    const found = body.includes('UNCHANGED') ? ['0 7'] : ['1 7']
    expect(step(`(\\A i \\in {1, 2} : ${body}) /\\ y' = 7`, names)).toEqual(found)
  }
})

test('what is bound for one element of \\A is bound again when the branches of the next come back', () => {
  const next = "y' = 0 /\\ (\\A i \\in {1, 2} : \\E k \\in {i, 10} : k * i # 10) /\\ x' = 1"
  expect(step(next)).toEqual(['1 0', '1 0'])
})

test('IF, CASE, LET and implications are followed into their branches', () => {
  expect(step("IF x = 0 THEN x' = 1 /\\ y' = 1 ELSE UNCHANGED vars")).toEqual(['1 1'])
  expect(step("CASE x = 1 -> UNCHANGED vars [] y = 5 -> x' = 3 /\\ y' \\in {1, 2}")).toEqual(['3 1', '3 2'])
  expect(step("LET n == x + 7 IN x' = n /\\ y' = n")).toEqual(['7 7'])
  expect(step("LET A == x' = 4 IN A /\\ y' = 1")).toEqual(['4 1'])
  expect(step("(x = 0 => x' = 2) /\\ y' = 1")).toEqual(['2 1'])
})

test('UNCHANGED keeps variables, through tuples and names of tuples', () => {
  expect(step('UNCHANGED x /\\ UNCHANGED <<y>>')).toEqual(['0 5'])
  expect(step('UNCHANGED <<<<x>>, inner>>', 'inner == <<y>>')).toEqual(['0 5'])
  expect(step("(x' = 1 /\\ UNCHANGED vars) \\/ (x' = 2 /\\ y' = 2 /\\ UNCHANGED (x + 2))")).toEqual([])
  expect(step("x' = 0 /\\ y' = 2 /\\ UNCHANGED (x + 2)")).toEqual(['0 2'])
})

test('boxed actions stutter or change', () => {
  expect(step("[x' = 1 /\\ y' = 1]_vars")).toEqual(['1 1', '0 5'])
  expect(step("<<x' \\in {0, 1} /\\ y' = 5>>_vars")).toEqual(['1 5'])
})

test('a composition of actions goes through all states between', () => {
  expect(step("(x' \\in {1, 2} /\\ y' = y) \\cdot (x' = x * 10 /\\ y' = y + x)")).toEqual(['10 6', '20 7'])
})

test('ENABLED looks for a successor and leaves the one under way alone', () => {
  const action = "A == x > 0 /\\ x' = x - 1 /\\ UNCHANGED y"
  expect(step("ENABLED A /\\ x' = 1 /\\ y' = 1", action)).toEqual([])
  expect(step("~ENABLED A /\\ x' = 1 /\\ y' = 1 /\\ (ENABLED A)'", action)).toEqual(['1 1'])
})

test('a prime reaches into definitions, parameters and substitutions', () => {
  const more = 'Sum == x + y\nTwice(a) == 2 * a\nIn(S) == x \\in S'
  expect(step("x' = 1 /\\ y' = 2 /\\ Sum' = 3 /\\ Twice(x)' = 2 /\\ Twice(x') = 2 /\\ In({1})'", more)).toEqual(['1 2'])
  expect(step("x' = 1 /\\ y' = 2 /\\ Sum' = 5", more)).toEqual([])
})

test('an operator as action assigns through its parameters', () => {
  const more = "Set(v, e) == v' = e\nBoth(A(_), e) == A(e) /\\ UNCHANGED y"
  expect(step('Set(x, 3) /\\ Set(y, x)', more)).toEqual(['3 0'])
  expect(step('Both(LAMBDA e : Set(x, e), 4)', more)).toEqual(['4 5'])
})

test('a recursive operator may assign', () => {
  const more = `RECURSIVE Count(_, _)
Count(n, total) == IF n = 0 THEN x' = total ELSE \\E i \\in {0, n} : Count(n - 1, total + i)`
  expect(step("Count(2, 0) /\\ y' = 1", more)).toEqual(['0 1', '1 1', '2 1', '3 1'])
})

test('initial states', () => {
  const states = (init: string, more = '') => initialStates(machineOf(CONFIGURATION, two(init, 'UNCHANGED vars', more)))
  expect(states('x \\in 1..2 /\\ y = x + 1')).toEqual(['1 2', '2 3'])
  expect(states('(x = 1 \\/ x = 2) /\\ y \\in {x} /\\ y # 2')).toEqual(['1 1'])
  expect(states('\\E i \\in {3, 4} : x = i /\\ y = i')).toEqual(['3 3', '4 4'])
  expect(states('Start(x) /\\ Start(y)', 'Start(v) == v = 0')).toEqual(['0 0'])
})

test('a specification by name: what is always so and what is fair', () => {
  const text = `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Start == x = 0
Up == x' = x + 1
Down == x > 0 /\\ x' = x - 1
Next == Up \\/ Down
Fair == WF_x(Up)
Spec == Start /\\ [][Next]_x /\\ Fair
Never == [][x' # 1]_x
Small == x < 5
Reach == <>(x = 3)
All == Small /\\ []Small /\\ Never /\\ Reach
====`
  const machine = machineOf('SPECIFICATION Spec PROPERTY All', text)
  expect(successors(machine)).toEqual(['1'])
  expect(machine.parts.map(({ name }) => name)).toEqual(['Up', 'Down'])
  expect(machine.unchecked.map(({ name, at }) => [name, textOf(at)])).toEqual([['All', '<>(x = 3)']])
  expect(machine.fairness).toEqual(['WF_x(Up)'])
  expect([machine.invariants.length, machine.initialProperties.length, machine.stepProperties.length]).toEqual([
    1, 1, 1,
  ])
})

test('a specification that restricts its states by `[]P` is refused, as it is in TLC', () => {
  const text = `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Small == x < 5
Spec == x = 0 /\\ [][x' = x + 1]_x /\\ []Small
====`
  expect(() => machineOf('SPECIFICATION Spec', text)).toThrow('[]Small restricts the states of the specification')
})

test('parts have names, and the values of their parameters while a step is visited', () => {
  const text = `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Add(n, m) == x' = x + n * m
Other == \\E i \\in {1} : Add(i, 7)
Init == x = 0
Next == (\\E a \\in {1, 2}, b \\in {3} : Add(a, b + 1)) \\/ Other \\/ x' = 99
====`
  const machine = machineOf(CONFIGURATION, text)
  machine.initial(() => {})
  machine.current[0] = 0
  const taken: string[] = []
  machine.next(() => taken.push(`${machine.part!.name}(${machine.parameters().join()}) ${machine.primed[0]}`))
  expect(taken).toEqual(['Add(1,4) 4', 'Add(2,4) 8', 'Add(1,7) 7', 'Next() 99'])
})

test('a named action is taken with its parameters', () => {
  const text = `---- MODULE M ----
EXTENDS Naturals
VARIABLES x, y
Add(n) == x < 10 /\\ x' \\in {x + n, x + 2 * n} /\\ UNCHANGED y
Init == x = 0 /\\ y = 0
Next == \\E n \\in 1..2 : Add(n)
====`
  const machine = machineOf(CONFIGURATION, text)
  machine.current[0] = 3
  machine.current[1] = 4
  const found: string[] = []
  const add = machine.action('Add')!
  add.step([5], () => found.push(machine.primed.join()))
  expect(found).toEqual(['8,4', '13,4'])
  expect(add.parameters).toEqual(['n'])
  expect(machine.actionNames).toContain('Add')
  expect(machine.action('Missing')).toBeUndefined()
})

const RECURSIVE = `
RECURSIVE Set(_, _, _)
Set(v, e, n) == IF n = 0 THEN v = e + 1 ELSE Set(v, e, n - 1)
RECURSIVE Both(_, _, _)
Both(a, b, n) == IF n = 0 THEN a = 1 /\\ b \\in {a, a + 1} ELSE Both(b, a, n - 1)
RECURSIVE Even(_, _), Odd(_, _)
Even(v, n) == IF n = 0 THEN v = "even" ELSE Odd(v, n - 1)
Odd(v, n) == IF n = 0 THEN v = "odd" ELSE Even(v, n - 1)
RECURSIVE Updated(_, _, _)
Updated(g, f, S) == IF S = {} THEN g = f
                    ELSE LET i == CHOOSE i \\in S : TRUE IN Updated(g, [f EXCEPT ![i] = @ + i], S \\ {i})
RECURSIVE Each(_, _)
Each(Do(_), n) == IF n = 0 THEN TRUE ELSE Do(n) /\\ Each(Do, n - 1)
Assign(k) == IF k = 1 THEN x' = 10 ELSE y' = 20
RECURSIVE Holds(_)
Holds(n) == IF n = 0 THEN TRUE ELSE \\A k \\in {n - 1, 0} : Holds(k)
RECURSIVE Ways(_)
Ways(n) == n = 0 \\/ (n > 0 /\\ Ways(n - 1)) \\/ n = 2
xp == x'
Local(v) == LET RECURSIVE L(_, _)
                L(w, n) == IF n = 0 THEN w = n + 7 ELSE L(w, n - 1)
            IN L(v, 2)`

test('a recursive operator assigns the variables that it is given', () => {
  expect(step("Set(x', x, 2) /\\ Set(y', x', 0)", RECURSIVE)).toEqual(['1 2'])
  expect(step("Set(xp, y, 1) /\\ Set(y', x' + 1, 3)", RECURSIVE)).toEqual(['6 8'])
  expect(step("x' = 1 /\\ Set(x', x, 2) /\\ y' = 0", RECURSIVE)).toEqual(['1 0'])
  expect(step("x' = 2 /\\ Set(x', x, 2) /\\ y' = 0", RECURSIVE)).toEqual([])
  expect(step("Both(x', y', 2) \\/ Both(x', y', 1)", RECURSIVE)).toEqual(['1 1', '1 2', '1 1', '2 1'])
  expect(step("\\E n \\in 1..2 : Even(x', n) /\\ Odd(y', n)", RECURSIVE)).toEqual(['"odd" "even"', '"even" "odd"'])
  expect(step("Updated(x', <<0, y>>, {1, 2}) /\\ UNCHANGED y", RECURSIVE)).toEqual(['<<1, 7>> 5'])
  expect(step("Local(x') /\\ Local(y')", RECURSIVE)).toEqual(['7 7'])
  const initial = two('Both(x, y, 1) /\\ Local(z)', 'UNCHANGED vars', RECURSIVE).replace(
    'VARIABLES x, y',
    'VARIABLES x, y, z',
  )
  expect(initialStates(machineOf(CONFIGURATION, initial))).toEqual(['1 1 7', '2 1 7'])
})

test('a recursive operator takes actions as arguments', () => {
  expect(step('Each(Assign, 2)', RECURSIVE)).toEqual(['10 20'])
  expect(step("\\E s \\in 1..2 : Each(LAMBDA k : IF k = 1 THEN x' = s ELSE y' \\in {0, s}, 2)", RECURSIVE)).toEqual([
    '1 0',
    '1 1',
    '2 0',
    '2 2',
  ])
})

test('the branches of a recursive condition are taken, too', () => {
  expect(step("Ways(2) /\\ x' = 1 /\\ y' = 1", RECURSIVE)).toEqual(['1 1', '1 1'])
  expect(step("x' = 1 /\\ y' = 1 /\\ Ways(2)", RECURSIVE)).toEqual(['1 1'])
  expect(step("Holds(2) /\\ x' = 1 /\\ Holds(1) /\\ y' = 1", RECURSIVE)).toEqual(['1 1'])
})

test('what a recursive operator reads before it has a value is named', () => {
  expect(() => step("Set(x', y', 1) /\\ y' = 0", RECURSIVE)).toThrow("y' is used before it has a value")
})
