/**
 * Axes of a plot: where a value lies, and which values are marked.
 *
 * Marks are round: 1, 2 or 5 times a power of ten (Heckbert, "Nice numbers for graph labels",
 * Graphics Gems, 1990, without his loose ends: a linear axis ends at a mark, a logarithmic one
 * where the data do). Numbers are written the same everywhere, with commas between thousands,
 * whatever the machine's language is.
 */
export interface Axis {
  /** The range that is shown. */
  readonly from: number
  readonly to: number
  /** Values that are marked, ascending, all within the range. */
  readonly marks: readonly number[]
  /** Where a value lies, 0 at the beginning of the axis and 1 at its end. */
  place(value: number): number
}

/**
 * Steps between marks over the width of what is shown, at most; the rounding of both ends may add
 * one each.
 */
const STEPS = 8

const MAX_MARKS = STEPS + 3

/** A linear axis over at least these values, which begins and ends at a mark. */
export function linearAxis(least: number, most: number): Axis {
  assertRange(least, most)
  const width = widthOf(least, most)
  const step = roundStep(width / STEPS)
  const first = Math.floor(least / step + ROUNDING)
  const last = Math.max(first + 1, Math.ceil(Math.max(most, least + width) / step - ROUNDING))
  const marks = Array.from({ length: Math.min(MAX_MARKS, last - first + 1) }, (_, at) => tidy((first + at) * step))
  const from = marks[0]!
  const to = marks.at(-1)!
  return { from, to, marks, place: (value) => (value - from) / (to - from) }
}

/**
 * A logarithmic axis over exactly these values; marked are powers of ten, and 2 and 5 times them
 * where few decades show.
 */
export function logAxis(least: number, most: number): Axis {
  assertRange(least, most)
  if (least <= 0) throw new RangeError(`a logarithmic axis begins above 0, not at ${least}`)
  const from = least
  const to = most > least ? most : 10 * least
  const decades = Math.log10(to / from)
  const times = decades <= 2.5 ? [1, 2, 5] : [1]
  // Of very many decades only some are marked.
  const every = Math.max(1, Math.ceil(decades / 8))
  const marks: number[] = []
  for (let exponent = Math.floor(Math.log10(from)); exponent <= Math.ceil(Math.log10(to)); exponent++) {
    if (exponent % every !== 0) continue
    for (const factor of times) {
      const mark = tidy(factor * 10 ** exponent)
      if (mark >= from && mark <= to) marks.push(mark)
    }
  }
  return { from, to, marks, place: (value) => Math.log(value / from) / Math.log(to / from) }
}

/**
 * A width that steps of twelve digits can tell apart; of values that are all the same, about as
 * wide as they are large.
 */
function widthOf(least: number, most: number): number {
  const size = Math.max(Math.abs(least), Math.abs(most))
  const width = most === least ? size : Math.max(most - least, 1e-9 * size)
  return width < 1e-290 ? 1 : width
}

/**
 * What a step may be over or under by because tenths have no end in binary, as a part of the step.
 */
const ROUNDING = 1e-9

/** The next of 1, 2 and 5 times a power of ten that is not smaller. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5].find((each) => each * power >= least * (1 - ROUNDING)) ?? 10
  return tidy(factor * power)
}

/** Without the tail that computing in binary leaves: 0.3, not 0.30000000000000004. */
function tidy(value: number): number {
  return Number(value.toPrecision(12))
}

/** A number as a mark says it: 10,000; 0.25; 1e-7; with U+2212 for minus. */
export function markText(value: number): string {
  const size = Math.abs(value)
  const [whole = '', fraction] = (
    size !== 0 && (size < 1e-4 || size >= 1e12) ? size.toExponential() : String(size)
  ).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${value < 0 ? '−' : ''}${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

function assertRange(least: number, most: number): void {
  if (!(Number.isFinite(most - least) && least <= most))
    throw new RangeError(`an axis wants a finite range, not ${least} to ${most}`)
}
