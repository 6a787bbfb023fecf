/**
 * Replays a saved failure, and follows it over changed code.
 *
 * Invariant: the first plan is the exact one, which reproduces the failure over unchanged code.
 * Only if it passes do others follow: they look choices up by alias, in case another operation has
 * taken a label, and have no length limit, in case the tape ended before a delayed operation.
 */

import { type Choices, UNBOUNDED } from '../contract/choices.ts'
import type { ExecutionResult } from '../contract/execution.ts'
import type { FollowBy, InputPlan, Plan } from '../contract/plan.ts'
import type { KeptFailure, SavedFailure } from '../contract/saved-failure.ts'
import { executionOptionsOf } from '../options/values.ts'
import type { ListedProperty } from '../process/protocol.ts'
import { FailureFileError } from '../storage/failure-file.ts'

/** The property as it was run when it failed. */
export function asFound(property: ListedProperty, saved: SavedFailure): ListedProperty {
  return { ...property, ...executionOptionsOf(saved) }
}

/** A run, with the plan it ran. */
export type Followed<Run> = Run & { readonly plan: Plan }

/** The plan that reproduces a saved failure over unchanged code. */
export function exactPlan({ choices }: SavedFailure, input: InputPlan): Plan {
  return { input, choices: { from: 'record', choices, followBy: 'label' } }
}

/**
 * Runs the plans of a saved failure until one fails. If none fails, returns the run that followed
 * most of the choices.
 *
 * @param run runs a plan; `exact` is set for the first
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

/**
 * The input of a saved failure. Throws `FailureFileError` if it was an example that the property no
 * longer has.
 */
export function savedInputPlan(path: string, { input, found }: SavedFailure, property: ListedProperty): InputPlan {
  if (input !== undefined) return { from: 'saved', input }
  if (found.example === undefined) return { from: 'tape' }
  if (found.example < property.examples) return { from: 'example', index: found.example }
  throw new FailureFileError(path, `its input was example ${found.example + 1}, which the property no longer has`)
}

/** A saved failure that was replayed. */
export type Tried<Run> = KeptFailure & Followed<Run>

/**
 * Replays a saved failure.
 *
 * @param run runs a plan; must survive a plan that kills its process
 * @throws FailureFileError if the failure no longer fits the property
 */
export async function trySaved<Run extends { readonly result: ExecutionResult }>(
  { path, saved }: KeptFailure,
  property: ListedProperty,
  run: (plan: Plan) => Promise<Run>,
): Promise<Tried<Run>> {
  return { path, saved, ...(await follow(saved, savedInputPlan(path, saved, property), run)) }
}
