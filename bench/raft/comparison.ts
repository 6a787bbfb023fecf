/** The rows of coverage: each technique beside norn guided by the model, at equal executions and equal time. */
import { checkpointRows } from '../statistics/checkpoints.ts'
import { mannWhitney } from '../statistics/mann-whitney.ts'
import { mean } from '../statistics/summary.ts'
import { a12 } from '../statistics/vargha-delaney.ts'
import { PROJECTION_NAMES, type ProjectionName } from './projections.ts'
import { MODEL } from './techniques.ts'
import type { Technique, TrialPoint, TrialResult } from './trial.ts'

/** The trials of one technique. */
export interface Measured {
  readonly technique: Technique
  readonly trials: readonly TrialResult[]
}

export interface StatesRow extends Technique {
  readonly suite: 'raft'
  readonly kind: 'states'
  readonly projection: ProjectionName
  /** What the technique and the model have the same of. */
  readonly equal: 'executions' | 'time'
  readonly trials: number
  /** The executions, or the processor time in milliseconds, after which states are compared. */
  readonly after: number
  /** Distinct abstract states, mean of the trials. */
  readonly meanStates: number
  /** The mean of the model over this one; null for the model itself, and without it. */
  readonly modelRatio: number | null
  /** The smallest such ratio at a checkpoint from 500 executions on; null if there is none. */
  readonly worstRatio: number | null
  /** A12: the probability that a trial of the model has more states. */
  readonly a12: number | null
  /** Two-sided Mann-Whitney p. */
  readonly p: number | null
}

/** Distinct abstract states after so many executions, with a 95 % bootstrap interval of the mean. */
export interface CoverageRow extends Technique {
  readonly suite: 'raft'
  readonly kind: 'coverage'
  readonly projection: ProjectionName
  readonly executions: number
  readonly mean: number
  readonly low: number
  readonly high: number
}

const FIRST_CHECKPOINT = 500

/** A coordinate of a trial's points. */
type Axis = 'executions' | 'cpuMs'

export function statesRows(measured: readonly Measured[]): StatesRow[] {
  const model = measured.find(({ technique }) => technique === MODEL)
  return PROJECTION_NAMES.flatMap((projection) =>
    (['executions', 'time'] as const).flatMap((equal) =>
      measured.map((each) => statesRow(projection, equal, each, each === model ? undefined : model)),
    ),
  )
}

function statesRow(
  projection: ProjectionName,
  equal: StatesRow['equal'],
  { technique, trials }: Measured,
  model: Measured | undefined,
): StatesRow {
  const axis = equal === 'time' ? 'cpuMs' : 'executions'
  const after = Math.min(...[...trials, ...(model?.trials ?? [])].map(({ points }) => points.at(-1)![axis]))
  const at = (trials: readonly TrialResult[], place: number) =>
    trials.map(({ points }) => interpolated(points, axis, place, projection))
  const own = at(trials, after)
  const ofModel = model && at(model.trials, after)
  const checkpoints = trials[0]!.points
    .map(({ executions }) => executions)
    .filter((executions) => executions >= FIRST_CHECKPOINT && executions <= after)
  const ratios =
    model && equal === 'executions'
      ? checkpoints.map((place) => mean(at(model.trials, place)) / mean(at(trials, place)))
      : []
  return {
    suite: 'raft',
    kind: 'states',
    projection,
    equal,
    ...technique,
    trials: trials.length,
    after,
    meanStates: rounded(mean(own)),
    modelRatio: ofModel ? rounded(mean(ofModel) / mean(own)) : null,
    worstRatio: ratios.length > 0 ? rounded(Math.min(...ratios)) : null,
    a12: ofModel ? rounded(a12(ofModel, own)) : null,
    p: ofModel ? rounded(mannWhitney(ofModel, own).p) : null,
  }
}

/** A trial's states at a place between its points, and between its start and the first of them. */
function interpolated(points: readonly TrialPoint[], axis: Axis, place: number, projection: ProjectionName): number {
  const next = points.findIndex((point) => point[axis] >= place)
  const to = points.at(next)!
  const from = next > 0 ? points[next - 1]! : { executions: 0, cpuMs: 0, relative: 0, symmetric: 0 }
  const share = to[axis] === from[axis] ? 1 : (place - from[axis]) / (to[axis] - from[axis])
  return from[projection] + Math.min(1, share) * (to[projection] - from[projection])
}

export function coverageRows(measured: readonly Measured[]): CoverageRow[] {
  return PROJECTION_NAMES.flatMap((projection) =>
    measured.flatMap(({ technique, trials }) =>
      checkpointRows(
        trials[0]!.points.map(({ executions }) => executions),
        trials.map(({ points }) => points.map((point) => point[projection])),
      ).map(({ executions, mean, low, high }) => ({
        suite: 'raft' as const,
        kind: 'coverage' as const,
        projection,
        ...technique,
        executions,
        mean: rounded(mean),
        low: rounded(low),
        high: rounded(high),
      })),
    ),
  )
}

/** To four significant digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
