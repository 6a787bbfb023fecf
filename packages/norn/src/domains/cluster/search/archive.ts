/**
 * The archive: a cell for each feature that executions have shown, with its number of hits and the
 * shortest known way to reach it.
 *
 * After Go-Explore (Ecoffet et al., "First return, then explore", Nature 2021): each cell keeps the
 * steps that lead to it, so that an execution can return there and continue. A cell's weight is
 * larger the fewer executions reached it (as in AFLFast and Entropic), and falls each time that
 * continuing from it shows nothing new. Departures: cells are abstract states of a model, branches
 * or happens-before classes, where Go-Explore has downscaled pictures; and most picks first draw a
 * stratum, the cells at the same number of steps, uniformly. In the microbenchmark of ModelFuzz
 * registration has thousands of states, some of them always rare, and later phases have three a
 * step: picking by rarity alone took three times as many executions to get through it.
 *
 * Invariants: cells and steps are bounded, and at the bound the cells with the least weight are
 * evicted; a pick is a function of what was added and of the random numbers.
 */

import type { StepCodes } from '../../../cluster/steps.ts'
import type { Choice } from '../../../contract/choice.ts'
import type { TapeRecord } from '../../../contract/choices.ts'
import type { InputPlan } from '../../../contract/plan.ts'
import type { CorpusEntry } from '../../../search/domain.ts'
import type { Chance } from '../../../tape/chance.ts'
import { choicesOf } from './schedule.ts'

/** An execution that is the way to some cell. */
export class ArchivedExecution implements CorpusEntry {
  readonly input: InputPlan
  /** Its choices except the schedule. */
  readonly base: TapeRecord
  /** The numbers of its steps, without those that were not possible. */
  readonly steps: readonly number[]
  /** The choices of its schedule that are not steps. */
  readonly others: readonly Choice[]
  readonly codes: StepCodes
  /** The number of cells that it is the way to. */
  cells = 0

  constructor(execution: Pick<ArchivedExecution, 'input' | 'base' | 'steps' | 'others' | 'codes'>) {
    this.input = execution.input
    this.base = execution.base
    this.steps = execution.steps
    this.others = execution.others
    this.codes = execution.codes
  }

  /** All choices. Made on demand: a step as a number takes a tenth of the memory of a choice. */
  get record(): TapeRecord {
    return { ...this.base, schedule: choicesOf(this, this.codes) }
  }
}

/** A kept execution; `left` says how many of its first `count` recorded steps are kept. */
export interface KeptExecution {
  readonly kept: ArchivedExecution
  readonly left: (count: number) => number
}

export interface Cell {
  readonly feature: number
  kept: ArchivedExecution
  /** The number of steps that lead there; -1 if unknown. */
  at: number
  /** The number of executions that reached it. */
  hits: number
  /** The number of consecutive executions from there that showed nothing new. */
  fruitless: number
}

export interface ArchiveOptions {
  readonly maxCells?: number
  readonly maxSteps?: number
  /** Called when an execution becomes the way to a first cell, and when it loses its last. */
  readonly added?: (kept: ArchivedExecution) => void
  readonly removed?: (kept: ArchivedExecution) => void
}

const MAX_CELLS = 1 << 14
/** Steps and other choices of all executions: 20 MB, or five times that with many requests. */
const MAX_KEPT_STEPS = 1 << 21
/** How often a new cell is continued from regardless of its weight, and how many cells wait for that. */
const FIRST_TURNS = 3
const MAX_NEW = 1024
/** The share of picks that draw a stratum first: a phase with few cells must compete with thousands. */
const BY_STRATUM = 0.7
/** The share of cells that is evicted at the bound. */
const EVICTED = 0.25
/** Picks until the weights are computed anew: as a rule, and after a new cell. */
const [REFRESH, SOON] = [64, 8]

export class Archive {
  readonly #options: Required<Pick<ArchiveOptions, 'maxCells' | 'maxSteps'>> & ArchiveOptions
  readonly #cells = new Map<number, Cell>()
  /** As of the last refresh: the cells, and the running sums of their weights. */
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

  /** The number of archived executions. */
  get executions(): number {
    return this.#executions
  }

  /** The archived executions, in the order of their cells. */
  get entries(): readonly ArchivedExecution[] {
    return [...new Set([...this.#cells.values()].map(({ kept }) => kept))]
  }

  /** Counts a hit of a feature, and returns its cell if there is one. */
  hit(feature: number): Cell | undefined {
    const cell = this.#cells.get(feature)
    if (cell !== undefined) cell.hits++
    return cell
  }

  /** Sets the way to a feature: its first, or a shorter one. */
  reach(feature: number, kept: ArchivedExecution, at: number): void {
    const cell = this.#cells.get(feature)
    if (kept.cells++ === 0) {
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
      const added: Cell = { feature, kept, at, hits: 1, fruitless: 0 }
      this.#cells.set(feature, added)
      this.#new.push({ cell: added, left: FIRST_TURNS })
      if (this.#new.length > MAX_NEW) this.#new.splice(0, MAX_NEW / 2)
      this.#untilRefresh = Math.min(this.#untilRefresh, SOON)
    }
    while (this.#isFull && this.#cells.size > 1) this.#evict()
  }

  get #isFull(): boolean {
    return this.#cells.size > this.#options.maxCells || this.#steps > this.#options.maxSteps
  }

  /** Draws a cell by weight. There must be one. */
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

  /** The newest cell that has first turns left. */
  newest(): Cell | undefined {
    const last = this.#new.at(-1)
    if (last === undefined) return undefined
    if (--last.left === 0) this.#new.pop()
    return last.cell
  }

  /** The cell, among those of `count` consecutive features, that the fewest executions reached. */
  leastSeen(first: number, count: number): Cell | undefined {
    let least: Cell | undefined
    for (let feature = first; feature < first + count; feature++) {
      const cell = this.#cells.get(feature)
      if (cell !== undefined && (least === undefined || cell.hits < least.hits)) least = cell
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
      const weight = weightOf(cell)
      total += weight
      strata.set(cell.at, (strata.get(cell.at) ?? 0) + weight)
    }
    let sum = 0
    for (const [place, cell] of this.#picked.entries()) {
      const ofAll = (1 - BY_STRATUM) / total
      const ofStratum = BY_STRATUM / (strata.size * strata.get(cell.at)!)
      this.#sums[place] = sum += weightOf(cell) * (ofAll + ofStratum)
    }
  }

  #evict(): void {
    const byWeight = [...this.#cells.values()].sort((a, b) => weightOf(a) - weightOf(b))
    for (const { feature, kept } of byWeight.slice(0, Math.ceil(EVICTED * byWeight.length))) {
      this.#cells.delete(feature)
      this.#release(kept)
    }
    this.#untilRefresh = 0
  }

  #release(kept: ArchivedExecution): void {
    if (--kept.cells > 0) return
    this.#executions--
    this.#steps -= sizeOf(kept)
    this.#options.removed?.(kept)
  }
}

function weightOf({ hits, fruitless }: Cell): number {
  return 1 / ((1 + hits) * (1 + fruitless))
}

function sizeOf({ steps, base }: ArchivedExecution): number {
  return 1 + steps.length + base.input.length + base.fault.length
}
