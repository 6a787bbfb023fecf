/**
 * The shrinker: makes a failing execution minimal, so that its choices explain the failure.
 *
 * A candidate is accepted if it fails with the same fingerprint and is simpler in the order of the
 * domain. The best execution holds the choices that it drew, not those that were proposed, so it
 * always replays.
 *
 * The invariant of every pass: it proposes candidates as a function of the current best alone, and
 * `Shrinker` decides whether to accept one. So a pass cannot make anything worse, and may be wrong
 * about what choices mean (a run of choices that is not an element, a choice that is not a count):
 * that costs an attempt. Where an accepted candidate draws other choices than were proposed, the
 * next candidate starts from what was drawn. Every accepted candidate is strictly simpler, so
 * shrinking terminates; passes are deterministic, so a round without progress is the last one.
 *
 * A domain supplies the passes over the schedule and the order of simplicity (`ShrinkPolicy`). The
 * passes over the input follow Hypothesis (trivial spans, deletion, pass to descendant, duplicates,
 * pairs, order). Three parts depart from it: a deletion lowers the count of what it deletes, as
 * spans show where that count is; `changeBranch` fills an earlier alternative with fresh values;
 * `restart` searches for a simpler failure with the same fingerprint.
 */
import type { ExecutionResult, Executor } from '../contract/execution.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import { type InputPlan, NO_ESTIMATES } from '../contract/plan.ts'
import type { ShrinkOutcome } from '../search/domain.ts'
import { SCHEDULES_PER_INPUT } from '../tape/name.ts'
import { changeBranch } from './change-branch.ts'
import { deleteChoices, deleteSpans } from './delete.ts'
import { lowerDuplicates, lowerTogether, redistribute } from './lower-jointly.ts'
import { lowerValues } from './lower-values.ts'
import { type Failing, Shrinker } from './shrinker.ts'
import { shortenTape } from './simplify-schedule.ts'
import { passToDescendant, simplifySpans } from './simplify-spans.ts'
import { sortSpans, sortValues } from './sort.ts'

/** Bounds on one shrinking, after Hypothesis's. */
const MAX_EXECUTIONS = 4000
const MAX_ROUNDS = 20
/**
 * Executions of these reserved for restarts; fresh executions tried, and the bound on one restart.
 */
const RESERVED_EXECUTIONS = 1500
const MAX_ATTEMPTS = 400
const RESTART_EXECUTIONS = 500
/** Lengths of the tapes on which a restart searches for a simpler failure, in choices. */
const SHORT_TAPES = [16, 32, 64, 128]

/** First fewer parts, then fewer choices, then smaller values, then their order. */
const INPUT_PASSES: readonly Pass[] = [
  simplifySpans,
  deleteSpans,
  passToDescendant,
  changeBranch,
  deleteChoices,
  (shrinker) => lowerValues(shrinker, 'input'),
  lowerDuplicates,
  lowerTogether,
  redistribute,
  sortSpans,
  sortValues,
]

type Pass = (shrinker: Shrinker) => Promise<void>

/** The passes over a schedule and its faults, in relation to the passes over the input. */
export interface SchedulePasses {
  readonly first: readonly Pass[]
  /** Passes that change the input too; they run only where the input comes from the tape. */
  readonly withInput: readonly Pass[]
  readonly last: readonly Pass[]
}

/** What a domain decides about policy. */
export interface ShrinkPolicy {
  passes(best: Failing): SchedulePasses
  /** Negative if `a` is simpler than `b`. */
  compare(a: Failing, b: Failing): number
  /** The same without the length of the tape. */
  compareDrawn(a: Failing, b: Failing): number
  /** Restarts at most. */
  maxRestarts(best: Failing): number
}

/** Whether one failing execution is simpler than another in the order of a domain. */
export function isSimplerBy({ compare }: ShrinkPolicy, one: ExecutionResult, other: ExecutionResult): boolean {
  return compare(one as Failing, other as Failing) < 0
}

/**
 * Shrinks a failing execution.
 *
 * @param expired whether the time for shrinking is up; asked before every attempt
 */
export async function shrink(
  executor: Executor,
  input: InputPlan,
  failing: ExecutionResult,
  expired: () => boolean,
  policy: ShrinkPolicy,
): Promise<ShrinkOutcome> {
  const limit = MAX_EXECUTIONS - RESERVED_EXECUTIONS
  const shrinker = new Shrinker(executor, input, failing as Failing, expired, limit, policy.compare)
  let complete = await converge(shrinker, input, policy)
  if (input.from === 'tape' && shrinker.nonSimplest > 1)
    complete = await restart(shrinker, executor, input, expired, complete, policy)
  return {
    result: shrinker.best,
    summary: { executions: shrinker.executions, improvements: shrinker.improvements, complete },
  }
}

/** Runs the passes until none makes progress; returns false if a bound ended it. */
async function converge(shrinker: Shrinker, input: InputPlan, policy: ShrinkPolicy): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS && !shrinker.exhausted; round++) {
    const { best } = shrinker
    const passes = policy.passes(best)
    await shortenTape(shrinker)
    await shrinker.unbind()
    for (const pass of passes.first) await pass(shrinker)
    if (input.from === 'tape') for (const pass of [...INPUT_PASSES, ...passes.withInput]) await pass(shrinker)
    for (const pass of passes.last) await pass(shrinker)
    if (policy.compareDrawn(shrinker.best, best) < 0) continue
    shrinker.forget()
    await shortenTape(shrinker)
    return !shrinker.exhausted
  }
  return false
}

/**
 * Searches for the same failure again, on short tapes, shrinks what it finds and keeps the
 * simplest. Where a failure still needs several schedule choices, an input that needs fewer may
 * exist that no sequence of passes reaches.
 */
async function restart(
  shrinker: Shrinker,
  executor: Executor,
  input: InputPlan,
  expired: () => boolean,
  complete: boolean,
  policy: ShrinkPolicy,
): Promise<boolean> {
  const sought = fingerprint(shrinker.best.failure!)
  const restarts = policy.maxRestarts(shrinker.best)
  let begun = 0
  for (
    let attempt = 0;
    attempt < MAX_ATTEMPTS && begun < restarts && shrinker.nonSimplest > 1 && !expired();
    attempt++
  ) {
    if (shrinker.executions >= MAX_EXECUTIONS) return false
    const length = SHORT_TAPES[attempt % SHORT_TAPES.length]!
    const name = { length, seed: attempt * SCHEDULES_PER_INPUT + 1 }
    const choices = { from: 'strategy', strategy: 'random', name, estimates: NO_ESTIMATES } as const
    const result = await executor.execute({ input, choices })
    shrinker.executions++
    if (result.verdict !== 'failed' || fingerprint(result.failure!) !== sought) continue
    begun++
    const limit = Math.min(RESTART_EXECUTIONS, MAX_EXECUTIONS - shrinker.executions)
    const other = new Shrinker(executor, input, result as Failing, expired, limit, policy.compare)
    const otherComplete = await converge(other, input, policy)
    shrinker.executions += other.executions
    if (policy.compare(other.best, shrinker.best) >= 0) continue
    shrinker.best = other.best
    shrinker.improvements += other.improvements
    complete = otherComplete
  }
  return complete
}
