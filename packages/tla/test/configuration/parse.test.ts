import { expect, test } from 'vitest'
import type { ConfigurationValue } from '../../src/configuration/configuration.ts'
import { parseConfiguration } from '../../src/configuration/parse.ts'
import { TlaError } from '../../src/error/error.ts'

const parse = (text: string) => parseConfiguration({ path: 'Test.cfg', text })

/** What a configuration says, on one line. */
function shown(text: string): string {
  const { source: _, constants, ...rest } = parse(text)
  const parts = constants.map(({ name, arguments: given, module, value, definition }) => {
    const left = name.name + (given === undefined ? '' : `(${given.map(show).join(', ')})`)
    const where = module === undefined ? '' : `[${module.name}]`
    return value === undefined ? `${left} <- ${where}${definition!.name}` : `${left} = ${where}${show(value)}`
  })
  for (const [key, of] of Object.entries(rest)) {
    if (Array.isArray(of)) {
      if (of.length > 0) parts.push(`${key}: ${of.map(({ name }) => name).join(' ')}`)
    } else parts.push(`${key}: ${typeof of === 'object' && 'name' in of ? of.name : of}`)
  }
  return parts.join('; ')
}

function show(value: ConfigurationValue): string {
  switch (value.kind) {
    case 'model value':
      return value.name
    case 'set':
      return `{${value.items.map(show).join(', ')}}`
    default:
      return JSON.stringify(value.value)
  }
}

function refusal(text: string): string {
  try {
    parse(text)
  } catch (error) {
    if (!(error instanceof TlaError)) throw error
    expect(error.kind).toBe('configuration')
    return error.describe().split('\n')[0]!
  }
  return 'accepted'
}

test('constants: values, model values and sets of them', () => {
  expect(shown('CONSTANT N = 3 M = -1 s = "a b" t = TRUE f = FALSE a = a')).toBe(
    'N = 3; M = -1; s = "a b"; t = true; f = false; a = a',
  )
  expect(shown('CONSTANTS S = {a, b_1} T = {} U = {{1, 2}, {"x"}, {}}')).toBe(
    'S = {a, b_1}; T = {}; U = {{1, 2}, {"x"}, {}}',
  )
})

test('constants: definitions in place of them, of this module or of another', () => {
  expect(shown('CONSTANT N <- Three Nat <- [Naturals]MyNat I!N <- Four K = [Other]5 F(1, a) = 2')).toBe(
    'N <- Three; Nat <- [Naturals]MyNat; I!N <- Four; K = [Other]5; F(1, a) = 2',
  )
})

test('operators by symbol', () => {
  expect(shown('CONSTANTS ++ <- Plus\n \\circ <- Cat\n Op <- + \n - <- [M]\\oplus')).toBe(
    '++ <- Plus; \\o <- Cat; Op <- +; - <- [M](+)',
  )
})

test('sections may stand in any order, several times, over lines', () => {
  expect(shown('INVARIANT A B\nCONSTANT N = 1\nINVARIANTS C\nCONSTANTS\n  M\n  =\n  2')).toBe(
    'N = 1; M = 2; invariants: A B C',
  )
})

test('all the keywords', () => {
  expect(shown('INIT I NEXT N VIEW V SYMMETRY S ALIAS A CHECK_DEADLOCK FALSE')).toBe(
    'init: I; next: N; view: V; symmetry: S; alias: A; checkDeadlock: false',
  )
  expect(shown('SPECIFICATION S PROPERTY P PROPERTIES Q R POSTCONDITION T CHECK_DEADLOCK TRUE')).toBe(
    'specification: S; properties: P Q R; postconditions: T; checkDeadlock: true',
  )
  expect(shown('CONSTRAINT A CONSTRAINTS B ACTION_CONSTRAINT C ACTION_CONSTRAINTS D')).toBe(
    'constraints: A B; actionConstraints: C D',
  )
  expect(shown('')).toBe('')
})

test('comments', () => {
  expect(shown('\\* INIT A\nINIT B (* NEXT (* C *) *) \\* NEXT D\nNEXT E')).toBe('init: B; next: E')
})

test('everything knows its place', () => {
  const { constants, invariants } = parse('CONSTANT\n  I!N = {1,\n 2}\nINVARIANT Inv')
  expect(constants[0]!.name.at).toMatchObject({ line: 2, column: 3, endLine: 2, endColumn: 5 })
  expect(constants[0]!.value!.at).toMatchObject({ line: 2, column: 9, endLine: 3, endColumn: 3 })
  expect(invariants[0]!.at).toMatchObject({ line: 4, column: 11 })
})

test.each([
  ['CONSTANT N', '1:11: expected `=` or `<-` after the constant `N`, found the end of the file'],
  ['CONSTANT N =', '1:13: expected a value, found the end of the file'],
  ['CONSTANT N = {1, 2', '1:19: expected `,` or `}` to close `{` of 1:14, found the end of the file'],
  ['CONSTANT N = INIT I', '1:14: expected a value, found the keyword `INIT`'],
  [
    'CONSTANT N = <<1, 2>>',
    '1:14: a value is a number, a string, a Boolean, a model value or a set of them: define others in the module and use `<-`',
  ],
  ['CONSTANT N = 1.5', '1:15: expected a configuration keyword, found `.`'],
  [
    'CONSTANT N = 1 .. 3',
    '1:16: expected a constant or a configuration keyword, found `..`: a value is not an expression: define it in the module, and replace the constant with `<-`',
  ],
  [
    'CONSTANT N = 1, M = 2',
    '1:15: expected a configuration keyword, found `,`: write constants one after another, without commas',
  ],
  [
    'CONSTANT N = 1 // M',
    '1:16: expected a constant or a configuration keyword, found `//`: write comments as `\\* …` or `(* … *)`',
  ],
  [
    '---- CONFIG A ----',
    '1:1: expected a configuration keyword, found `----`: a configuration has neither a header nor an end',
  ],
  [
    'SPECIFICATION: A',
    '1:14: expected the name of a definition after `SPECIFICATION`, found `:`: write no colon after a keyword',
  ],
  ['CONSTANT N = \\b11', '1:14: `\\b11` is not a decimal number'],
  ['CONSTANT N = 3000000000', '1:14: the number 3000000000 is beyond 32 bits'],
  ['CONSTANT N = -3000000000', '1:14: the number -3000000000 is beyond 32 bits'],
  ['CHECK_DEADLOCK TRUE CHECK_DEADLOCK TRUE', '1:21: `CHECK_DEADLOCK` is given twice'],
  ['CONSTANT N <- 3', '1:15: expected the name of a definition after `<-`, found `3`: write a value after `=`'],
  ['CONSTANT N <- [M Other', '1:18: expected `]` after the name of the module, found `Other`'],
  ['INIT', '1:5: expected the name of a definition after `INIT`, found the end of the file'],
  ['INIT A B', '1:8: expected one name after `INIT`, then a keyword, found `B`'],
  ['INIT A INIT B', '1:8: `INIT` is given twice: the first is at 1:1'],
  ['SPECIFICATION A NEXT B', '1:17: a configuration has either `SPECIFICATION` or `INIT` and `NEXT`, not both'],
  ['CHECK_DEADLOCK NO', '1:16: expected `TRUE` or `FALSE` after `CHECK_DEADLOCK`, found `NO`'],
  [
    'INVARIANT A, B',
    '1:12: expected a name or a keyword after `INVARIANT`, found `,`: separate names by spaces, without commas',
  ],
  [
    'INVARIANT I!A',
    '1:12: expected a name or a keyword after `INVARIANT`, found `!`: define the formula in the module and name it here',
  ],
  ['INVARIANT A;', '1:12: the character `;` (U+003B) is not part of TLA+: delete it; join conditions with `/\\`'],
  [
    'Start',
    '1:1: `Start` is not a configuration keyword: expected CONSTANT, CONSTANTS, CHECK_DEADLOCK, SPECIFICATION, INIT, NEXT, SYMMETRY, VIEW, ALIAS, INVARIANT, INVARIANTS, PROPERTY, PROPERTIES, CONSTRAINT, CONSTRAINTS, ACTION_CONSTRAINT, ACTION_CONSTRAINTS, POSTCONDITION or POSTCONDITIONS',
  ],
  ['INVARAINT Inv', "1:1: `INVARAINT` is not a configuration keyword; did you mean 'INVARIANT' or 'INVARIANTS'?"],
  ['INIT A NXET B', "1:8: expected one name after `INIT`, then a keyword, found `NXET`; did you mean 'NEXT'?"],
  [
    'INVARIANT A CONSTNAT N = 1',
    "1:13: `CONSTNAT` is not a configuration keyword; did you mean 'CONSTANT' or 'CONSTANTS'?",
  ],
  [
    'CONSTANT N = 1 SPECIFICTION S',
    "1:29: expected `=` or `<-` after the constant `SPECIFICTION`, found `S`; did you mean 'SPECIFICATION'?",
  ],
  ['= 1', '1:1: expected a configuration keyword, found `=`'],
  [
    'INIT A (* B',
    '1:8: the comment that starts here is not closed: expected a `*)` for each `(*`, since comments nest',
  ],
])('%j', (text, message) => {
  expect(refusal(text)).toBe(`Test.cfg:${message}`)
})

test('sets nested too deep are refused, not followed', () => {
  expect(refusal(`CONSTANT N = ${'{'.repeat(100_000)}`)).toBe('Test.cfg:1:114: sets are nested more than 100 deep')
})
