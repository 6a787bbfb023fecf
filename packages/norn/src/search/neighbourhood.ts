/**
 * The neighbourhood of a recorded failure: executions like it, tried before a failure is called
 * gone after the code has changed.
 *
 * First the variants that the domain proposes, then fresh schedules for the same input.
 * Deterministic.
 */

import { type Choices, UNBOUNDED } from '../contract/choices.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import type { InputPlan, Plan } from '../contract/plan.ts'
import { SCHEDULES_PER_INPUT } from '../tape/name.ts'
import type { Domain } from './domain.ts'

/**
 * @param recorded the choices that failed once
 * @param now an execution of the changed code that followed them and passed
 * @param count how many plans to give at most
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
    // The input is that of the plan; only schedules are fresh, so the natural one is left out.
    if (seed % SCHEDULES_PER_INPUT === 0) continue
    given++
    yield { input, choices: { from: 'strategy', strategy: 'portfolio', name: { length: UNBOUNDED, seed }, estimates } }
  }
}
