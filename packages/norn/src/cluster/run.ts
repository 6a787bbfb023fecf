/**
 * One execution of a cluster: the scheduled steps, then the fault-free phase if the cluster has a
 * liveness property, then the final check.
 *
 * Liveness after "Random Fuzzy Thoughts": a tape that runs out yields default steps only, so every
 * execution ends without faults, and a system that then makes no progress violates liveness.
 */
import type { DrawnSteps } from '../contract/observation.ts'
import type { Suggest } from '../property/current.ts'
import type { Liveness } from './definition.ts'
import type { Simulation } from './simulation.ts'
import { StepClasses } from './step-classes.ts'
import { suggestStep } from './suggestion.ts'
import { synchronous } from './synchronous.ts'

/** Chooses the steps. */
export interface StepSource {
  /**
   * The number of the next step, 0..max.
   *
   * @param suggest draws a step that is possible now
   */
  next(ordinal: number, max: number, suggest: Suggest): number
}

/** The cluster's `eventually` did not become true in the fault-free phase. */
export class LivenessError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'LivenessError'
  }
}

export const DEFAULT_STEPS = 100
const DEFAULT_WITHIN_MS = 10_000
/** A bound beside that on virtual time, which stands still where messages have no latency. */
const MAX_FAULT_FREE_EVENTS = 100_000

/**
 * Runs the scheduled steps, the fault-free phase and the final check.
 *
 * @param performed receives for each scheduled step whether it was possible, even if the run throws
 * @param drawn receives the steps that were drawn with weights
 * @returns `performed`
 * @throws the failure that the system, the invariant, the check or the model finds
 */
export function runSchedule(
  simulation: Simulation,
  source: StepSource,
  performed: boolean[] = [],
  drawn?: DrawnSteps,
): readonly boolean[] {
  const { cluster, codes } = simulation
  const steps = cluster.steps ?? DEFAULT_STEPS
  let classified: StepClasses | undefined
  const suggest: Suggest = (chance, weights) => {
    if (weights !== undefined) classified ??= new StepClasses(simulation, weights)
    const code = suggestStep(simulation, chance, classified)
    if (classified !== undefined && drawn !== undefined) {
      drawn.classes[simulation.step] = classified.of(codes.steps[code]!)
      drawn.situations[simulation.step] = classified.situation()
    }
    return code
  }
  for (let ordinal = 0; ordinal < steps; ordinal++) {
    if (simulation.isQuiescent && !simulation.canWake) break
    simulation.step = ordinal
    const step = codes.steps[source.next(ordinal, codes.max, suggest)]!
    // A step that throws was possible.
    performed[ordinal] = true
    performed[ordinal] = simulation.perform(step)
    classified?.performed(step)
  }
  simulation.step++
  if (cluster.eventually !== undefined) awaitLiveness(simulation, cluster.eventually)
  synchronous(cluster.check?.(simulation.view), () => '`check`')
  return performed
}

/** Runs the fault-free phase until the condition holds. @throws LivenessError at a bound */
export function awaitLiveness(
  simulation: Simulation,
  { what, holds, withinMs = DEFAULT_WITHIN_MS }: Liveness,
  isStopped: () => boolean = () => false,
): void {
  simulation.startFaultFreePhase()
  const end = simulation.nowUs + withinMs * 1000
  for (let events = 0; !synchronous(holds(simulation.view), () => '`eventually.holds`'); events++) {
    if (isStopped()) return
    const ms = (simulation.nowUs - (end - withinMs * 1000)) / 1000
    if (events >= MAX_FAULT_FREE_EVENTS)
      throw new LivenessError(`${what}: still false after ${MAX_FAULT_FREE_EVENTS} events (${ms} ms) without faults`)
    if (simulation.nowUs > end) throw new LivenessError(`${what}: still false after ${withinMs} ms without faults`)
    if (!simulation.natural())
      throw new LivenessError(`${what}: still false after ${ms} ms without faults, when no event is left`)
  }
}
