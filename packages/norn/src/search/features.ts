/**
 * Coverage features of an execution, as numbers. An execution with a new feature is worth keeping;
 * one with a rare feature is worth mutating.
 *
 * - *Branches*: a counter with its hits, in AFL's buckets (1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128
 *   and more). Counters are arrays of exact size, so branches do not collide as in AFL's edge map.
 * - *Order*: two consecutive tasks. A pair is new only if the happens-before class of the execution
 *   is new too; otherwise the order of the two made no difference.
 * - *Notes*: a note of the property was reached.
 *
 * Invariants: a number keeps its meaning during a campaign; memory is bounded, and beyond the
 * bounds no feature is new.
 */
import { shortHash } from '../contract/fingerprint.ts'
import type { Counters, Observation } from '../contract/observation.ts'

export interface FeatureOptions {
  readonly branches: boolean
  readonly order: boolean
}

/** The features of one execution. */
export interface Shown {
  /** Features seen for the first time. */
  readonly fresh: readonly number[]
  /** All its features; callable only while the observation is valid. */
  all(): number[]
  /** Hits of counters plus tasks: a deterministic substitute for execution time. */
  readonly work: number
}

const BUCKETS = 8
/** The first number of features of order, above any counter. */
const ORDER = 2 ** 40
/** The first number of features of notes. */
const NOTE = 2 ** 41
/** Tasks of an execution whose order counts; pairs, classes and notes kept. */
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
  /** For each feature, the number of executions that showed it. */
  readonly seen: Uint32Array
}

const NO_FILE: FileFeatures = { base: 0, seen: new Uint32Array(0) }

export class FeatureMap {
  readonly #options: FeatureOptions
  readonly #files: FileFeatures[] = []
  #nextBase = 0
  #branches = 0
  readonly #pairs = new Map<number, number>()
  readonly #classes = new Set<number>()
  /** By note: the number of executions that reached it. */
  readonly #notes = new Map<number, number>()

  constructor(options: FeatureOptions) {
    this.#options = options
  }

  /** Distinct features seen so far. */
  get counts(): { readonly branches: number; readonly order: number; readonly classes: number } {
    return { branches: this.#branches, order: this.#pairs.size, classes: this.#classes.size }
  }

  /** The number of executions that showed a feature. */
  seen(feature: number): number {
    if (feature >= NOTE) return this.#notes.get(feature) ?? 0
    if (feature >= ORDER) return this.#pairs.get(feature) ?? 0
    const { base, seen } = this.#fileOf(feature) ?? NO_FILE
    return seen[feature - base] ?? 0
  }

  #fileOf(feature: number): FileFeatures | undefined {
    return this.#files.findLast(({ base }) => feature >= base)
  }

  /**
   * Counts the features that another process has observed in an execution. Files must be numbered alike.
   *
   * @returns those seen for the first time
   */
  adopt(features: readonly number[], happensBefore: number): readonly number[] {
    const isNewOrder = this.#isNewClass(happensBefore)
    return features.filter((feature) => {
      if (feature >= ORDER) {
        const [counts, isRoom] =
          feature >= NOTE
            ? [this.#notes, this.#notes.size < MAX_NOTES]
            : [this.#pairs, isNewOrder && this.#pairs.size < MAX_PAIRS]
        const seen = counts.get(feature) ?? 0
        if (seen > 0 || isRoom) counts.set(feature, seen + 1)
        return seen === 0 && isRoom
      }
      const { base, seen } = this.#fileOf(feature) ?? NO_FILE
      if (feature - base >= seen.length || seen[feature - base]!++ > 0) return false
      this.#branches++
      return true
    })
  }

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
      const feature = noteOf(label)
      const seen = this.#notes.get(feature) ?? 0
      if (seen === 0 && this.#notes.size >= MAX_NOTES) continue
      this.#notes.set(feature, seen + 1)
      if (seen === 0) fresh.push(feature)
    }
    return { fresh, work, all: () => this.#all(observation) }
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
    const counted = { base: this.#nextBase, seen: new Uint32Array(counters * BUCKETS) }
    this.#nextBase += counted.seen.length
    this.#files[file] = counted
    return counted
  }

  #observeOrder({ order, happensBefore }: Observation, fresh: number[]): void {
    const isNew = this.#isNewClass(happensBefore)
    eachPair(order, (pair) => {
      const seen = this.#pairs.get(pair)
      if (seen !== undefined) this.#pairs.set(pair, seen + 1)
      else if (isNew && this.#pairs.size < MAX_PAIRS) {
        this.#pairs.set(pair, 1)
        fresh.push(pair)
      }
    })
  }

  #isNewClass(happensBefore: number): boolean {
    const isNew = !this.#classes.has(happensBefore) && this.#classes.size < MAX_CLASSES
    if (isNew) this.#classes.add(happensBefore)
    return isNew
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
      const feature = noteOf(label)
      if (this.#notes.has(feature)) all.push(feature)
    }
    return all
  }
}

/** The same in each process. */
function noteOf(label: string): number {
  return NOTE + Number.parseInt(shortHash(label), 16)
}

function eachPair(order: readonly number[], visit: (feature: number) => void): void {
  for (let at = 1; at < order.length && at < MAX_TASKS; at++) {
    visit(ORDER + ((Math.imul(order[at - 1]!, 0x9e3779b1) ^ order[at]!) >>> 0))
  }
}
