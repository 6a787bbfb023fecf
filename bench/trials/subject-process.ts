/** A subject in a process of its own, whose start no trial measures. */
import { describeReason } from '../../packages/norn/src/contract/inconclusive.ts'
import type { Databases } from '../../packages/norn/src/options/databases.ts'
import {
  CAMPAIGN,
  comparedWithPassing,
  type FoundFailure,
  type Guide,
  inputOf,
  type ListedProperty,
  sentenceOf,
  Worker,
} from '../engine.ts'
import { ROOT, type Subject } from '../subjects/catalogue.ts'
import type { Budget, Trial } from './trial.ts'

export interface Search {
  /** Default: that of the strategy. */
  readonly guide?: Guide
  /** A value of `--strategy`. */
  readonly strategy: string
  /** Whether a trial goes on after a failure. */
  readonly keepGoing?: boolean
  readonly shrink?: boolean
}

export class SubjectProcess {
  readonly #file: string
  readonly #worker: Worker
  #properties: readonly ListedProperty[] | undefined

  /** @param aliases [import, replacement] */
  constructor({ file }: Subject, aliases: readonly (readonly [string, string])[] = [], databases?: Databases) {
    this.#file = file
    this.#worker = new Worker({ file, root: ROOT, aliases: aliases.map(([from, to]) => [from, to]), databases })
  }

  close(): void {
    this.#worker.close()
  }

  /** @param isWanted by its name; default: the first property of the file */
  async trial(
    search: Search,
    seed: number,
    budget: Pick<Budget, 'runs'> & Partial<Budget>,
    isWanted: (name: string) => boolean = () => true,
  ): Promise<Trial> {
    const property = await this.#property(isWanted)
    const options = { ...CAMPAIGN, keepGoing: false, ...search, ...budget, seed }
    const began = performance.now()
    let first: { runs: number; ms: number } | undefined
    let shrunk: FoundFailure | undefined
    const { executions, failed } = await this.#worker.explore(property, options, (notice) => {
      if (notice.type === 'found') first ??= { runs: notice.failure.foundAt, ms: performance.now() - began }
      if (notice.type === 'shrunk') shrunk = notice.failure
      if (notice.type === 'inconclusive') throw new Error(`${property.name}: ${describeReason(notice.report.reason)}`)
      if (notice.type === 'flaky') throw new Error(`${property.name}: a failure does not repeat`)
    })
    const ended = first ?? { runs: executions, ms: performance.now() - began }
    return { seed, found: first !== undefined, ...ended, failures: failed, shrunk }
  }

  /** The sentence on top of the report of a failure that a trial found; undefined where no rule fits. */
  async sentence({ result, planned }: FoundFailure): Promise<string | undefined> {
    const property = await this.#property(() => true)
    const plan = { input: inputOf(result, planned), choices: { from: 'record', choices: result.choices! } } as const
    const failing = await this.#worker.explain(property, plan)
    const { explanation } = await comparedWithPassing(this.#worker, property, plan, failing)
    return explanation && sentenceOf(explanation)
  }

  async #property(isWanted: (name: string) => boolean): Promise<ListedProperty> {
    this.#properties ??= await this.#worker.list()
    const found = this.#properties.find(({ name }) => isWanted(name))
    if (found === undefined) throw new Error(`${this.#file} does not declare the property`)
    return found
  }
}
