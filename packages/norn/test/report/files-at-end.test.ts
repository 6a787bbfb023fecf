/** What a report says of files that a failing and a passing execution leave otherwise. */
import { expect, it } from 'vitest'
import type { FileChange } from '../../src/contract/file-change.ts'
import { filesAtEnd } from '../../src/report/files-at-end.ts'

/** `path=text`, in the order of the execution; `path` alone is removed. */
const changes = (...all: string[]): FileChange[] =>
  all.map((each, at) => {
    const [path, text] = each.split('=')
    return text === undefined ? { at, path: path! } : { at, path: path!, text }
  })

it('shows the last content of each that differs', () => {
  const failing = changes('a.json=[]', 'a.json=[2]', 'same=x')
  const passing = changes('a.json=[]', 'same=y', 'a.json=[1,2]', 'same=x')
  expect(filesAtEnd(failing, passing)).toEqual(['a.json             [2]', '  where it passes  [1,2]'])
})

it('tells what is removed, empty or not written, and escapes what a terminal would take for a command', () => {
  expect(filesAtEnd(changes('lock=1', 'lock', 'empty=', 'bell\u0007=\u001b[2J'), changes('lock=1'))).toEqual([
    'lock               (removed)',
    '  where it passes  1',
    'empty              (empty)',
    '  where it passes  (not written)',
    'bell\\u0007         \\u001b[2J',
    '  where it passes  (not written)',
  ])
})

it('shows a file that only one of them removes', () => {
  expect(filesAtEnd(changes('kept'), [])).toEqual(['kept               (removed)', '  where it passes  (not written)'])
})

it('is empty where both leave the same, and cuts many files and long ones', () => {
  expect(filesAtEnd(changes('a=1'), changes('a=2', 'a=1'))).toEqual([])
  expect(filesAtEnd()).toEqual([])
  const many = filesAtEnd(changes(...Array.from({ length: 6 }, (_, at) => `f${at}=${'x'.repeat(300)}`)), [])
  expect(many).toHaveLength(9)
  expect(many.at(-1)).toBe('and 2 more')
  expect(Math.max(...many.map((line) => line.length))).toBeLessThan(125)
})
