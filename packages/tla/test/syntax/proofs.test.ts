import { expect, test } from 'vitest'
import { refusal, showUnit, unitsOf } from './show.ts'

const shown = (...lines: string[]): string => unitsOf(lines.join('\n')).map(showUnit).join('; ')
const refused = (...lines: string[]): string => refusal(['---- MODULE Test ----', ...lines, '===='].join('\n'))

test('a proof ends where its theorem does', () => {
  expect(shown('THEOREM a OBVIOUS', 'b == 1')).toBe('THEOREM a, proved in 2-2; b == 1')
  expect(shown('THEOREM a', 'PROOF OMITTED', 'b == 1')).toBe('THEOREM a, proved in 3-3; b == 1')
  expect(shown('THEOREM a', 'BY c, d DEF e, +, MODULE M', 'b == 1')).toBe('THEOREM a, proved in 3-3; b == 1')
  expect(shown('THEOREM a', 'BY DEF e', 'b(x) == 1')).toBe('THEOREM a, proved in 3-3; b(x) == 1')
})

test('steps of a level belong together, and QED ends them', () => {
  expect(
    shown('THEOREM a', '<1>1. b', '  <2>1. c', '    BY <1>1', '  <2> QED', '<1>2. d OBVIOUS', '<1> QED', 'e == 1'),
  ).toBe('THEOREM a, proved in 3-8; e == 1')
})

test('<*> stands for the level it is in, <+> begins the next', () => {
  expect(shown('THEOREM a', '<*> b', '  <+>. c', '  <*> QED', '<*> QED', 'd == 1')).toBe(
    'THEOREM a, proved in 3-6; d == 1',
  )
})

test('a step is named with the number of its level alone', () => {
  for (const step of ['<*>1', '<*>a.', '<+>a.']) {
    expect(refused('THEOREM a', `${step} QED`)).toContain(`\`${step}\` cannot name a step`)
  }
  expect(shown('THEOREM a', '<1>b. c', '<*> QED BY <*>b')).toBe('THEOREM a, proved in 3-4')
})

test('a sequent may stand for what is proved', () => {
  expect(shown('THEOREM T == ASSUME NEW x \\in S, NEW F(_), x = 1 PROVE x > 0 OBVIOUS')).toBe(
    'THEOREM T == a sequent, proved in 2-2',
  )
})

test('definitions in proofs belong to them', () => {
  expect(
    shown('THEOREM a', '<1> DEFINE b == 1', '           LOCAL c(x) == 2', '<1> LOCAL d == 3', '<1> QED', 'e == 4'),
  ).toBe('THEOREM a, proved in 3-6; e == 4')
})

test('USE and HIDE stand between definitions too', () => {
  expect(shown('USE a DEF b', 'HIDE DEF c', 'd == 1')).toBe('proof step; proof step; d == 1')
})

test('a proof that is wrong is refused', () => {
  expect(refused('THEOREM a', '<1>1. b')).toContain(
    'expected a step of the proof (`QED` is the last one), found `====`',
  )
  expect(refused('THEOREM a', '<2>1. b', '<1> QED')).toContain('4:1: expected a step of `<2>`, found `<1>`')
  expect(refused('THEOREM a', '<1> USE b', '  BY c', '<1> QED')).toContain('the step `<1>` takes no proof')
  expect(refused('a == <1>2')).toContain('expected an expression, found the step `<1>2` of a proof')
})
