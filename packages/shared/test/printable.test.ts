import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { printed, visible, visibleJson } from '../src/printable.ts'

const BIDIRECTIONAL = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069']
const INVISIBLE = ['\u00ad', '\u034f', '\u115f', '\u200b', '\u200d', '\u2028', '\u2060', '\u3164', '\ufeff', '\ufe0f']
const CONTROLS = ['\0', '\b', '\r', '\u001b', '\u007f', '\u0085', '\u009b']

test.each([...BIDIRECTIONAL, ...INVISIBLE, ...CONTROLS, '\ud800', '\u{e0041}'].map((each) => [escape(each), each]))(
  '%s is shown, by an escape that stands for it',
  (_, hidden) => {
    const shown = visible(`a${hidden}b`)
    expect(shown).toMatch(/^[ -~]+$/)
    expect(JSON.parse(`"${shown}"`)).toBe(`a${hidden}b`)
  },
)

test('what can be seen stays as it is, and emoji stay whole', () => {
  for (const text of ['a\tb\nc', 'größer 文字 שלום', '👩🏽‍🚀 👨‍👩‍👧 ✔️ ❤️‍🔥']) expect(visible(text)).toBe(text)
})

test('JSON stays the same JSON, and pages get the escapes as text', () => {
  const data = { 'k\u202e': ['\u009b##[error]x', 1, null, '::error::'] }
  const shown = printed(JSON.stringify(data))
  expect(shown).toMatch(/^[ -~]+$/)
  expect(shown).not.toContain('##[')
  expect(JSON.parse(shown)).toEqual(data)
  expect(JSON.parse(visibleJson({ text: 'a\u202eb' }))).toEqual({ text: 'a\\u202eb' })
})

test('the emphasis of norn stays; no other sequence steers the terminal', () => {
  expect(printed('\u001b[1mbold\u001b[22m\u001b[2J\u001b]0;title\u0007')).toBe(
    '\u001b[1mbold\u001b[22m\\u001b[2J\\u001b]0;title\\u0007',
  )
})

test('no line is a command to GitHub, Azure or TeamCity', () => {
  for (const text of ['::error::x', '  ::stop-commands::x', '\u001b[31m::add-mask::x', 'first\n\t::error::x'])
    expect(stripVTControlCharacters(printed(text))).not.toMatch(/^\s*::/m)
  for (const text of ['x ##[error]y', '##vso[task.x]', '##teamcity[x]'])
    expect(printed(text)).not.toMatch(/##(?:\[|vso|teamcity)/)
  expect(printed('a::b, x: y, # Title')).toBe('a::b, x: y, # Title')
})
