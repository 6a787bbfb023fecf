/**
 * The comparisons that a program made in one execution: what instrumented code notes, and in what
 * order it is read.
 *
 * Every site (one comparison of the text) keeps its first 32 and its last 32: a parser compares
 * character by character at one site, and what it compared last is what it stopped at. Of all sites
 * together at most 4096 are read; when there are more, every site gives up the same: its first and
 * last 16, 8, and so on, so that a busy one does not silence another.
 *
 * Invariants: only values that could be written into a choice are kept; memory is bounded by the
 * number of sites; what is read depends on the comparisons made alone. A site has one number for
 * the life of the process.
 *
 * Follows CmpLog of AFL++ (RedQueen, Aschermann and others, 2019), which keeps the last 32 of a
 * site in a ring. Departs: the first are kept too, and the order in which all were made.
 */
import type { ComparisonKind, ComparisonLog, Operand } from '../contract/observation.ts'

/**
 * Kept of each site, at its beginning and again at its end. A power of two: the ring is indexed by
 * a mask.
 */
const KEPT = 32
/** Read of one execution. */
const READ = 4096

/** A comparison in the text of a program. */
export interface ComparisonSite {
  readonly kind: ComparisonKind
  readonly leftConstant: boolean
  readonly rightConstant: boolean
  /**
   * What the left side is compared with, each in turn, where that is known from the text (a
   * `switch`).
   */
  readonly constants: readonly Operand[] | undefined
}

/** What was noted at a site. */
class Noted {
  readonly site: ComparisonSite
  /** Number of the site; that of its first constant, if it has several. */
  readonly number: number
  count = 0
  readonly lefts: Operand[] = new Array(2 * KEPT).fill(undefined)
  readonly rights: Operand[] = new Array(2 * KEPT).fill(undefined)
  /** When each was made, counted in comparisons. */
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
  /** All sites that have ever been passed; what they hold is used again. */
  readonly #touched: Noted[] = []
  #numbered = 0
  /** In comparisons. */
  readonly #clock = { time: 0 }
  #rows: readonly Row[] | undefined

  /** A new site; what `note` calls it by. */
  add(site: ComparisonSite): number {
    this.#numbers.push(this.#numbered)
    this.#numbered += site.constants?.length ?? 1
    this.#noted.push(undefined)
    return this.#sites.push(site) - 1
  }

  /** Notes a comparison; both sides have to be operands (`isOperand`). */
  note(site: number, left: Operand, right: Operand): void {
    const noted = this.#noted[site] ?? this.#first(site)
    const nth = noted.count
    noted.count = nth + 1
    const at = nth < KEPT ? nth : KEPT + (nth & (KEPT - 1))
    noted.lefts[at] = left
    noted.rights[at] = right
    noted.times[at] = ++this.#clock.time
  }

  /** Notes what was compared with the constants of a site. */
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

  /** Forgets what was noted. */
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

  /** What was noted until now, in order; after more has been noted, `reset` comes first. */
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

/** How many comparisons are read when so many are kept at either end of each site. */
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

/** Whether a value could be written into a choice, or into several. */
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
