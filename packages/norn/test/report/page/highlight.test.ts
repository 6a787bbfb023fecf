/** Which characters of a line of source are coloured, as what. */
import { expect, it } from 'vitest'
import { highlight } from '../../../src/report/page/highlight.ts'

/** The runs of a text with their words, a line each. */
function coloured(file: string, text: string): string[] {
  const lines = text.split('\n')
  return highlight(file, text).map((runs, at) =>
    runs.map(([from, to, kind]) => `${kind}:${lines[at]!.slice(from, to)}`).join(' '),
  )
}

it('words are of a kind', () => {
  expect(coloured('a.ts', "const n: number = count('x', 1) // why")).toEqual([
    "k:const t:number f:count s:'x' n:1 c:// why",
  ])
})

it('what spans lines is coloured in each, with either end of line', () => {
  expect(coloured('a.mjs', 'f(`a\nb`)\n/* c\n\nd */')).toEqual(['f:f s:`a', 's:b`', 'c:/* c', '', 'c:d */'])
  expect(highlight('a.js', '/* c\r\nd */\r\n1')[2]).toEqual([[0, 1, 'n']])
})

it('a file that is being edited keeps its colours', () => {
  expect(coloured('a.ts', 'const = (\nif (x) {')[1]).toBe('k:if')
})

it('a language that is not known stays plain, as does a bundle', () => {
  expect(highlight('a.py', 'import os')).toEqual([])
  expect(highlight('a.js', 'a;'.repeat(300_000))).toEqual([])
})
