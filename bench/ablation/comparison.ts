/** The rows of a system: each variant of the policy at each checkpoint, in relation to no guide. */
import { mean } from '../statistics/summary.ts'
import type { TrialResult, Variant } from './trial.ts'

export interface AblationRow {
  readonly suite: 'ablation'
  readonly system: string
  /** Whether the policy was not tuned on it. */
  readonly isBlind: boolean
  /** `none`: no guide; `all`: all pieces; else the piece that is off. */
  readonly variant: Variant
  readonly trials: number
  readonly executions: number
  /** Distinct abstract states, mean of the trials. */
  readonly meanStates: number
  /** Of `none`, at equal executions. */
  readonly ratio: number
  /** Processor time of the whole trials in relation to that of `none`. */
  readonly cpuRatio: number
}

/** @param results by variant, one a trial, with the same checkpoints; `none` is one of them */
export function ablationRows(
  { name, isBlind }: { readonly name: string; readonly isBlind: boolean },
  checkpoints: readonly number[],
  results: ReadonlyMap<Variant, readonly TrialResult[]>,
): AblationRow[] {
  const none = results.get('none')!
  const statesOf = (trials: readonly TrialResult[], at: number) => mean(trials.map(({ states }) => states[at]!))
  const cpuOf = (trials: readonly TrialResult[]) => mean(trials.map(({ cpuMs }) => cpuMs))
  return [...results].flatMap(([variant, trials]) =>
    checkpoints.map((executions, at) => ({
      suite: 'ablation' as const,
      system: name,
      isBlind,
      variant,
      trials: trials.length,
      executions,
      meanStates: Math.round(statesOf(trials, at)),
      ratio: rounded(statesOf(trials, at) / statesOf(none, at)),
      cpuRatio: rounded(cpuOf(trials) / cpuOf(none)),
    })),
  )
}

function rounded(ratio: number): number {
  return Number(ratio.toPrecision(3))
}
