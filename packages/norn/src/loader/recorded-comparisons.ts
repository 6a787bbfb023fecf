/**
 * The comparisons of one execution, as instrumented code records them.
 *
 * Every site (one comparison of the text) keeps its first 32 and its last 32: a parser compares
 * character by character at one site, and the last comparison is where it stopped. At most 4096 are
 * read in total. If there are more, every site is cut to its first and last 16, 8 and so on, so
 * that a busy site does not displace others.
 *
 * Invariants: only values that a choice could hold are kept; the number of sites bounds the memory;
 * the result depends only on the comparisons. A site keeps its number while the process lives.
 *
 * Follows CmpLog of AFL++ (RedQueen, Aschermann et al., 2019), which keeps the last 32 of a site in
 * a ring. Departs by keeping the first ones too, and the order of all.
 */
import type { ComparisonKind, ComparisonLog, Operand } from '../contract/observation.ts'

/** First, and last, comparisons kept per site. A power of two, because a mask indexes the ring. */
const KEPT = 32
/** The maximum read per execution. */
const READ = 4096

/** A comparison in the text of a program. */
export interface ComparisonSite {
  readonly kind: ComparisonKind
  readonly leftConstant: boolean
  readonly rightConstant: boolean
  /** The constants with which the left operand is compared in turn (a `switch`). */
  readonly constants: readonly Operand[] | undefined
}

/** The recorded comparisons of a site. */
class Noted {
  readonly site: ComparisonSite
  /** The number of the site, or of its first constant. */
  readonly number: number
  count = 0
  readonly lefts: Operand[] = new Array(2 * KEPT).fill(undefined)
  readonly rights: Operand[] = new Array(2 * KEPT).fill(undefined)
  /** The time of each, as an index among all comparisons. */
  readonly times = new Float64Array(2 * KEPT)

  constructor(site: ComparisonSite, number: number) {
    this.site = site
    this.number = number
  }
}

interface Row {
  readonly site: number
  readonly of: ComparisonSite
  readonly left: Operand
  readonly right: Operand
  readonly time: number
}

export class RecordedComparisons implements ComparisonLog {
  readonly #sites: ComparisonSite[] = []
  readonly #numbers: number[] = []
  readonly #noted: (Noted | undefined)[] = []
  /** All sites passed so far, whose buffers are reused. */
  readonly #touched: Noted[] = []
  #numbered = 0
  /** The number of comparisons so far. */
  readonly #clock = { time: 0 }
  #rows: readonly Row[] | undefined

  /** Adds a site. @returns its index for `note` */
  add(site: ComparisonSite): number {
    this.#numbers.push(this.#numbered)
    this.#numbered += site.constants?.length ?? 1
    this.#noted.push(undefined)
    return this.#sites.push(site) - 1
  }

  /** Records a comparison; both sides must be operands (`isOperand`). */
  note(site: number, left: Operand, right: Operand): void {
    const noted = this.#noted[site] ?? this.#first(site)
    const nth = noted.count
    noted.count = nth + 1
    const at = nth < KEPT ? nth : KEPT + (nth & (KEPT - 1))
    noted.lefts[at] = left
    noted.rights[at] = right
    noted.times[at] = ++this.#clock.time
  }

  /** Records an operand that is compared with the constants of a site. */
  noteLeft(site: number, left: Operand): void {
    const noted = this.#noted[site] ?? this.#first(site)
    const nth = noted.count
    noted.count = nth + 1
    const at = nth < KEPT ? nth : KEPT + (nth & (KEPT - 1))
    noted.lefts[at] = left
    noted.times[at] = ++this.#clock.time
  }

  #first(site: number): Noted {
    const noted = new Noted(this.#sites[site]!, this.#numbers[site]!)
    this.#touched.push(noted)
    this.#noted[site] = noted
    return noted
  }

  /** Keeps what is recorded now. @returns a function that records it again, after a `reset` */
  kept(): () => void {
    const { time } = this.#clock
    const all = this.#touched
      .filter(({ count }) => count > 0)
      .map((noted) => ({
        noted,
        count: noted.count,
        lefts: [...noted.lefts],
        rights: [...noted.rights],
        times: noted.times.slice(),
      }))
    return () => {
      for (const { noted, count, lefts, rights, times } of all) {
        noted.count = count
        for (let at = 0; at < lefts.length; at++) [noted.lefts[at], noted.rights[at]] = [lefts[at]!, rights[at]!]
        noted.times.set(times)
      }
      this.#clock.time = time
      this.#rows = undefined
    }
  }

  /** Clears the record. */
  reset(): void {
    for (const noted of this.#touched) {
      noted.lefts.fill(undefined, 0, noted.count)
      noted.rights.fill(undefined, 0, noted.count)
      noted.count = 0
    }
    this.#clock.time = 0
    this.#rows = undefined
  }

  get length(): number {
    return this.#read().length
  }

  site(index: number): number {
    return this.#row(index).site
  }

  kind(index: number): ComparisonKind {
    return this.#row(index).of.kind
  }

  left(index: number): Operand {
    return this.#row(index).left
  }

  right(index: number): Operand {
    return this.#row(index).right
  }

  isConstant(index: number, side: 'left' | 'right'): boolean {
    const { leftConstant, rightConstant } = this.#row(index).of
    return side === 'left' ? leftConstant : rightConstant
  }

  #row(index: number): Row {
    const row = this.#read()[index]
    if (row === undefined) throw new RangeError(`there is no comparison ${index} among ${this.length}`)
    return row
  }

  /** The record in order. Call `reset` before recording more. */
  #read(): readonly Row[] {
    if (this.#rows !== undefined) return this.#rows
    if (this.#clock.time === 0) return NO_ROWS
    const passed = this.#touched.filter(({ count }) => count > 0).sort((a, b) => a.times[0]! - b.times[0]!)
    let kept = KEPT
    while (kept > 1 && sizeOf(passed, kept) > READ) kept /= 2
    const rows: Row[] = []
    for (const noted of passed) {
      if (rows.length >= READ) break
      for (let nth = 0; nth < Math.min(kept, noted.count); nth++) push(rows, noted, nth)
      for (let nth = Math.max(kept, noted.count - kept); nth < noted.count; nth++) push(rows, noted, nth)
    }
    rows.length = Math.min(rows.length, READ)
    return (this.#rows = rows.sort((a, b) => a.time - b.time || a.site - b.site))
  }
}

const NO_ROWS: readonly Row[] = []

/** The number of comparisons if each site keeps `kept` at either end. */
function sizeOf(passed: readonly Noted[], kept: number): number {
  let size = 0
  for (const { count, site } of passed) size += Math.min(count, 2 * kept) * (site.constants?.length ?? 1)
  return size
}

function push(rows: Row[], { site: of, number, lefts, rights, times }: Noted, nth: number): void {
  const at = nth < KEPT ? nth : KEPT + (nth & (KEPT - 1))
  const left = lefts[at]
  const time = times[at]!
  if (of.constants === undefined) rows.push({ site: number, of, left, right: rights[at], time })
  else for (const [index, right] of of.constants.entries()) rows.push({ site: number + index, of, left, right, time })
}

/** Whether one or several choices could hold a value. */
export function isOperand(value: unknown): value is Operand {
  switch (typeof value) {
    case 'object':
      return value === null
    case 'function':
    case 'symbol':
      return false
    default:
      return true
  }
}
