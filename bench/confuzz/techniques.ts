/** The techniques, with the trials of each and the budget of a trial. */
import { EVERYTHING, NOTHING } from '../engine.ts'
import { type Search, Searcher } from './search.ts'
import { stockTrials } from './stock.ts'
import type { Subject } from './subjects.ts'
import type { Budget, Trial } from './trial.ts'

export interface Technique {
  readonly name: string
  /** Seeds 1 to this. */
  readonly trials: number
  readonly budget: Budget
  readonly smoke: { readonly trials: number; readonly budget: Budget }
  run(subject: SubjectProcess, seeds: readonly number[], budget: Budget): Promise<Trial[]>
}

/** A subject, and the process that norn's own techniques share, which starts when first needed. */
export class SubjectProcess {
  readonly subject: Subject
  #searcher: Searcher | undefined

  constructor(subject: Subject) {
    this.subject = subject
  }

  get searcher(): Searcher {
    return (this.#searcher ??= new Searcher(this.subject))
  }

  close(): void {
    this.#searcher?.close()
  }
}

/** Executions at which the gain caps a trial. */
export const CAP = 20_000
const TIME_MS = 60_000

const GUIDED = { trials: 30, budget: { timeMs: TIME_MS, runs: Number.POSITIVE_INFINITY } }
const BASELINE = { trials: 10, budget: { timeMs: TIME_MS, runs: CAP } }
const SMOKE_GUIDED = { trials: 2, budget: { timeMs: 2000, runs: Number.POSITIVE_INFINITY } }
const SMOKE_BASELINE = { trials: 1, budget: { timeMs: 250, runs: CAP } }

export const TECHNIQUES: readonly Technique[] = [
  {
    ...searching('guided', { guide: EVERYTHING, strategy: 'portfolio', oneInput: false }),
    ...GUIDED,
    smoke: SMOKE_GUIDED,
  },
  searching('unguided', { guide: NOTHING, strategy: 'portfolio', oneInput: false }),
  searching('random', { guide: NOTHING, strategy: 'random', oneInput: false }),
  searching('schedule-only', { guide: NOTHING, strategy: 'random', oneInput: true }),
  stock('stress', 'stress-child'),
  stock('fast-check', 'fast-check-child'),
]

function searching(name: string, search: Search): Technique {
  return {
    name,
    ...BASELINE,
    smoke: SMOKE_BASELINE,
    async run({ searcher }, seeds, budget) {
      const trials: Trial[] = []
      for (const seed of seeds) trials.push(await searcher.trial(search, seed, budget))
      return trials
    },
  }
}

function stock(name: string, entry: 'stress-child' | 'fast-check-child'): Technique {
  return {
    name,
    ...BASELINE,
    smoke: SMOKE_BASELINE,
    run: ({ subject }, seeds, budget) => stockTrials(entry, subject, seeds, budget),
  }
}
