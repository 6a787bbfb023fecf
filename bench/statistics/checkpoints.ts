/**
 * Rows at checkpoints: what many trials had reached after so many executions, with an interval.
 *
 * A trial is a series of one value a checkpoint (coverage, say). Checkpoints are numbers of
 * executions, the same for all trials: `checkpointsUpTo` spaces them so that a logarithmic axis
 * shows them evenly, `valuesAt` reads a trial's discoveries off at them.
 *
 * Invariant: every trial has a value at every checkpoint. A trial that ended early has to say what
 * it counts as from then on; nothing is carried on silently, as trials that stop at a bug would
 * then seem to cover little.
 */
import { type BootstrapOptions, bootstrap } from './bootstrap.ts'
import { mean, median } from './summary.ts'

export interface CheckpointRow {
  readonly executions: number
  readonly trials: number
  readonly mean: number
  readonly median: number
  /** The interval of the mean or of the median, as `of` says. */
  readonly low: number
  readonly high: number
  readonly of: 'mean' | 'median'
}

export interface CheckpointOptions extends BootstrapOptions {
  /** What the interval is of; the mean unless set. */
  readonly of?: 'mean' | 'median'
}

const MAX_CHECKPOINTS = 10_000

/**
 * Whole numbers from 1 to a limit, about so many for every factor of ten, evenly spaced on a
 * logarithmic axis; the first is 1 and the last is the limit itself.
 */
export function checkpointsUpTo(limit: number, perDecade = 10): number[] {
  if (!(Number.isSafeInteger(limit) && limit >= 1))
    throw new RangeError(`checkpoints go up to a whole number of executions above 0, not ${limit}`)
  if (!(Number.isInteger(perDecade) && perDecade >= 1 && perDecade <= 500))
    throw new RangeError(`a decade has 1 to 500 checkpoints, not ${perDecade}`)
  const spaced: number[] = []
  for (let at = 0; ; at++) {
    const executions = Math.round(10 ** (at / perDecade))
    if (executions >= limit) return [...spaced, limit]
    if (executions !== spaced.at(-1)) spaced.push(executions)
  }
}

/**
 * A trial's values at checkpoints: how many of its discoveries had been made by then.
 *
 * @param discoveries the execution of each, counted from 1, ascending; one execution may make
 *   several
 * @param checkpoints ascending
 */
export function valuesAt(checkpoints: readonly number[], discoveries: readonly number[]): number[] {
  assertAscending(checkpoints)
  let made = 0
  return checkpoints.map((executions) => {
    while (made < discoveries.length && discoveries[made]! <= executions) {
      if (made > 0 && discoveries[made]! < discoveries[made - 1]!)
        throw new RangeError(`discovery ${made} was made before the one in front of it`)
      made++
    }
    return made
  })
}

/**
 * One row a checkpoint, over all trials.
 *
 * @param trials one series a trial, one finite value a checkpoint; at least one trial
 */
export function checkpointRows(
  checkpoints: readonly number[],
  trials: readonly (readonly number[])[],
  { of = 'mean', ...options }: CheckpointOptions = {},
): CheckpointRow[] {
  assertAscending(checkpoints)
  const short = trials.findIndex((series) => series.length !== checkpoints.length)
  if (short >= 0)
    throw new RangeError(
      `trial ${short} has ${trials[short]!.length} values for ${checkpoints.length} checkpoints: say what it counts as after its end`,
    )
  return checkpoints.map((executions, at) => {
    const values = trials.map((series) => series[at]!)
    const { low, high } = bootstrap(values, of === 'mean' ? mean : median, options)
    return { executions, trials: trials.length, mean: mean(values), median: median(values), low, high, of }
  })
}

function assertAscending(checkpoints: readonly number[]): void {
  if (checkpoints.length > MAX_CHECKPOINTS) throw new RangeError(`at most ${MAX_CHECKPOINTS} checkpoints`)
  const at = checkpoints.findIndex((executions, at) => at > 0 && !(executions > checkpoints[at - 1]!))
  if (at >= 0) throw new RangeError(`checkpoint ${at}, ${checkpoints[at]}, is not after the one in front of it`)
}
