/**
 * The techniques of norn: campaigns in one process for a subject, whose start is not measured.
 */
import { describeReason } from '../../packages/norn/src/contract/inconclusive.ts'
import { CAMPAIGN, type Guide, type ListedProperty, Worker } from '../engine.ts'
import { isPropertyOf } from './property-names.ts'
import { ROOT, type Subject } from './subjects.ts'
import type { Budget, Trial } from './trial.ts'

export interface Search {
  readonly guide: Guide
  /** A value of `--strategy`. */
  readonly strategy: string
  /** Searches schedules alone, with the example as the only input. */
  readonly oneInput: boolean
}

/** A subject in a process of its own. */
export class Searcher {
  readonly #subject: Subject
  readonly #worker: Worker
  #properties: readonly ListedProperty[] | undefined

  constructor(subject: Subject) {
    this.#subject = subject
    this.#worker = new Worker({ file: subject.file, root: ROOT, aliases: [] })
  }

  close(): void {
    this.#worker.close()
  }

  async trial({ guide, strategy, oneInput }: Search, seed: number, { timeMs, runs }: Budget): Promise<Trial> {
    const property = await this.#property(oneInput)
    const options = { ...CAMPAIGN, seed, strategy, guide, runs, timeMs, keepGoing: false }
    const began = performance.now()
    let found: { runs: number; ms: number } | undefined
    const { executions } = await this.#worker.explore(property, options, (notice) => {
      if (notice.type === 'found') found = { runs: notice.failure.foundAt, ms: performance.now() - began }
      if (notice.type === 'inconclusive') throw new Error(`${property.name}: ${describeReason(notice.report.reason)}`)
      if (notice.type === 'flaky') throw new Error(`${property.name}: a failure does not repeat`)
    })
    if (found === undefined) return { seed, found: false, runs: executions, ms: performance.now() - began }
    return { seed, found: true, ...found }
  }

  async #property(oneInput: boolean): Promise<ListedProperty> {
    this.#properties ??= await this.#worker.list()
    const found = this.#properties.find(({ name }) => isPropertyOf(this.#subject.name, name, oneInput))
    if (found === undefined) throw new Error(`${this.#subject.file} declares no property for ${this.#subject.name}`)
    return found
  }
}
