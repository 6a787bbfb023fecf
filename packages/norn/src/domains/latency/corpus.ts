/**
 * The corpus: executions worth mutating, each with the record of its choices.
 *
 * The entry that shows a feature with the least work owns it. An entry that owns no feature and is
 * not among the nearest to an objective is removed (after AFL's favoured entries). The energy of an
 * entry, its share of the mutations, grows with the rarity of its features (after Entropic, Böhme
 * et al., FSE 2020, simplified to the sum of 1 / executions that showed the feature), and falls
 * with its work and its picks. Work (hits, tasks and choices) is a deterministic substitute for
 * time.
 *
 * Invariants: at most MAX_ENTRIES entries; picks are a function of the entries added.
 */

import type { Product, TapeRecord } from '../../contract/choices.ts'
import type { CorpusEntry } from '../../search/domain.ts'
import type { EntryMetadata } from '../../search/entry-metadata.ts'
import type { OperandPair, Place } from '../../search/mutation.ts'
import type { Chance } from '../../tape/chance.ts'
import type { Timeline } from './timeline.ts'

export interface Entry extends CorpusEntry {
  readonly id: number
  record: TapeRecord
  /** The record as other processes know it. */
  published?: TapeRecord
  /** Of the current record. */
  metadata?: EntryMetadata | undefined
  /** Its features that were new. */
  readonly fresh: readonly number[]
  readonly owned: Set<number>
  work: number
  /** Where the mutation that made it began; the next one may pay off nearby. */
  place: Place | undefined
  /** Values that generators made from its input. */
  products: readonly Product[]
  timeline: Timeline
  operands: readonly OperandPair[]
  picks: number
  /** Whether its calibration has started. */
  trimmed: boolean
}

const MAX_ENTRIES = 512
/** Picks until energy is computed again, as rarity changes with every execution. */
const REFRESH = 64
/** The bounds of the factor for work in the energy. */
const [LEAST_THRIFT, MOST_THRIFT] = [0.25, 4]

export interface CorpusOptions {
  /** The number of executions that showed a feature. */
  readonly seen: (feature: number) => number
  /** Whether an entry is among the nearest to an objective. */
  readonly isHeld: (entry: Entry) => boolean
  readonly removed?: (entry: Entry) => void
}

export class Corpus {
  readonly #options: CorpusOptions
  #entries: Entry[] = []
  readonly #owner = new Map<number, Entry>()
  #nextId = 0
  #energies: number[] = []
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

  /** @param features all features of the execution */
  add(execution: Omit<Entry, 'id' | 'owned' | 'picks' | 'trimmed'>, features: readonly number[]): Entry {
    const entry: Entry = { ...execution, id: this.#nextId++, owned: new Set(), picks: 0, trimmed: false }
    this.#entries.push(entry)
    this.own(entry, features)
    return entry
  }

  /** Assigns features to an entry that shows them with less work; ignores a removed entry. */
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

  /**
   * Takes note that the record of an entry was replaced. The entry gives up features that the new
   * record does not show: they would look like features that do not repeat.
   */
  replaced(entry: Entry, features: ReadonlySet<number>): void {
    if (!this.#entries.includes(entry)) return
    for (const feature of entry.owned) {
      if (features.has(feature)) continue
      entry.owned.delete(feature)
      this.#owner.delete(feature)
    }
    this.own(entry, [...features])
  }

  pick(chance: Chance): Entry {
    if (this.#picksUntilRefresh-- <= 0) this.#refresh()
    let at = chance.unit() * this.#total
    const index = this.#energies.findIndex((energy) => (at -= energy) < 0)
    return this.#entries[index === -1 ? this.#entries.length - 1 : index]!
  }

  #removeDominated(): void {
    // The newest may become the nearest to an objective.
    const worst = (): Entry =>
      this.#entries.slice(0, -1).reduce((least, each) => (each.owned.size < least.owned.size ? each : least))
    const isKept = (entry: Entry) => entry.owned.size > 0 || this.#options.isHeld(entry)
    const dominated = this.#entries.slice(0, -1).filter((entry) => !isKept(entry))
    for (const entry of dominated) this.#remove(entry)
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
    this.#energies = this.#entries.map((entry) => {
      let rarity = 0
      for (const feature of entry.owned) rarity += 1 / (1 + this.#options.seen(feature))
      const thrift = Math.min(MOST_THRIFT, Math.max(LEAST_THRIFT, meanWork / (1 + entry.work)))
      return ((0.01 + rarity) * thrift) / (1 + Math.log2(1 + entry.picks))
    })
    this.#total = this.#energies.reduce((sum, energy) => sum + energy, 0)
  }
}
