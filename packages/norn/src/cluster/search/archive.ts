/**
 * The archive: of everything that executions have shown, how often, and the shortest way there that
 * is known.
 *
 * After Go-Explore (Ecoffet et al., "First return, then explore", Nature 2021): what is remembered
 * is not a set of good executions but a cell for each thing that was reached, with the steps that
 * lead to it, so that an execution can be brought there and go on from there. A cell's share of the
 * executions is the larger the more seldom it was reached (as in AFLFast and Entropic) and falls
 * each time that going on from there showed nothing new. Departures: cells are abstract states of a
 * model, branches, happens-before classes, where Go-Explore has pictures made small; and most picks
 * draw first among the strata, the cells that are reached after the same number of steps, each as
 * likely. In the microbenchmark of ModelFuzz registration has thousands of states, of which some
 * are always rare, and what follows has three a step: by rarity alone it took three times as many
 * executions to go through it.
 *
 * Invariants: what is remembered is bounded, in cells and in steps, and past the bound the cells
 * with the least share are forgotten; what is picked is a function of what was added and of the
 * random numbers.
 */

import type { Choice } from '../../contract/choice.ts'
import type { TapeRecord } from '../../contract/choices.ts'
import type { InputPlan } from '../../contract/plan.ts'
import type { CorpusEntry } from '../../search/domain.ts'
import type { Chance } from '../../tape/chance.ts'
import type { StepCodes } from '../steps.ts'
import { choicesOf } from './schedule.ts'

/** An execution that some cell is reached by. */
export class Kept implements CorpusEntry {
  readonly input: InputPlan
  /** All its choices but those of its schedule. */
  readonly base: TapeRecord
  /** The numbers of its steps, without those that were not possible. */
  readonly steps: readonly number[]
  /** The choices of its schedule that are no steps. */
  readonly others: readonly Choice[]
  readonly codes: StepCodes
  /** How many cells it is the way to. */
  owned = 0

  constructor(made: Pick<Kept, 'input' | 'base' | 'steps' | 'others' | 'codes'>) {
    this.input = made.input
    this.base = made.base
    this.steps = made.steps
    this.others = made.others
    this.codes = made.codes
  }

  /** All its choices: a step as a number takes a tenth of the room that it takes as a choice. */
  get record(): TapeRecord {
    return { ...this.base, schedule: choicesOf(this, this.codes) }
  }
}

/** A kept execution, and for each number of its recorded steps how many of them are kept. */
export interface KeptExecution {
  readonly kept: Kept
  readonly left: (count: number) => number
}

export interface Cell {
  readonly feature: number
  kept: Kept
  /** How many of its steps lead there; -1 if that is not known. */
  at: number
  /** In how many executions it was seen. */
  seen: number
  /** How often executions went on from there in a row without showing anything new. */
  vain: number
}

export interface ArchiveOptions {
  readonly maxCells?: number
  readonly maxSteps?: number
  /**
   * Told of an execution that is the way to a cell, and of one that is the way to none any more.
   */
  readonly added?: (kept: Kept) => void
  readonly removed?: (kept: Kept) => void
}

const MAX_CELLS = 1 << 14
/** Steps and other choices of all that is kept: some 20 MB, with many requests five times that. */
const MAX_KEPT_STEPS = 1 << 21
/**
 * How often a new cell is gone on from before its share alone decides, and how many wait for that.
 */
const FIRST_TURNS = 3
const MAX_NEW = 1024
/**
 * Of the picks, how many draw first how far to go: otherwise a phase with few cells is lost beside
 * one with thousands.
 */
const BY_STRATUM = 0.7
/** Of the cells, how many are forgotten at the bound. */
const FORGOTTEN = 0.25
/**
 * After how many picks the shares are worked out anew, and how soon after something was reached.
 */
const [REFRESH, SOON] = [64, 8]

export class Archive {
  readonly #options: Required<Pick<ArchiveOptions, 'maxCells' | 'maxSteps'>> & ArchiveOptions
  readonly #cells = new Map<number, Cell>()
  /** As of the last refresh: the cells in their order, and the sum of the shares up to each. */
  #picked: Cell[] = []
  #sums = new Float64Array()
  #untilRefresh = 0
  readonly #new: { readonly cell: Cell; left: number }[] = []
  #steps = 0
  #executions = 0

  constructor(options: ArchiveOptions = {}) {
    this.#options = { maxCells: MAX_CELLS, maxSteps: MAX_KEPT_STEPS, ...options }
  }

  get size(): number {
    return this.#cells.size
  }

  /** Executions that are kept. */
  get executions(): number {
    return this.#executions
  }

  /** Those, in the order of the cells that they lead to. */
  get kept(): readonly Kept[] {
    return [...new Set([...this.#cells.values()].map(({ kept }) => kept))]
  }

  /** A feature was seen once more. Gives its cell, if there is one. */
  see(feature: number): Cell | undefined {
    const cell = this.#cells.get(feature)
    if (cell !== undefined) cell.seen++
    return cell
  }

  /** From now on this is the way to a feature: its first, or a shorter one. */
  reach(feature: number, kept: Kept, at: number): void {
    const cell = this.#cells.get(feature)
    if (kept.owned++ === 0) {
      this.#executions++
      this.#steps += sizeOf(kept)
      this.#options.added?.(kept)
    }
    if (cell !== undefined) {
      const before = cell.kept
      cell.kept = kept
      cell.at = at
      this.#release(before)
    } else {
      const made: Cell = { feature, kept, at, seen: 1, vain: 0 }
      this.#cells.set(feature, made)
      this.#new.push({ cell: made, left: FIRST_TURNS })
      if (this.#new.length > MAX_NEW) this.#new.splice(0, MAX_NEW / 2)
      this.#untilRefresh = Math.min(this.#untilRefresh, SOON)
    }
    while (this.#isFull && this.#cells.size > 1) this.#forget()
  }

  get #isFull(): boolean {
    return this.#cells.size > this.#options.maxCells || this.#steps > this.#options.maxSteps
  }

  /** Draws a cell to go on from, by share; there has to be one. */
  pick(chance: Chance): Cell {
    if (this.#untilRefresh-- <= 0) this.#refresh()
    const sums = this.#sums
    const wanted = chance.unit() * sums[sums.length - 1]!
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! > wanted) high = middle
      else low = middle + 1
    }
    return this.#picked[low]!
  }

  /** The newest cell that has not had its turns; undefined if all have. */
  newest(): Cell | undefined {
    const last = this.#new.at(-1)
    if (last === undefined) return undefined
    if (--last.left === 0) this.#new.pop()
    return last.cell
  }

  /** Of the cells of neighbouring features the one seen in the fewest executions. */
  leastSeen(first: number, count: number): Cell | undefined {
    let least: Cell | undefined
    for (let feature = first; feature < first + count; feature++) {
      const cell = this.#cells.get(feature)
      if (cell !== undefined && (least === undefined || cell.seen < least.seen)) least = cell
    }
    return least
  }

  #refresh(): void {
    this.#untilRefresh = REFRESH
    this.#picked = [...this.#cells.values()]
    this.#sums = new Float64Array(this.#picked.length)
    const strata = new Map<number, number>()
    let total = 0
    for (const cell of this.#picked) {
      const share = shareOf(cell)
      total += share
      strata.set(cell.at, (strata.get(cell.at) ?? 0) + share)
    }
    let sum = 0
    for (const [place, cell] of this.#picked.entries()) {
      const ofAll = (1 - BY_STRATUM) / total
      const ofStratum = BY_STRATUM / (strata.size * strata.get(cell.at)!)
      this.#sums[place] = sum += shareOf(cell) * (ofAll + ofStratum)
    }
  }

  #forget(): void {
    const byShare = [...this.#cells.values()].sort((a, b) => shareOf(a) - shareOf(b))
    for (const { feature, kept } of byShare.slice(0, Math.ceil(FORGOTTEN * byShare.length))) {
      this.#cells.delete(feature)
      this.#release(kept)
    }
    this.#untilRefresh = 0
  }

  #release(kept: Kept): void {
    if (--kept.owned > 0) return
    this.#executions--
    this.#steps -= sizeOf(kept)
    this.#options.removed?.(kept)
  }
}

function shareOf({ seen, vain }: Cell): number {
  return 1 / ((1 + seen) * (1 + vain))
}

function sizeOf({ steps, base }: Kept): number {
  return 1 + steps.length + base.input.length + base.fault.length
}
