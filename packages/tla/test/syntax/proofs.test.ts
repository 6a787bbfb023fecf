import { expect, test } from 'vitest'
import { refusal, showUnit, unitsOf } from './show.ts'

const shown = (...lines: string[]): string => unitsOf(lines.join('\n')).map(showUnit).join('; ')

test.each([
  [['THEOREM a OBVIOUS', 'b == 1']],
  [['THEOREM a', 'PROOF OMITTED', 'b == 1']],
  [['THEOREM a', 'BY c, d DEF e, +, MODULE M', 'b == 1']],
  [['THEOREM a', 'BY LET c == 1 IN c DEF e', 'b == 1']],
  [['THEOREM a', '<1>1. c', '  <2>1. d', '    BY <1>1', '  <2> QED', '<1>2. d OBVIOUS', '<1> QED', 'b == 1']],
  [['THEOREM a', '<1>1. c', '<1> QED', '  <2>1. d', '  <2> QED BY <1>1', 'b == 1']],
  [['THEOREM a', '<*> c', '  <+>. d', '  <*> QED', '<*> QED', 'b == 1']],
  [['THEOREM a', '<1>1. c', 'PROOF', '  <*> d', '  <*> QED', '<1> QED', 'b == 1']],
  [['THEOREM a', '<1> DEFINE c == 1', '           LOCAL d(x) == 2', '<1> LOCAL e == 3', '<1> QED', 'b == 1']],
  [['THEOREM a', '<1>1. ASSUME NEW x \\in S, VARIABLE y PROVE x', '<1> USE c DEF d', '<1> QED', 'b == 1']],
])('a proof is skipped to the next unit: %j', (lines) => {
  expect(shown(...lines)).toBe('THEOREM a; b == 1')
})

test('what follows a proof may be any unit', () => {
  const units = [
    ['VARIABLE x', 'variables x'],
    ['CONSTANT C', 'constants C'],
    ['LOCAL INSTANCE M', 'LOCAL INSTANCE M'],
    ['ASSUME c', 'ASSUME c'],
    ['THEOREM c', 'THEOREM c'],
    ['RECURSIVE f(_)', 'recursive f/1'],
    ['----', ''],
    ['c + d == 1', '+(c, d) == 1'],
    ['f[x \\in S] == 1', 'f[x \\in S] == 1'],
  ] as const
  for (const [text, unit] of units) {
    expect(shown('THEOREM a', '<1>1. b BY c', '<1> QED', '  BY <1>1 DEF d', text)).toBe(
      ['THEOREM a', unit].filter((each) => each !== '').join('; '),
    )
  }
})

test('an unfinished proof ends at the next theorem and with its module', () => {
  expect(shown('THEOREM a', '<1>1. b', 'c == 1', 'THEOREM d OBVIOUS', 'e == 1')).toBe('THEOREM a; THEOREM d; e == 1')
  expect(shown('THEOREM a', '<1>1. b')).toBe('THEOREM a')
})

test('a sequent may stand for what is proved', () => {
  expect(shown('THEOREM T == ASSUME NEW x \\in S, NEW F(_), x = 1 PROVE x > 0 OBVIOUS')).toBe('THEOREM T == a sequent')
})

test('USE and HIDE between definitions are skipped too', () => {
  expect(shown('USE a DEF b', 'HIDE DEF c', 'd == 1')).toBe('d == 1')
})

test('the number of a step means nothing outside of a proof', () => {
  expect(refusal('---- MODULE Test ----\na == <1>2\n====')).toContain(
    'expected an expression, found the step `<1>2` of a proof',
  )
})
