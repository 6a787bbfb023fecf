/**
 * The corpus: executions worth mutating, each with the record of its choices.
 *
 * Each feature belongs to the entry that shows it with the least work; an entry that owns no
 * feature, and is not among the nearest to an objective, is dominated and removed (after AFL's
 * favoured entries). Energy, an entry's share of the mutations, grows with the rarity of what it
 * owns (after Entropic, Böhme et al., FSE 2020, in the simpler form of a sum of 1 / executions that
 * showed the feature) and falls with its work and with how often it was picked in vain. Work stands
 * for time: hits of counters, tasks and choices are the same in every run.
 *
 * Invariants: at most MAX_ENTRIES entries; the order of entries, and so what is picked, is a
 * function of what was added.
 */

import type { Product, TapeRecord } from '../../contract/choices.ts'
import type { CorpusEntry } from '../../search/domain.ts'
import type { OperandPair, Place } from '../../search/mutation.ts'
import type { Chance } from '../../tape/chance.ts'
import type { Timeline } from './timeline.ts'

export interface Entry extends CorpusEntry {
  readonly id: number
  record: TapeRecord
  /** What it was kept for: features that no execution had shown before. */
  readonly fresh: readonly number[]
  readonly owned: Set<number>
  work: number
  /** Where the mutation that made it had an effect: near to it the next one may pay. */
  place: Place | undefined
  /** What generators made of its input. */
  products: readonly Product[]
  /** When things came in it. */
  timeline: Timeline
  /** Pairs of operands that it compared. */
  operands: readonly OperandPair[]
  picks: number
  /**
   * Executions spent on looking whether it repeats, and on making it smaller; undefined before that
   * has begun.
   */
  trimmed: boolean
}

const MAX_ENTRIES = 512
/** After how many picks the shares are worked out anew: rarity changes with every execution. */
const REFRESH = 64
/** How much less or more than others an entry may get for its work. */
const [LEAST_THRIFT, MOST_THRIFT] = [0.25, 4]

export interface CorpusOptions {
  /** In how many executions a feature was seen. */
  readonly seen: (feature: number) => number
  /** Whether an entry is needed for an objective. */
  readonly isHeld: (entry: Entry) => boolean
  /** Told of what is removed. */
  readonly removed?: (entry: Entry) => void
}

export class Corpus {
  readonly #options: CorpusOptions
  #entries: Entry[] = []
  readonly #owner = new Map<number, Entry>()
  #nextId = 0
  #shares: number[] = []
  #total = 0
  #picksUntilRefresh = 0

  constructor(options: CorpusOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#entries.length
  }

  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** @param features all that the execution showed */
  add(made: Omit<Entry, 'id' | 'owned' | 'picks' | 'trimmed'>, features: readonly number[]): Entry {
    const entry: Entry = { ...made, id: this.#nextId++, owned: new Set(), picks: 0, trimmed: false }
    this.#entries.push(entry)
    this.own(entry, features)
    return entry
  }

  /**
   * Gives an entry the features that it shows with less work than their owner; one that was removed
   * gets none back.
   */
  own(entry: Entry, features: readonly number[]): void {
    if (!this.#entries.includes(entry)) return
    for (const feature of features) {
      const owner = this.#owner.get(feature)
      if (owner !== undefined && owner !== entry && owner.work <= entry.work) continue
      owner?.owned.delete(feature)
      this.#owner.set(feature, entry)
      entry.owned.add(feature)
    }
    this.#removeDominated()
    this.#picksUntilRefresh = 0
  }

  pick(chance: Chance): Entry {
    if (this.#picksUntilRefresh-- <= 0) this.#refresh()
    let at = chance.unit() * this.#total
    const index = this.#shares.findIndex((share) => (at -= share) < 0)
    return this.#entries[index === -1 ? this.#entries.length - 1 : index]!
  }

  #removeDominated(): void {
    // The newest may be held yet.
    const worst = (): Entry =>
      this.#entries.slice(0, -1).reduce((least, each) => (each.owned.size < least.owned.size ? each : least))
    const isKept = (entry: Entry) => entry.owned.size > 0 || this.#options.isHeld(entry)
    const gone = this.#entries.slice(0, -1).filter((entry) => !isKept(entry))
    for (const entry of gone) this.#remove(entry)
    while (this.#entries.length > MAX_ENTRIES) this.#remove(worst())
  }

  #remove(entry: Entry): void {
    this.#entries = this.#entries.filter((each) => each !== entry)
    for (const feature of entry.owned) this.#owner.delete(feature)
    this.#options.removed?.(entry)
  }

  #refresh(): void {
    this.#picksUntilRefresh = REFRESH
    const meanWork = this.#entries.reduce((sum, { work }) => sum + work, 0) / this.#entries.length
    this.#shares = this.#entries.map((entry) => {
      let rarity = 0
      for (const feature of entry.owned) rarity += 1 / (1 + this.#options.seen(feature))
      const thrift = Math.min(MOST_THRIFT, Math.max(LEAST_THRIFT, meanWork / (1 + entry.work)))
      return ((0.01 + rarity) * thrift) / (1 + Math.log2(1 + entry.picks))
    })
    this.#total = this.#shares.reduce((sum, share) => sum + share, 0)
  }
}
