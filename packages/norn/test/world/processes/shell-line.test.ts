import { expect, test } from 'vitest'
import { wordsOf } from '../../../src/world/processes/shell-line.ts'

test.each<[string, string[]]>([
  ['git status', ['git', 'status']],
  ['  git  commit -m "a b" ', ['git', 'commit', '-m', 'a b']],
  [`echo 'a "b" $c' "d \\"e\\" \\x"`, ['echo', 'a "b" $c', 'd "e" \\x']],
  [`a\\ b c"d"'e'`, ['a b', 'cde']],
  ['node --test-name=x ""', ['node', '--test-name=x', '']],
])('the words of %s', (line, words) => {
  expect(wordsOf(line)).toEqual(words)
})

test.each([
  'a | b',
  'a && b',
  'a; b',
  'a > f',
  'a < f',
  'a $B',
  'a `b`',
  'a "$B"',
  'a *.ts',
  'a ~',
  'A=1 b',
  'a # b',
  'a &',
  'a\nb',
  '',
  "a 'b",
])('has no words of one program: %s', (line) => {
  expect(wordsOf(line)).toBeUndefined()
})
