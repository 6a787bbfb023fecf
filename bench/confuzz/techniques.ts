/** The techniques, with the trials of each and the budget of a trial. */
import { EVERYTHING, NOTHING } from '../engine.ts'
import type { PaperSubject } from '../subjects/catalogue.ts'
import { isPropertyOf } from '../subjects/confuzz/property-names.ts'
import { stockTrials } from '../trials/stock-trials.ts'
import { type Search, SubjectProcess } from '../trials/subject-process.ts'
import type { Budget, Trial } from '../trials/trial.ts'

export interface Technique {
  readonly name: string
  /** Seeds 1 to this. */
  readonly trials: number
  readonly budget: Budget
  readonly smoke: { readonly trials: number; readonly budget: Budget }
  run(subject: Searched, seeds: readonly number[], budget: Budget): Promise<Trial[]>
}

/** A subject, and the process that norn's own techniques share, which starts when first needed. */
export class Searched {
  readonly subject: PaperSubject
  #process: SubjectProcess | undefined

  constructor(subject: PaperSubject) {
    this.subject = subject
  }

  /** @param oneInput searches schedules alone, with the example as the only input */
  trial(search: Search, seed: number, budget: Budget, oneInput = false): Promise<Trial> {
    this.#process ??= new SubjectProcess(this.subject)
    return this.#process.trial(search, seed, budget, (name) => isPropertyOf(this.subject.name, name, oneInput))
  }

  close(): void {
    this.#process?.close()
  }
}

/** A longer body hangs: no subject takes more than half a second. */
const BODY_MS = 2_000

/** Executions at which the gain caps a trial. */
export const CAP = 20_000
const TIME_MS = 60_000

const GUIDED = { trials: 30, budget: { timeMs: TIME_MS, runs: Number.POSITIVE_INFINITY } }
const BASELINE = { trials: 10, budget: { timeMs: TIME_MS, runs: CAP } }
const SMOKE_GUIDED = { trials: 2, budget: { timeMs: 2000, runs: Number.POSITIVE_INFINITY } }
const SMOKE_BASELINE = { trials: 1, budget: { timeMs: 250, runs: CAP } }

export const TECHNIQUES: readonly Technique[] = [
  {
    ...searching('guided', { guide: EVERYTHING, strategy: 'portfolio' }),
    ...GUIDED,
    smoke: SMOKE_GUIDED,
  },
  searching('unguided', { guide: NOTHING, strategy: 'portfolio' }),
  searching('random', { guide: NOTHING, strategy: 'random' }),
  searching('schedule-only', { guide: NOTHING, strategy: 'random' }, true),
  stock('stress'),
  stock('fast-check'),
]

function searching(name: string, search: Search, oneInput = false): Technique {
  return {
    name,
    ...BASELINE,
    smoke: SMOKE_BASELINE,
    async run(searched, seeds, budget) {
      const trials: Trial[] = []
      for (const seed of seeds) trials.push(await searched.trial(search, seed, budget, oneInput))
      return trials
    },
  }
}

function stock(name: 'stress' | 'fast-check'): Technique {
  return {
    name,
    ...BASELINE,
    smoke: SMOKE_BASELINE,
    run: ({ subject: { name: subject, file } }, seeds, budget) =>
      stockTrials(name, { file, subject, bodyMs: BODY_MS }, seeds, budget),
  }
}
