/** The colours of a page can be read: WCAG 2.2, 1.4.3 (text, 4.5 : 1) and 1.4.11 (marks and focus, 3 : 1). */
import { describe, expect, it } from 'vitest'
import { STYLE } from '../../../src/report/page/page-style.ts'

type Colours = Readonly<Record<string, string>>

/** The variables of the light page, and those of the dark one. */
const [LIGHT, DARK] = [...STYLE.matchAll(/:root\{([^}]*)\}/g)].map(
  ([, text]): Colours =>
    Object.fromEntries([...text!.matchAll(/--([\w-]+):(#\w+)/g)].map(([, name, at]) => [name, at])),
)

/** Relative luminance, as WCAG defines it. */
function luminance(colour: string): number {
  const long = colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(long.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter! + 0.05) / (darker! + 0.05)
}

const WORDS = ['keyword', 'string', 'constant', 'type', 'function']
/** What stands on each ground as text. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  paper: ['ink', 'dim', 'bad', 'good', 'late', 'arrow', ...WORDS],
  side: ['ink', 'dim', 'bad', 'good', 'late', 'arrow'],
  band: ['ink', 'dim', 'late', ...WORDS],
  worse: ['ink', 'dim', 'bad'],
  chosen: ['ink', 'dim', 'bad', 'late'],
  fresh: ['ink', 'dim'],
}
/** Marks of the diagram, and the outline of what has the focus. */
const MARKS = ['arrow', 'late', 'bad', 'good']

it('what colours the test knows are those of the page', () => {
  expect(Object.keys(DARK!).sort()).toEqual(Object.keys(LIGHT!).sort())
  expect(contrast('#fff', '#000')).toBeCloseTo(21)
})

describe.each([
  ['light', LIGHT!],
  ['dark', DARK!],
] as const)('on a %s page', (_, colours) => {
  const faint = (pairs: readonly (readonly [string, string])[], least: number) =>
    pairs.flatMap(([on, above]) => {
      const found = contrast(colours[on]!, colours[above]!)
      return found >= least ? [] : [`${above} on ${on}: ${found.toFixed(2)}`]
    })

  it('texts stand out', () => {
    const pairs = Object.entries(TEXTS).flatMap(([on, texts]) => texts.map((text) => [on, text] as const))
    expect(faint(pairs, 4.5)).toEqual([])
  })

  it('marks and the focus stand out', () => {
    const pairs = ['paper', 'side', 'chosen'].flatMap((on) => MARKS.map((mark) => [on, mark] as const))
    expect(faint(pairs, 3)).toEqual([])
  })
})
