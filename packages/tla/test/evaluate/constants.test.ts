/** What configurations make of constants and definitions. */
import { expect, test } from 'vitest'
import { TlaError } from '../../src/error/error.ts'
import { machineOf, valueIn } from './helper.ts'

const MODULE = `---- MODULE M ----
EXTENDS Naturals
CONSTANTS N, S, Op(_, _)
VARIABLE x
Small == 0..N
Default == 7
Twice(a, b) == 2 * (a + b)
Init == x = 0
Next == x' = x
====`

const GIVEN = 'INIT Init NEXT Next CONSTANT N = 3 S = {a, b, {c}} Op <- Twice'

function refusal(configuration: string, ...modules: string[]): string {
  try {
    machineOf(configuration, ...(modules.length > 0 ? modules : [MODULE]))
  } catch (error) {
    if (error instanceof TlaError) return error.describe()
    throw error
  }
  throw new Error('not refused')
}

test('values, sets of model values, and definitions for operators', () => {
  const machine = machineOf(GIVEN, MODULE)
  expect(valueIn(machine, '<<N, S, Op(1, 2)>>')).toBe('<<3, {a, b, {c}}, 6>>')
  expect([...machine.modelValues.keys()]).toEqual(['a', 'b', 'c'])
})

test('a model value is known by its name, unless the module means something else by that', () => {
  const machine = machineOf('INIT Init NEXT Next CONSTANT N = Default S = {a} Op <- Twice', MODULE)
  expect(valueIn(machine, '<<a \\in S, Default, N>>')).toBe('<<TRUE, 7, Default>>')
})

test('definitions are replaced everywhere, those of standard modules too', () => {
  const machine = machineOf(`${GIVEN} Nat <- Small Default = 8`, MODULE)
  expect(valueIn(machine, '<<3 \\in Nat, 4 \\in Nat, Default>>')).toBe('<<TRUE, FALSE, 8>>')
})

test('a definition is replaced in one module', () => {
  const machine = machineOf(
    'INIT Init NEXT Next CONSTANT Nat <- [Inner]Few',
    `---- MODULE M ----
EXTENDS Naturals
VARIABLE x
I == INSTANCE Inner
Few == 0..2
Init == x = 0
Next == x' = x
====`,
    `---- MODULE Inner ----
LOCAL INSTANCE Naturals
Has(n) == n \\in Nat
====`,
  )
  expect(valueIn(machine, '<<I!Has(5), 5 \\in Nat>>')).toBe('<<FALSE, TRUE>>')
})

test('a constant operator may be given as a table', () => {
  const machine = machineOf('INIT Init NEXT Next CONSTANT N = 3 S = {} Op(1, 2) = 5 Op(2, 1) = 6', MODULE)
  expect(valueIn(machine, 'Op(1, 2) + Op(2, 1)')).toBe('11')
  expect(valueIn(machine, 'Op(1, 1)')).toContain('gives Op(1, 1) no value')
})

test('a value for what is a model value elsewhere is not used, and that is said', () => {
  const machine = machineOf('INIT Init NEXT Next CONSTANT m1 = 1 m3 = 3 N = 3 S = {m1, m2} Op <- Twice', MODULE)
  expect(valueIn(machine, '<<S, m1 = 1>>')).toBe('<<{m1, m2}, FALSE>>')
  expect(machine.warnings.map(({ message, at }) => [message.slice(0, 44), at.column])).toEqual([
    ['`m1` is a model value, not a constant: the v', 30],
    ['`m3` is a model value, not a constant: the v', 37],
  ])
})

test('what does not fit is refused with its place', () => {
  expect(refusal('INIT Init NEXT Next CONSTANT S = {} Op <- Twice')).toMatchInlineSnapshot(`
    "M.tla:3:11: the constant N has no value: add \`CONSTANT N = …\` to the configuration
        3 | CONSTANTS N, S, Op(_, _)
          |           ^"
  `)
  expect(refusal(`${GIVEN} Defautl = 3`)).toContain(
    'gives a value to `Defautl`, which does not exist in module M; did you mean `Default`?',
  )
  expect(refusal('INIT Init NEXT Next CONSTANT N = 1 S = {} Op <- Small')).toContain(
    '`Small` has no parameters and cannot replace `Op`, which has 2 parameters',
  )
  expect(refusal('INIT Start NEXT Next CONSTANT N = 1 S = {} Op <- Twice')).toContain(
    'names `Start` as the initial predicate, but module M does not define it',
  )
  expect(refusal(`${GIVEN} Default <- Default`)).toContain('replaces `Default` with itself')
  expect(refusal('INIT Init NEXT Next CONSTANT N = 1 S = {} Op(1) = 2')).toContain('`Op` has 2 parameters, found 1')
  expect(refusal('INIT Init NEXT Next CONSTANT N = 1 S = {} Op = 2')).toContain(
    '`Op` is an operator with 2 parameters: replace it with a definition, as in `Op <- SomeDefinition`',
  )
  const endless = `---- MODULE M ----\nVARIABLE x\nStep == x' = x\nNever == [][Step]_x\nOnce == x = 0 /\\ Step\n====`
  expect(refusal('SPECIFICATION Never', endless)).toContain('`Never` does not constrain the initial state')
  const still = "---- MODULE M ----\nVARIABLE x\nSpec == x = 0\nMoves == x' = x\n===="
  expect(refusal('SPECIFICATION Spec', still)).toContain('`Spec` does not constrain the steps')
  expect(refusal('INIT Spec NEXT Moves CONSTRAINT Moves', still)).toContain(
    '`Moves` has a prime, and a constraint is about single states: name it as an ACTION_CONSTRAINT',
  )
  expect(refusal('SPECIFICATION Once', endless)).toContain('write the steps as `[][Next]_vars`')
  expect(refusal(`${GIVEN} INVARIANT Twice`)).toContain('`Twice` has 2 parameters, but an invariant takes none')
})

test('axioms are taken to be true, and assumptions are evaluated', () => {
  const machine = machineOf(
    '',
    `---- MODULE M ----
EXTENDS Naturals
AXIOM \\A f : f[0]
AXIOM Named == 1 = 2
ASSUMPTION Held == ~Named
ASSUME TRUE
====`,
  )
  expect(machine.assumptions.map(({ name }) => name)).toEqual(['Held', 'TRUE'])
  expect(machine.assumptions.map((assumption) => assumption.holds())).toEqual([true, true])
})

test('a specification without variables needs no initial state', () => {
  const machine = machineOf('SPECIFICATION Spec', '---- MODULE M ----\nSpec == [][TRUE]_<<>>\nASSUME TRUE\n====')
  expect(machine.assumptions).toHaveLength(1)
})

test('a standard module is what it is in a copy of its user, whose other definitions count', () => {
  const machine = machineOf(
    'INIT Init NEXT Next',
    `---- MODULE M ----
EXTENDS FiniteSets
VARIABLE v
Init == v = {}
Next == UNCHANGED v
====`,
    `---- MODULE FiniteSets ----
EXTENDS Naturals, Sequences
IsFiniteSet(S) == \\E s \\in Seq(S) : \\A e \\in S : \\E n \\in 1..Len(s) : s[n] = e
Cardinality(S) == CHOOSE n \\in Nat : n = 0
Twice(S) == 2 * Cardinality(S)
====`,
  )
  expect(valueIn(machine, '<<IsFiniteSet({1, 2}), Cardinality({1, 2}), Twice({7})>>')).toBe('<<TRUE, 2, 2>>')
})

test('of what an algorithm would define, that it is not translated', () => {
  const lines = ['---- MODULE M ----', 'VARIABLE x', '(* --fair algorithm a {', '} *)']
  const translated = ['\\* BEGIN TRANSLATION', '\\* END TRANSLATION']
  expect(refusal('SPECIFICATION Spec', [...lines, '===='].join('\n'))).toContain(
    'but module M does not define it: its PlusCal algorithm (line 3) is not translated to TLA+ yet',
  )
  expect(refusal('SPECIFICATION Spec', [...lines, ...translated, '===='].join('\n'))).toMatch(/does not define it$/m)
})
