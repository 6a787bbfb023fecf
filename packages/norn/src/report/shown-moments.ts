/**
 * Which lines of an interleaving are shown: of lines that repeat, the first; of a long one its
 * beginning and end, the surroundings of delays and faults, what differs from the nearest passing
 * execution, and messages that arrive.
 */
import { plural } from '../contract/text.ts'
import type { Moment } from './moments.ts'
import { type Repetition, repetitionsOf } from './repetitions.ts'
import { milliseconds } from './step-text.ts'

/** Steps shown at the beginning and the end, and on both sides of a delayed one. */
const AROUND = 3
const AT_START = 4
const AT_END = 10
const MAX_WHOLE = 40
/** Steps that differ from a passing execution, and messages, that are shown beside those. */
const MAX_DIFFERING = 40
const MAX_MESSAGES = 24
/** Of messages that look the same, those shown among them. */
const MAX_ALIKE = 3

/** The index of a moment that is shown, or a text in the place of others, up to the last of them. */
export type ShownRow = number | { readonly text: string; readonly last: number }

/** @param lineOf how a moment looks, without its time */
export function shownRows(moments: readonly Moment[], lineOf: (index: number) => string, all = false): ShownRow[] {
  if (all) return [...moments.keys()]
  const repetitions = new Map(repetitionsOf(moments, lineOf).map((each) => [each.first + each.length - 1, each]))
  const indices: number[] = []
  for (let at = 0; at < moments.length; at = (repetitions.get(at)?.last ?? at) + 1) indices.push(at)
  const isShown = shownOf(
    indices.map((index) => moments[index]!),
    indices.map(lineOf),
  )
  const rows: ShownRow[] = []
  let hidden = 0
  for (const [at, index] of indices.entries()) {
    const repetition = repetitions.get(index)
    const last = repetition?.last ?? index
    if (!isShown[at]) {
      if (hidden > 0) rows.pop()
      hidden += last - index + 1
      rows.push({ text: `… ${plural(hidden, 'step')} left out`, last })
      continue
    }
    hidden = 0
    rows.push(index)
    if (repetition !== undefined) rows.push({ text: repeatedText(repetition, moments[last]!), last })
  }
  return rows
}

function repeatedText({ length, times }: Repetition, { atUs }: Moment): string {
  const what = length === 1 ? 'the same' : `these ${length} lines`
  return `… ${what} ${plural(times - 1, 'more time')}${atUs === undefined ? '' : `, until ${milliseconds(atUs)} ms`}`
}

function shownOf(moments: readonly Moment[], lines: readonly string[]): boolean[] {
  if (moments.length <= MAX_WHOLE) return moments.map(() => true)
  let differing = 0
  let messages = 0
  const alike = new Map<string, number>()
  const isNew = (line: string) => {
    const count = (alike.get(line) ?? 0) + 1
    alike.set(line, count)
    return count <= MAX_ALIKE
  }
  return moments.map(
    ({ difference, from }, index) =>
      index < AT_START ||
      index >= moments.length - AT_END ||
      moments.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(isNotable) ||
      (difference !== undefined && differing++ < MAX_DIFFERING) ||
      (from !== undefined && isNew(lines[index]!) && messages++ < MAX_MESSAGES),
  )
}

/** Whether it and its surroundings are shown however long the diagram is. */
function isNotable({ delayUs, mark, difference }: Moment): boolean {
  return delayUs > 0 || mark === '◇' || mark === '✗' || difference === 'parting'
}
