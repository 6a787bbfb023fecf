/**
 * Following a saved failure: the plan that replays it, and what to try where the code has changed.
 *
 * Invariant: the first plan is the exact one, which over unchanged code shows the failure again. The others come only
 * where it passes: another operation may have taken a label, so the choices are looked up by what is done to what; and
 * the tape may have ended before an operation that was late, so it has no end then.
 */

import { type Choices, UNBOUNDED } from '../contract/choices.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import type { FollowBy, InputPlan, Plan } from '../contract/plan.ts'
import type { ListedProperty } from '../process/protocol.ts'
import { FailureFileError, type SavedFailure } from '../storage/failure-file.ts'
import type { KeptFailure } from '../storage/saved-failures.ts'

/** A run of a plan, and the plan. */
export type Followed<Run> = Run & { readonly plan: Plan }

/**
 * Runs the plans of a saved failure until one fails. If none does, gives the run that followed most of what was recorded.
 *
 * @param run runs a plan; `exact` for the first
 */
export async function follow<Run extends { readonly result: ExecutionResult }>(
  saved: SavedFailure,
  input: InputPlan,
  run: (plan: Plan, exact: boolean) => Promise<Run>,
): Promise<Followed<Run>> {
  const attempt = async (choices: Choices, followBy: FollowBy, exact = false) => {
    const plan: Plan = { input, choices: { from: 'record', choices, followBy } }
    return { ...(await run(plan, exact)), plan }
  }
  const exact = await attempt(saved.choices, 'label', true)
  if (exact.result.verdict !== 'passed' || exact.result.following!.recorded === 0) return exact
  let best = exact
  for (const followBy of ['alias', 'label'] as const) {
    const other = await attempt({ ...saved.choices, length: UNBOUNDED }, followBy)
    if (other.result.verdict === 'failed') return other
    if ((other.result.following?.followed ?? 0) > best.result.following!.followed) best = other
  }
  return best
}

/** Where the input of a saved failure comes from; throws `FailureFileError` if it was an example that is gone. */
export function savedInputPlan(path: string, { input, found }: SavedFailure, property: ListedProperty): InputPlan {
  if (input !== undefined) return { from: 'saved', input }
  if (found.example === undefined) return { from: 'tape' }
  if (found.example < property.examples) return { from: 'example', index: found.example }
  throw new FailureFileError(path, `its input was example ${found.example + 1} of the property, which is gone`)
}

/** A saved failure that was tried. */
export type Tried<Run> = KeptFailure & Followed<Run>

/**
 * Runs a saved failure again.
 *
 * @param run runs a plan, whatever it does to its process
 * @throws FailureFileError where a failure does not fit the property any more
 */
export async function trySaved<Run extends { readonly result: ExecutionResult }>(
  { path, saved }: KeptFailure,
  property: ListedProperty,
  run: (plan: Plan) => Promise<Run>,
): Promise<Tried<Run>> {
  return { path, saved, ...(await follow(saved, savedInputPlan(path, saved, property), run)) }
}
