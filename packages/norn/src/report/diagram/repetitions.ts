/** Rows that repeat: a timer that fires again and again, a client that tries again for ever. */
import type { Row } from './diagram.ts'

/** Rows of a pattern, and the fewest rows that leaving out the others must spare. */
const MAX_LENGTH = 6
const MIN_SPARED = 3

export interface Repetition {
  /** Index of the first row of the pattern. */
  readonly first: number
  /** Rows of the pattern. */
  readonly length: number
  readonly times: number
  /** Index of the last row of its last occurrence. */
  readonly last: number
}

/** @param looks how each row looks, without its time */
export function repetitionsOf(rows: readonly Row[], looks: readonly string[]): Repetition[] {
  const lines = rows.map(({ delayUs }, index) => (delayUs === undefined ? looks[index]! : `${index}`))
  const repetitions: Repetition[] = []
  for (let first = 0; first < lines.length; first = Math.max(first + 1, (repetitions.at(-1)?.last ?? -1) + 1)) {
    const candidates = Array.from({ length: MAX_LENGTH }, (_, index) => repetitionAt(lines, first, index + 1))
    const best = candidates.reduce((one, other) => (spared(other) > spared(one) ? other : one))
    if (spared(best) >= MIN_SPARED) repetitions.push(best)
  }
  return repetitions
}

function repetitionAt(lines: readonly string[], first: number, length: number): Repetition {
  let end = first + length
  while (end < lines.length && lines[end] === lines[end - length]) end++
  const times = Math.max(1, Math.floor((end - first) / length))
  return { first, length, times, last: first + times * length - 1 }
}

/** The rows left out, but for the one that says so. */
const spared = ({ length, times }: Repetition) => (times - 1) * length - 1
