/**
 * The neighbourhood of a recorded failure: similar executions, which run before a failure counts as
 * fixed after the code changed. First the variants of the domain, then new schedules of the same
 * input. Deterministic.
 */

import { type Choices, UNBOUNDED } from '../contract/choices.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import type { InputPlan, Plan } from '../contract/plan.ts'
import { DEFAULT_STRATEGY } from '../schedule/portfolio.ts'
import { SCHEDULES_PER_INPUT } from '../tape/name.ts'
import type { Domain } from './domain.ts'

/**
 * @param recorded the choices that failed
 * @param now their passing replay over the changed code
 * @param count plans at most
 */
export function* neighbourhood(
  domain: Domain,
  input: InputPlan,
  recorded: Choices,
  now: ExecutionResult,
  count: number,
): Generator<Plan> {
  let given = 0
  for (const choices of domain.neighbours(recorded, now)) {
    if (given++ >= count) return
    yield { input, choices: { from: 'record', choices } }
  }
  const { points, chains, durationUs, faultPoints } = now
  const estimates = {
    points: Math.max(1, points),
    chains,
    durationUs: Math.max(1, durationUs),
    ...(faultPoints === undefined ? {} : { faultPoints }),
  }
  for (let seed = 1; given < count; seed++) {
    // Skips the default schedules.
    if (seed % SCHEDULES_PER_INPUT === 0) continue
    given++
    yield {
      input,
      choices: { from: 'strategy', strategy: DEFAULT_STRATEGY, name: { length: UNBOUNDED, seed }, estimates },
    }
  }
}
