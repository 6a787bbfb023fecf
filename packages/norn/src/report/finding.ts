/** Where a finding came from, for reports. */

import type { ShrinkSummary } from '../contract/campaign-summary.ts'
import type { FoundFailure, TriedFailure } from '../contract/events.ts'
import type { InputPlan } from '../contract/plan.ts'
import { plural } from '../contract/text.ts'
import { reproducedText } from '../session/reproduction.ts'

/** Where a failure was found, and how it shrank. */
export function foundText(failure: FoundFailure): string {
  const { foundAt, seed, strategy, planned, shrinking, isSaved } = failure
  const { confirmed, reproduced } = failure.confirmation!
  const example = exampleNumber(planned)
  return [
    `found in execution ${foundAt}`,
    ...(example === undefined ? [] : [` (example ${example})`]),
    ` by ${strategy === 'natural' ? 'the default schedule' : strategy}, seed ${seed}`,
    ...(shrinking === undefined || isTrivial(shrinking) ? [] : [`; ${shrunkText(shrinking, planned)}`]),
    ...(isSaved ? ['; the form saved earlier is simpler, and shown'] : []),
    ...(reproduced === undefined ? [] : [`; ${reproducedText(reproduced)}`]),
    ...(confirmed || reproduced !== undefined ? [] : ['; NOT REPRODUCED in a fresh process']),
  ].join('')
}

/** How far a failure was shrunk, and whether it can be shrunk further. */
export function shrunkText(shrinking: ShrinkSummary, input: InputPlan): string {
  const { executions, improvements, complete, stoppedBy } = shrinking
  if (executions === 0 && !complete) return 'not shrunk: the time limit was reached'
  // An input that no arbitrary generated does not shrink.
  const minimal = input.from === 'tape' ? '1-minimal' : 'a 1-minimal schedule'
  const end = complete ? minimal : stoppedBy === 'time' ? 'stopped at the time limit' : 'stopped at the budget'
  const how = improvements === 0 ? 'not smaller after' : 'shrunk in'
  return `${how} ${plural(executions, 'execution')}: ${end}`
}

/** Nothing was there to shrink. */
function isTrivial({ executions, complete }: ShrinkSummary): boolean {
  return executions === 0 && complete
}

/** The arguments of the command that goes on where shrinking was stopped, and its purpose. */
export function shrinkCommands(
  path: string | undefined,
  shrinking: ShrinkSummary | undefined,
): (readonly [args: readonly string[], purpose: string])[] {
  const isStopped = path !== undefined && shrinking !== undefined && !shrinking.complete
  return isStopped ? [[['shrink', path], 'go on shrinking']] : []
}

/** A saved failure that fails again. */
export function failsAgainText({ path, exact, reproduced }: TriedFailure): string {
  const how = reproduced === undefined ? (exact ? 'replayed exactly' : 'still fails') : reproducedText(reproduced)
  return `saved in ${path}; ${how}`
}

/** Title of the input of a finding. */
export function inputTitle({ planned, shrinking }: FoundFailure): string {
  const example = exampleNumber(planned)
  if (example !== undefined) return `example ${example}`
  return shrunkTitle(shrinking)
}

/** Title of an input that may have been shrunk. */
export function shrunkTitle(shrinking: ShrinkSummary | undefined): string {
  if (shrinking === undefined || (shrinking.executions === 0 && !shrinking.complete)) return 'input'
  return shrinking.complete ? 'smallest input' : 'smallest input so far'
}

/** Number of the example that an input is, counted from 1. */
export function exampleNumber(planned: InputPlan): number | undefined {
  return planned.from === 'example' ? planned.index + 1 : undefined
}
