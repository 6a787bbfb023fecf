/**
 * The shrinker: makes a failing execution as small as it gets, so that its choices are its
 * explanation.
 *
 * A candidate is accepted if it still fails in the same way (see contract/fingerprint.ts) and is
 * simpler; what is kept is what the execution really drew, so the current best is always a record
 * that replays. Simpler is the order of `compare`: fewer schedule and fault choices that are not
 * natural, then fewer input choices, then smaller values (by rank), then an earlier end of the
 * tape.
 *
 * The invariant that every pass keeps: it proposes candidates from the current best alone, in an
 * order that follows from it, and leaves it to `Search` whether one is taken. So a pass cannot make
 * anything worse, needs to know nothing of what the choices mean, and may be wrong about them: a
 * run of choices that is no element, a choice that is no count, cost a try each. When an accepted
 * candidate draws otherwise than was proposed (a filter tries again, a length asks for more), the
 * next one starts from what was drawn. Every accepted candidate is strictly simpler, so shrinking
 * ends; each pass is deterministic, and a round in which no pass made progress means done.
 *
 * A domain supplies the passes over the schedule and the order of simplicity (`Shrinking`); the
 * passes over the input are common to all.
 *
 * The order of passes is the design's: shorter lengths by binary search first, then non-zero
 * choices, then values. The passes over the input follow Hypothesis (trivial spans, deletion, pass
 * to descendant, duplicates, pairs, order), each in a file under shrink/. Where Hypothesis deletes
 * choices and hopes that a count follows, ours lowers the count with them, as spans tell where it
 * stands; entering an earlier alternative with what fits it, the searches for few late operations
 * that explain all, and for a simpler failure of the same kind, are ours.
 */

import type { ExecutionResult, Executor } from '../contract/execution.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { type InputPlan, NO_ESTIMATES } from '../contract/plan.ts'
import type { ShrinkOutcome } from '../search/domain.ts'
import { SCHEDULES_PER_INPUT } from '../tape/name.ts'
import { changeBranch } from './change-branch.ts'
import { deleteChoices } from './delete-choices.ts'
import { deleteSpans } from './delete-spans.ts'
import { passToDescendant } from './descend.ts'
import { lowerDuplicates } from './lower-duplicates.ts'
import { lowerTogether } from './lower-together.ts'
import { lowerValues } from './lower-values.ts'
import { makeSpansNatural } from './natural-spans.ts'
import { redistribute } from './redistribute.ts'
import { Search, type Shrunk } from './search.ts'
import { shortenTape } from './shorten-tape.ts'
import type { Weighed } from './simplicity.ts'
import { sortSpans } from './sort-spans.ts'
import { sortValues } from './sort-values.ts'

/** Bounds on one shrinking, after Hypothesis's. */
const MAX_EXECUTIONS = 4000
const MAX_ROUNDS = 20
/** Of these, executions kept for starting over; how often that is done, and what one may cost. */
const RESERVED_EXECUTIONS = 1500
const MAX_ATTEMPTS = 400
const RESTART_EXECUTIONS = 500
/** After how many choices the tapes run out among which a simpler failure is looked for. */
const SHORT_TAPES = [16, 32, 64, 128]

/**
 * The passes over the input, in order: fewer parts, then fewer choices, then smaller values, then
 * their order.
 */
const INPUT_PASSES: readonly ((search: Search) => Promise<void>)[] = [
  makeSpansNatural,
  deleteSpans,
  passToDescendant,
  changeBranch,
  deleteChoices,
  (search) => lowerValues(search, 'input'),
  lowerDuplicates,
  lowerTogether,
  redistribute,
  sortSpans,
  sortValues,
]

/**
 * The passes over a schedule and its faults: those before the input's, one that changes it too, and
 * those after.
 */
export interface SchedulePasses {
  readonly first: readonly ((search: Search) => Promise<void>)[]
  readonly withInput: readonly ((search: Search) => Promise<void>)[]
  readonly last: readonly ((search: Search) => Promise<void>)[]
}

/** All that a domain says about shrinking. */
export interface Shrinking {
  passes(best: Shrunk): SchedulePasses
  /** Negative if `a` is simpler than `b`. */
  compare(a: Weighed, b: Weighed): number
  /** The same, wherever the tape runs out. */
  compareDrawn(a: Weighed, b: Weighed): number
  /** How often the search for a simpler failure of the same kind starts over. */
  maxRestarts(best: Shrunk): number
}

export async function shrink(
  executor: Executor,
  input: InputPlan,
  failing: ExecutionResult,
  expired: () => boolean,
  shrinking: Shrinking,
): Promise<ShrinkOutcome> {
  const limit = MAX_EXECUTIONS - RESERVED_EXECUTIONS
  const search = new Search(executor, input, failing as Shrunk, expired, limit, shrinking.compare)
  let complete = await converge(search, input, shrinking)
  if (input.from === 'tape' && search.late > 1)
    complete = await startOver(search, executor, input, expired, complete, shrinking)
  return {
    result: search.best,
    summary: { executions: search.executions, improvements: search.improvements, complete },
  }
}

/** Runs the passes until none makes progress; false if a bound ended it. */
async function converge(search: Search, input: InputPlan, shrinking: Shrinking): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS && !search.exhausted; round++) {
    const { best } = search
    const passes = shrinking.passes(best)
    await shortenTape(search)
    await search.unbind()
    for (const pass of passes.first) await pass(search)
    if (input.from === 'tape') for (const pass of [...INPUT_PASSES, ...passes.withInput]) await pass(search)
    for (const pass of passes.last) await pass(search)
    if (shrinking.compareDrawn(search.best, best) < 0) continue
    search.forget()
    await shortenTape(search)
    return !search.exhausted
  }
  return false
}

/**
 * Where several things still have to be late, the failure that was found may be a roundabout one:
 * an input that gets by with fewer cannot be reached from it step by step. So the same failure is
 * looked for anew, among short tapes, and what is found is shrunk from there; the simplest of all
 * is kept.
 */
async function startOver(
  search: Search,
  executor: Executor,
  input: InputPlan,
  expired: () => boolean,
  complete: boolean,
  shrinking: Shrinking,
): Promise<boolean> {
  const sought = fingerprint(search.best.failure!)
  const restarts = shrinking.maxRestarts(search.best)
  let begun = 0
  for (let attempt = 0; attempt < MAX_ATTEMPTS && begun < restarts && search.late > 1 && !expired(); attempt++) {
    if (search.executions >= MAX_EXECUTIONS) return false
    const length = SHORT_TAPES[attempt % SHORT_TAPES.length]!
    const name = { length, seed: attempt * SCHEDULES_PER_INPUT + 1 }
    const choices = { from: 'strategy', strategy: 'random', name, estimates: NO_ESTIMATES } as const
    const result = await executor.execute({ input, choices })
    search.executions++
    if (result.verdict !== 'failed' || fingerprint(result.failure!) !== sought) continue
    begun++
    const limit = Math.min(RESTART_EXECUTIONS, MAX_EXECUTIONS - search.executions)
    const other = new Search(executor, input, result as Shrunk, expired, limit, shrinking.compare)
    const otherComplete = await converge(other, input, shrinking)
    search.executions += other.executions
    if (shrinking.compare(other.best, search.best) >= 0) continue
    search.best = other.best
    search.improvements += other.improvements
    complete = otherComplete
  }
  return complete
}
