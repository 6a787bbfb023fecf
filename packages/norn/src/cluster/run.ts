/**
 * One execution of a cluster: the scheduled steps, then calm if something has to come true in it,
 * then the last check.
 *
 * Liveness after "Random Fuzzy Thoughts": a tape that runs out yields nothing but the natural, so
 * every execution winds down to a calm world, and a system that then makes no progress is at fault.
 */
import type { Chance } from '../tape/chance.ts'
import { atOnce } from './at-once.ts'
import type { Liveness } from './definition.ts'
import type { Simulation } from './simulation.ts'
import { suggestStep } from './suggestion.ts'

/** Where the numbers of steps come from. */
export interface StepSource {
  /**
   * The number of the next step, 0..max.
   *
   * @param suggest what to take by chance, where chance decides
   */
  next(ordinal: number, max: number, suggest: (chance: Chance) => number): number
}

/** What must come true in a calm world did not. */
export class LivenessError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'LivenessError'
  }
}

export const DEFAULT_STEPS = 100
const DEFAULT_WITHIN_MS = 10_000
/** Events of a calm world, at most: messages without end take no virtual time to be many. */
const MAX_CALM_EVENTS = 100_000

/**
 * Runs the scheduled steps, and all that follows them.
 *
 * @param performed where to note for each scheduled step whether it was possible, however it ends
 * @returns the same
 * @throws whatever the system, the invariant, the check or the model finds wrong
 */
export function runSchedule(simulation: Simulation, source: StepSource, performed: boolean[] = []): readonly boolean[] {
  const { cluster, codes } = simulation
  const steps = cluster.steps ?? DEFAULT_STEPS
  const suggest = (chance: Chance) => suggestStep(simulation, chance)
  for (let ordinal = 0; ordinal < steps; ordinal++) {
    if (simulation.isQuiet && !simulation.canRevive) break
    simulation.step = ordinal
    const step = codes.steps[source.next(ordinal, codes.max, suggest)]!
    // Unless it throws; then it was.
    performed[ordinal] = true
    performed[ordinal] = simulation.perform(step)
  }
  simulation.step++
  if (cluster.eventually !== undefined) untilItHolds(simulation, cluster.eventually)
  atOnce(cluster.check?.(simulation.view), () => '`check`')
  return performed
}

/** Lets the calm world go on until the condition holds; throws if it does not in time. */
export function untilItHolds(
  simulation: Simulation,
  { what, holds, withinMs = DEFAULT_WITHIN_MS }: Liveness,
  isStopped: () => boolean = () => false,
): void {
  simulation.calm()
  const end = simulation.nowUs + withinMs * 1000
  for (let events = 0; !atOnce(holds(simulation.view), () => '`eventually.holds`'); events++) {
    if (isStopped()) return
    const ms = (simulation.nowUs - (end - withinMs * 1000)) / 1000
    if (events >= MAX_CALM_EVENTS)
      throw new LivenessError(`${what}: not within ${MAX_CALM_EVENTS} events of a calm world, which took ${ms} ms`)
    if (simulation.nowUs > end) throw new LivenessError(`${what}: not within ${withinMs} ms of a calm world`)
    if (!simulation.natural())
      throw new LivenessError(`${what}: never, as nothing is left to happen ${ms} ms into a calm world`)
  }
}
