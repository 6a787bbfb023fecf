/**
 * Features: what an execution did, in the form of numbers that can be counted. An execution that
 * shows a feature for the first time is worth keeping; one that shows a rare one is worth mutating.
 *
 * - *Branches*: a counter and how often it was hit, in AFL's buckets (1, 2, 3, 4-7, 8-15, 16-31,
 *   32-127, 128 and more). The counters stand in arrays of exact size, so no two branches share a
 *   feature, as they do in AFL's map of edges.
 * - *Order*: two tasks that ran one right after the other. It counts as new only where the
 *   happens-before class of the execution is new too: otherwise what was swapped were two things
 *   that cannot tell.
 *
 * - *Notes*: a place that the property marked was passed.
 *
 * Invariants: a feature's number means the same throughout a campaign; what is remembered is
 * bounded: past the bounds no order is new any more.
 */
import type { Counters, Observation } from '../contract/observation.ts'

export interface FeatureOptions {
  readonly branches: boolean
  readonly order: boolean
}

/** What one execution showed. */
export interface Shown {
  /** Features seen for the first time. */
  readonly fresh: readonly number[]
  /** All its features; made when asked for, while the observation is valid. */
  all(): number[]
  /**
   * How much it did: hits of counters and tasks. Stands for its time, which no two runs have in
   * common.
   */
  readonly work: number
}

const BUCKETS = 8
/** Features of order have numbers from here on, above any counter's. */
const ORDER = 2 ** 40
/** And features of notes from here on. */
const NOTE = 2 ** 41
/**
 * Tasks of an execution whose order is looked at, and how many pairs and classes are remembered.
 */
const MAX_TASKS = 2048
const MAX_PAIRS = 1 << 18
const MAX_CLASSES = 1 << 18
const MAX_NOTES = 1 << 12

/** By hits, up to 255. */
const BUCKET_OF = Uint8Array.from({ length: 256 }, (_, hits) =>
  hits < 4 ? hits - 1 : hits < 8 ? 3 : hits < 16 ? 4 : hits < 32 ? 5 : hits < 128 ? 6 : 7,
)

interface FileFeatures {
  readonly base: number
  /** In how many executions each was seen. */
  readonly seen: Uint32Array
}

export class FeatureMap {
  readonly #options: FeatureOptions
  readonly #files: FileFeatures[] = []
  #nextBase = 0
  #branches = 0
  readonly #pairs = new Map<number, number>()
  readonly #classes = new Set<number>()
  readonly #notes = new Map<string, number>()
  readonly #notesSeen: number[] = []

  constructor(options: FeatureOptions) {
    this.#options = options
  }

  /** Distinct features seen so far: of branches, of order. */
  get counts(): { readonly branches: number; readonly order: number; readonly classes: number } {
    return { branches: this.#branches, order: this.#pairs.size, classes: this.#classes.size }
  }

  /** In how many executions a feature was seen. */
  seen(feature: number): number {
    if (feature >= NOTE) return this.#notesSeen[feature - NOTE] ?? 0
    if (feature >= ORDER) return this.#pairs.get(feature) ?? 0
    for (let at = this.#files.length - 1; at >= 0; at--) {
      const { base, seen } = this.#files[at]!
      if (feature >= base) return seen[feature - base] ?? 0
    }
    return 0
  }

  /** Takes note of an execution. */
  observe(observation: Observation): Shown {
    const fresh: number[] = []
    let work = 0
    if (this.#options.branches) {
      const { counters } = observation
      for (let file = 0; file < counters.length; file++) work += this.#observeFile(file, counters[file]!, fresh)
    }
    if (this.#options.order && observation.order.length > 1) {
      work += observation.order.length
      this.#observeOrder(observation, fresh)
    }
    for (const label of observation.notes.keys()) {
      const feature = this.#note(label)
      if (feature !== undefined && this.#notesSeen[feature - NOTE]!++ === 0) fresh.push(feature)
    }
    return { fresh, work, all: () => this.#all(observation) }
  }

  /** The feature of a note; undefined for one label too many. */
  #note(label: string): number | undefined {
    let feature = this.#notes.get(label)
    if (feature === undefined && this.#notes.size < MAX_NOTES) {
      this.#notes.set(label, (feature = NOTE + this.#notes.size))
      this.#notesSeen.push(0)
    }
    return feature
  }

  #observeFile(file: number, counters: Counters, fresh: number[]): number {
    const { base, seen } = this.#file(file, counters.length)
    let work = 0
    for (let at = 0; at < counters.length; at++) {
      const hits = counters[at]!
      if (hits === 0) continue
      work += hits
      const feature = at * BUCKETS + BUCKET_OF[hits < 255 ? hits : 255]!
      if (seen[feature]!++ > 0) continue
      this.#branches++
      fresh.push(base + feature)
    }
    return work
  }

  #file(file: number, counters: number): FileFeatures {
    const known = this.#files[file]
    if (known !== undefined) return known
    const made = { base: this.#nextBase, seen: new Uint32Array(counters * BUCKETS) }
    this.#nextBase += made.seen.length
    this.#files[file] = made
    return made
  }

  #observeOrder({ order, happensBefore }: Observation, fresh: number[]): void {
    const isNew = !this.#classes.has(happensBefore) && this.#classes.size < MAX_CLASSES
    if (isNew) this.#classes.add(happensBefore)
    eachPair(order, (pair) => {
      const seen = this.#pairs.get(pair)
      if (seen !== undefined) this.#pairs.set(pair, seen + 1)
      else if (isNew && this.#pairs.size < MAX_PAIRS) {
        this.#pairs.set(pair, 1)
        fresh.push(pair)
      }
    })
  }

  #all({ counters, order, notes }: Observation): number[] {
    const all: number[] = []
    if (this.#options.branches) {
      for (const [file, hits] of counters.entries()) {
        const { base } = this.#file(file, hits.length)
        for (let at = 0; at < hits.length; at++) {
          if (hits[at]! > 0) all.push(base + at * BUCKETS + BUCKET_OF[Math.min(hits[at]!, 255)]!)
        }
      }
    }
    if (this.#options.order) eachPair(order, (pair) => this.#pairs.has(pair) && all.push(pair))
    for (const label of notes.keys()) {
      const feature = this.#note(label)
      if (feature !== undefined) all.push(feature)
    }
    return all
  }
}

function eachPair(order: readonly number[], visit: (feature: number) => void): void {
  for (let at = 1; at < order.length && at < MAX_TASKS; at++) {
    visit(ORDER + ((Math.imul(order[at - 1]!, 0x9e3779b1) ^ order[at]!) >>> 0))
  }
}
