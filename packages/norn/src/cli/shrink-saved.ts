/** Shrinks a saved failure further, and saves it in its place: for `norn shrink`, and for the page of `norn ui`. */
import type { ShrinkSummary } from '../contract/campaign-summary.ts'
import { essential } from '../contract/choices.ts'
import type { Explained } from '../contract/explanation.ts'
import { fingerprint } from '../contract/fingerprint.ts'
import type { InconclusiveReport } from '../contract/inconclusive.ts'
import { type InputPlan, inputOf, type Plan } from '../contract/plan.ts'
import type { SavedFailure } from '../contract/saved-failure.ts'
import { isLoss } from '../session/lost-execution.ts'
import { comparedWithPassing } from '../session/nearest.ts'
import { writeFailure } from '../storage/failure-file.ts'
import type { OpenFailure } from './open-failure.ts'
import { drawBeside } from './picture.ts'

interface Shrunk extends Explained {
  readonly summary: ShrinkSummary
  /** Where its input came from. */
  readonly input: InputPlan
}

/** Why a failure cannot be shrunk. */
export function notShrinkable({ open, failure: { kind } }: SavedFailure): string | undefined {
  if (open !== undefined)
    return `cannot shrink a failure found with --open ${open.join()}: its executions do not repeat exactly`
  return isLoss(kind) ? `cannot shrink a failure of kind '${kind}': every attempt kills a worker process` : undefined
}

/**
 * Shrinks until nothing gets smaller, the time is over or the worker is asked to stop, and then writes the file.
 *
 * @returns undefined if the failure does not fail as saved
 */
export async function shrinkSaved(
  opened: OpenFailure,
  timeMs: number,
  onProgress: () => void,
): Promise<Shrunk | { readonly voided: InconclusiveReport } | undefined> {
  const { path, saved, aliases, worker, property } = opened
  for (const plan of plansOf(opened)) {
    const now = await worker.execute(property, plan)
    if (now.voided !== undefined) return { voided: now.voided }
    if (now.verdict !== 'failed' || fingerprint(now.failure!) !== fingerprint(saved.failure)) continue
    const { outcome } = await worker.shrink(property, plan, timeMs, onProgress)
    if (outcome === undefined) continue
    const choices = { from: 'record', choices: essential(outcome.result.choices!) } as const
    const shrunk: Plan = { input: inputOf(outcome.result, plan.input), choices }
    const explained = await worker.explain(property, shrunk)
    const { result, explanation } = await comparedWithPassing(worker, property, shrunk, explained)
    writeFailure(path, {
      ...saved,
      aliases,
      failure: result.failure!,
      input: result.input,
      inputText: result.inputText ?? '',
      choices: result.choices!,
      traceHash: result.traceHash!,
      found: plan.input.from === 'tape' ? { ...saved.found, example: undefined } : saved.found,
      shrunk: true,
    })
    drawBeside(process.cwd(), path, { property: property.name, result, explanation })
    return { summary: outcome.summary, input: plan.input, result, explanation }
  }
  return undefined
}

/** First lets the arbitraries generate the input, so that it can shrink; else takes it as it was saved. */
function plansOf({ saved, input }: OpenFailure): Plan[] {
  const choices = { from: 'record', choices: saved.choices } as const
  const asSaved: Plan = { input, choices }
  return input.from === 'tape' ? [asSaved] : [{ input: { from: 'tape' }, choices }, asSaved]
}
