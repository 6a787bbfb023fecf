/**
 * `Function.prototype.toString` of instrumented functions: the text that the user wrote.
 *
 * Programs read it: to tell a class from a function, to find the names of parameters, to send a
 * function elsewhere. What V8 answers is the text that runs, so what was inserted into it would
 * show.
 *
 * A counter's number tells the function: they are numbered in the order of the tree, so the least
 * number in a function's text is that of its own body, and of a class the first that was given out
 * within it.
 *
 * Invariants: it is replaced when this file is loaded, before anything takes note of what the
 * language's objects hold; text without our names goes through untouched. A class without any
 * counter keeps what was inserted to trace it.
 */

/** Where functions and classes stand in a source: offsets. */
export interface TextRange {
  /** The number of its counter; of a class, the next to be given out where it begins. */
  readonly counter: number
  readonly start: number
  readonly end: number
  readonly isClass: boolean
}

interface FileText {
  readonly source: string
  readonly ranges: readonly TextRange[]
}

/** By the name of the file's array of counters. */
const files = new Map<string, FileText>()

/**
 * Makes the functions of a file known; `array` is the name of its array of counters, `stem` and
 * all.
 */
export function rememberFunctions(array: string, source: string, ranges: readonly TextRange[]): void {
  files.set(array, { source, ranges })
}

/** A stem (see stem.ts), and what counters are called behind it. */
const COUNTER = /(_n(?:orn|[0-9a-z]{2}_)_g\d+)\[(\d+)\]\+\+/g

const { apply } = Reflect
const native = Function.prototype.toString

/** The text of a function as it was written, given the text that runs. */
function writtenText(text: string): string {
  let file: FileText | undefined
  let least = Number.POSITIVE_INFINITY
  for (const [, array, counter] of text.matchAll(COUNTER)) {
    file ??= files.get(array!)
    least = Math.min(least, Number(counter))
  }
  if (file === undefined) return text
  const { source, ranges } = file
  const isClass = text.startsWith('class')
  // One class may begin within another before either has a counter: the outer one comes first, and
  // is longer.
  const range = ranges.find(
    (each) => each.counter === least && each.isClass === isClass && each.end - each.start <= text.length,
  )
  return range === undefined ? text : source.slice(range.start, range.end)
}

const replacement = {
  toString(this: unknown): string {
    const text = apply(native, this === replacement ? native : this, []) as string
    return text.includes('_g') && text.includes(']++') ? writtenText(text) : text
  },
}.toString

Object.defineProperty(Function.prototype, 'toString', {
  value: replacement,
  writable: true,
  configurable: true,
  enumerable: false,
})
