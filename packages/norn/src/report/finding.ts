/** Where a finding came from, for reports. */
import type { InputPlan } from '../contract/plan.ts'
import { plural } from '../contract/text.ts'
import type { Finding } from '../session/search.ts'

/** Where a failure was found, and how it shrank. */
export function foundText({ found, planned, confirmed }: Finding): string {
  const { foundAt, seed, strategy, shrinking, isSaved } = found
  const example = exampleNumber(planned)
  const tries = shrinking?.executions ?? 0
  return [
    `found in execution ${foundAt}`,
    ...(example === undefined ? [] : [` (example ${example})`]),
    ` by ${strategy === 'natural' ? 'the default schedule' : strategy}, seed ${seed}`,
    ...(tries === 0 ? [] : [`; ${shrunkText(tries, shrinking!.complete)}`]),
    ...(isSaved ? ['; the form saved earlier is simpler, and shown'] : []),
    ...(confirmed ? [] : ['; NOT REPRODUCED in a fresh process']),
  ].join('')
}

/** @param complete whether the shrinker ran out of candidates, not out of budget */
export function shrunkText(executions: number, complete: boolean): string {
  return `shrunk in ${plural(executions, 'execution')}${complete ? '' : ' (budget spent)'}`
}

/** A saved failure that fails again. @param exact whether its trace is the same */
export function failsAgainText(path: string, exact: boolean): string {
  return `saved in ${path}; ${exact ? 'replayed exactly' : 'still fails'}`
}

/** Title of the input of a finding. */
export function inputTitle({ found, planned }: Finding): string {
  const example = exampleNumber(planned)
  if (example !== undefined) return `example ${example}`
  return found.shrinking === undefined ? 'input' : 'smallest input'
}

/** Number of the example that an input is, counted from 1. */
export function exampleNumber(planned: InputPlan): number | undefined {
  return planned.from === 'example' ? planned.index + 1 : undefined
}
