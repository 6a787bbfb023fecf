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
 * spans show where that count is; `changeBranch` fills an earlier alternative with fresh values; an
 * input is also tried with the delays moved to the operations that it has (realign.ts).
 *
 * A minimum of the passes is 1-minimal: no single deletion or lowering leads on. Beyond it lead
 * `restart`, which searches for a simpler failure with the same fingerprint, and `perturb`.
 */
import type { ExecutionResult, Executor } from '../contract/execution.ts'
import type { InputPlan } from '../contract/plan.ts'
import type { ShrinkOutcome } from '../search/domain.ts'
import { changeBranch } from './change-branch.ts'
import { cutLargeInput, deleteChoices, deleteSpans } from './delete.ts'
import { lowerDuplicates, lowerTogether, redistribute } from './lower-jointly.ts'
import { lowerValues } from './lower-values.ts'
import { perturb } from './perturb.ts'
import { restart } from './restart.ts'
import { type Failing, Shrinker } from './shrinker.ts'
import { shortenTape } from './simplify-schedule.ts'
import { passToDescendant, simplifySpans } from './simplify-spans.ts'
import { sortSpans, sortValues } from './sort.ts'

/** Bounds on one shrinking, after Hypothesis's. */
const MAX_EXECUTIONS = 4000
const MAX_ROUNDS = 20
/** Executions after which the passes on the first failure end, and those after which no restart begins. */
const FIRST_LIMIT = 2500
const RESTART_LIMIT = 3200

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
  const shrinker = new Shrinker(executor, input, failing as Failing, expired, FIRST_LIMIT, policy.compare)
  let complete = await converge(shrinker, input, policy)
  if (input.from === 'tape') {
    const converges = (other: Shrinker) => converge(other, input, policy)
    const isBest = (other: Failing) => policy.compareDrawn(other, shrinker.best) === 0
    const startOver = (other: Failing, most: number) =>
      new Shrinker(executor, input, other, expired, most, policy.compare, isBest)
    shrinker.limit = MAX_EXECUTIONS
    const maxRestarts = policy.maxRestarts(shrinker.best)
    const search = { executor, input, expired, maxRestarts, limit: RESTART_LIMIT }
    complete = (await restart(shrinker, search, converges, startOver)) ?? complete
    complete = await beyond(shrinker, complete, converges)
  }
  const { best: result, executions, improvements } = shrinker
  const stopped = complete ? {} : { stoppedBy: expired() ? ('time' as const) : ('executions' as const) }
  return { result, summary: { executions, improvements, complete, ...stopped } }
}

/** Runs the passes until none makes progress; returns false if a bound ended it. */
async function converge(shrinker: Shrinker, input: InputPlan, policy: ShrinkPolicy): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS && !shrinker.exhausted; round++) {
    const { best } = shrinker
    const passes = policy.passes(best)
    if (input.from === 'tape') await cutLargeInput(shrinker)
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

/** Perturbs a minimum, and runs the passes again as long as that finds a simpler failure. */
async function beyond(
  shrinker: Shrinker,
  complete: boolean,
  converges: (shrinker: Shrinker) => Promise<boolean>,
): Promise<boolean> {
  if (!complete) complete = await converges(shrinker)
  for (let round = 0; round < MAX_ROUNDS && !shrinker.exhausted; round++) {
    const { improvements } = shrinker
    await perturb(shrinker)
    if (shrinker.improvements === improvements) break
    complete = await converges(shrinker)
  }
  return complete
}
