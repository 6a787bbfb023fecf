/** The error of a state with unassigned variables. As in TLC, the state counts as generated. */
import { TlaError } from '../error/error.ts'
import type { PartialState } from './context.ts'

export class IncompleteState extends TlaError {
  constructor(message: string) {
    super('evaluation', message)
  }
}

/**
 * @param variables names of the variables
 * @param action that led to the state; undefined for an initial state
 * @throws TlaError unless all are assigned
 */
export function requireComplete(
  state: PartialState,
  variables: readonly string[],
  action: (() => string) | undefined,
): void {
  for (let at = 0; at < variables.length; at++) {
    if (state[at] === undefined) throw incomplete(state, variables, action?.())
  }
}

function incomplete(state: PartialState, variables: readonly string[], action: string | undefined): TlaError {
  const missing = variables.filter((_, at) => state[at] === undefined)
  const names = missing.join(', ')
  const isOne = missing.length === 1
  const no = isOne ? 'has no value' : 'have no value'
  if (action === undefined) {
    return new TlaError('evaluation', `${names} ${no} in an initial state: the initial predicate must assign it`)
  }
  const primed = missing.map((each) => `${each}'`).join(', ')
  const unchanged = isOne ? names : `<<${names}>>`
  return new IncompleteState(
    `${primed} ${no} after ${action}: assign ${isOne ? 'it' : 'them'}, or write \`UNCHANGED ${unchanged}\``,
  )
}
