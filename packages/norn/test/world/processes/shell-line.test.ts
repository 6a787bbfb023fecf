import { expect, test } from 'vitest'
import { tokensOf, wordsOf } from '../../../src/world/processes/shell-line.ts'

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

test.each<[string, string[]]>([
  ['"$NODE" "$DIR/a b" $ONE', ['node', '/x y/a b', 'one']],
  [`a "\\$ONE" '$ONE' "$NONE"`, ['a', '$ONE', '$ONE', '']],
])('the words of %s, with variables', (line, words) => {
  expect(wordsOf(line, { NODE: 'node', DIR: '/x y', ONE: 'one' })).toEqual(words)
})

test.each(['a $DIR', 'a $NONE', 'a "$(b)"', 'a "$1"', 'a $((1))'])('a shell makes more of it: %s', (line) => {
  expect(wordsOf(line, { DIR: '/x y' })).toBeUndefined()
})

test('operators end words', () => {
  expect(tokensOf('a&&b ||c;d|e 1>&2')).toEqual([
    { word: 'a' },
    { operator: '&&' },
    { word: 'b' },
    { operator: '||' },
    { word: 'c' },
    { operator: ';' },
    { word: 'd' },
    { operator: '|' },
    { word: 'e' },
    { operator: '>&2' },
  ])
})

test('variables are assigned for the program that follows, and redirections end a word', () => {
  expect(tokensOf('A=1 B="x y" node a=b 2>&1 && C= c > /dev/null 2>/dev/null')).toEqual([
    { assigned: ['A', '1'] },
    { assigned: ['B', 'x y'] },
    { word: 'node' },
    { word: 'a=b' },
    { operator: '2>&1' },
    { operator: '&&' },
    { assigned: ['C', ''] },
    { word: 'c' },
    { operator: '>/dev/null' },
    { operator: '2>/dev/null' },
  ])
  expect(tokensOf('a2>&1')).toBeUndefined()
})
