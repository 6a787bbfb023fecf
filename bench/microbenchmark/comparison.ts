/** The rows of one configuration, technique by technique, each against norn guided by the model. */
import { checkpointRows, checkpointsUpTo } from '../statistics/checkpoints.ts'
import { firstDetections, kaplanMeier } from '../statistics/kaplan-meier.ts'
import { mannWhitney } from '../statistics/mann-whitney.ts'
import { mean } from '../statistics/summary.ts'
import { a12 } from '../statistics/vargha-delaney.ts'
import type { Size } from './model.ts'
import type { Technique, TrialResult } from './trial.ts'

export const TECHNIQUES: readonly Technique[] = [
  { guide: 'none', policy: 'norn' },
  { guide: 'trace', policy: 'norn' },
  { guide: 'model', policy: 'norn' },
  { guide: 'model', policy: 'modelfuzz' },
  { guide: 'none', policy: 'published' },
  { guide: 'trace', policy: 'published' },
  { guide: 'model', policy: 'published' },
  { guide: 'trace', policy: 'repaired' },
  { guide: 'model', policy: 'repaired' },
]

/** The technique that the others are compared with. */
const REFERENCE = TECHNIQUES[2]!

/** The trials of one technique. */
export interface TechniqueResults {
  readonly technique: Technique
  readonly trials: readonly TrialResult[]
}

export interface Row {
  readonly suite: 'microbenchmark'
  readonly m: number
  readonly n: number
  readonly guide: Technique['guide']
  readonly policy: Technique['policy']
  readonly trials: number
  readonly executions: number
  /** Trials that found the bug. */
  readonly found: number
  /**
   * Kaplan-Meier median of the first execution with the bug; null where fewer than half of the
   * trials find it.
   */
  readonly medianRuns: number | null
  /** Distinct abstract states at the end. */
  readonly meanStates: number
  /**
   * Vargha-Delaney A12: the probability to find the bug later than the reference; null for the
   * reference, and without it.
   */
  readonly a12VsModel: number | null
  /** Two-sided Mann-Whitney p of the states at the end, against the reference. */
  readonly pVsModel: number | null
}

/** Abstract states after so many executions, with a 95 % bootstrap interval of the mean. */
export interface CoverageRow {
  readonly suite: 'microbenchmark'
  readonly kind: 'coverage'
  readonly m: number
  readonly n: number
  readonly guide: Technique['guide']
  readonly policy: Technique['policy']
  readonly executions: number
  readonly mean: number
  readonly low: number
  readonly high: number
}

export function rowsOf({ workers, executes }: Size, executions: number, results: readonly TechniqueResults[]): Row[] {
  const reference = results.find(({ technique }) => technique === REFERENCE)?.trials
  return results.map(({ technique, trials }) => {
    const survival = kaplanMeier(
      firstDetections(
        trials.map(({ foundAt }) => foundAt ?? undefined),
        executions,
      ),
    )
    const compared = technique === REFERENCE ? undefined : reference
    return {
      suite: 'microbenchmark',
      m: workers,
      n: executes,
      ...technique,
      trials: trials.length,
      executions,
      found: survival.detected,
      medianRuns: survival.median ?? null,
      meanStates: rounded(mean(trials.map(covered))),
      a12VsModel: compared ? rounded(a12(trials.map(detection), compared.map(detection))) : null,
      pVsModel: compared ? rounded(mannWhitney(trials.map(covered), compared.map(covered)).p) : null,
    }
  })
}

export function coverageRows(
  { workers, executes }: Size,
  executions: number,
  results: readonly TechniqueResults[],
): CoverageRow[] {
  const checkpoints = checkpointsUpTo(executions)
  return results.flatMap(({ technique, trials }) =>
    checkpointRows(
      checkpoints,
      trials.map(({ states }) => states),
    ).map(({ executions, mean, low, high }) => ({
      suite: 'microbenchmark' as const,
      kind: 'coverage' as const,
      m: workers,
      n: executes,
      ...technique,
      executions,
      mean: rounded(mean),
      low: rounded(low),
      high: rounded(high),
    })),
  )
}

function covered({ states }: TrialResult): number {
  return states.at(-1)!
}

/** A trial that does not find the bug counts as later than all others. */
function detection({ foundAt }: TrialResult): number {
  return foundAt ?? Number.POSITIVE_INFINITY
}

/** To four significant digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
