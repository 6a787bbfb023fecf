/**
 * `Function.prototype.toString` of instrumented functions returns the user's source text, without
 * the inserted counters. Programs read it to recognise classes, to find parameter names, or to send
 * a function elsewhere.
 *
 * Counters identify functions. They are numbered in tree order, so the smallest number in the text
 * of a function is that of its body; in the text of a class, the first number within the class.
 *
 * Invariants: `toString` is replaced when this file loads, before snapshots of the language's
 * objects; text without inserted names is returned unchanged. A class without any counter keeps
 * the inserted tracing calls.
 */
import { MARKS } from './sharing/scope-writer.ts'
import { STEM } from './stem.ts'

/**
 * The functions and classes of a source, four numbers each: the number of its counter (of a class, the next
 * number at its start), the offsets of its start and end, and whether it is a class.
 */
export type FunctionRanges = readonly number[]

interface FileText {
  readonly source: string
  readonly ranges: FunctionRanges
}

/** By the name of the array of counters. */
const files = new Map<string, FileText>()

/** Registers the functions of a file. @param array the full name of its array of counters */
export function rememberFunctions(array: string, source: string, ranges: FunctionRanges): void {
  files.set(array, { source, ranges })
}

/** Matches a counter: a stem (see stem.ts), the array, the index. */
const COUNTER = new RegExp(`(${STEM}g\\d+)\\[(\\d+)\\]\\+\\+`, 'g')

/** Matches what makes scopes readable: see `sharing/scope-writer.ts`. */
const SCOPES = new RegExp(`/\\*${STEM}${MARKS[0]}\\*/.*?/\\*${STEM}${MARKS[1]}\\*/`, 'g')

const { apply } = Reflect
const native = Function.prototype.toString

/** The source text of a function, given its instrumented text. */
function writtenText(text: string): string {
  let file: FileText | undefined
  let least = Number.POSITIVE_INFINITY
  for (const [, array, counter] of text.matchAll(COUNTER)) {
    file ??= files.get(array!)
    least = Math.min(least, Number(counter))
  }
  if (file === undefined) return text
  const { source, ranges } = file
  const isClass = text.startsWith('class') ? 1 : 0
  for (let at = 0; at < ranges.length; at += 4) {
    if (ranges[at] !== least || ranges[at + 3] !== isClass) continue
    const [start, end] = [ranges[at + 1]!, ranges[at + 2]!]
    // Nested classes may have the same number; the outer one is longer and comes first.
    if (end - start <= text.length) return source.slice(start, end)
  }
  return text
}

/** The last function asked for: who asks once may ask thousands of times (mime-types). */
let last: unknown
let lastText = ''

/** Lets go of a function of an execution that is over. */
export function forgetFunction(): void {
  last = undefined
}

const replacement = {
  toString(this: unknown): string {
    if (last !== undefined && this === last) return lastText
    const text = apply(native, this === replacement ? native : this, []) as string
    const counted = text.includes('_g') && text.includes(']++') ? writtenText(text) : text
    lastText = counted.includes('_in*/') ? counted.replace(SCOPES, '') : counted
    last = this
    return lastText
  },
}.toString

Object.defineProperty(Function.prototype, 'toString', {
  value: replacement,
  writable: true,
  configurable: true,
  enumerable: false,
})
