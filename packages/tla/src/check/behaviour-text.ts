/**
 * Behaviours as text, in TLC's notation: each state with its number and its action, all variables
 * of the first state, and the changed variables of the others.
 */
import { place } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import type { ActionPart } from '../evaluate/machine.ts'
import { printCut, printValue } from '../values/print.ts'
import type { Value } from '../values/value.ts'
import { printWrapped } from '../values/wrap.ts'
import type { Behaviour, Step } from './behaviour.ts'

/** Longer behaviours are cut in the middle. */
const MAX_STATES_SHOWN = 1000
/** In characters; a parameter may be a whole table. */
const MAX_PARAMETER = 60

/** @param variables names of the variables */
export function behaviourText(behaviour: Behaviour, variables: readonly string[]): string {
  const cut = behaviour.length - MAX_STATES_SHOWN
  const blocks = behaviour.flatMap((step, at) => {
    if (cut > 0 && at >= MAX_STATES_SHOWN / 2 && at < MAX_STATES_SHOWN / 2 + cut) {
      return at === MAX_STATES_SHOWN / 2 ? [`… (${cut} states)`] : []
    }
    return [stepText(step, behaviour[at - 1], at + 1, variables)]
  })
  return blocks.join('\n\n')
}

function stepText(step: Step, before: Step | undefined, number: number, variables: readonly string[]): string {
  const rows = changed(shown(step, variables), before === undefined ? undefined : shown(before, variables))
  // As in TLC, a single variable has no bullet.
  const bullet = variables.length > 1 || step.alias !== undefined ? '/\\ ' : ''
  const lines = rows.map(([name, value]) => {
    const head = `${bullet}${name} = `
    return `${head}${printWrapped(value, head.length)}`
  })
  return [
    `State ${number}: ${before === undefined ? '<Initial predicate>' : actionText(step)}`,
    ...(lines.length === 0 ? ['(nothing changed)'] : lines),
  ].join('\n')
}

/** The variables of a state, or the fields of its alias. */
function shown({ state, alias }: Step, variables: readonly string[]): readonly (readonly [string, Value])[] {
  if (alias === undefined) return variables.map((name, variable) => [name, state[variable]!])
  if (typeof alias === 'object' && alias.kind === 'record') {
    return alias.shape.names.map((name, at) => [name, alias.elements[at]!])
  }
  return [['alias', alias]]
}

function changed(
  now: readonly (readonly [string, Value])[],
  before: readonly (readonly [string, Value])[] | undefined,
): readonly (readonly [string, Value])[] {
  if (before === undefined) return now
  const old = new Map(before)
  return now.filter(([name, value]) => !old.has(name) || old.get(name) !== value)
}

/** As TLC: `<RMPrepare(r1) line 51, col 16 to line 54, col 40 of module TwoPhase>`. */
function actionText({ part, parameters }: Pick<Step, 'part' | 'parameters'>): string {
  if (part === undefined) return '<unknown action: nondeterminism detected when the step was computed again>'
  const call = actionCall(part, parameters, (value) => printCut(value, MAX_PARAMETER))
  return `<${call} ${spanText(part.at)} of module ${part.module}>`
}

/** `RMPrepare(r1)`. */
export function actionCall(
  { name }: ActionPart,
  parameters: readonly Value[],
  print: (value: Value) => string = printValue,
): string {
  return parameters.length === 0 ? name : `${name}(${parameters.map((value) => print(value)).join(', ')})`
}

function spanText({ line, column, endLine, endColumn }: Span): string {
  return `line ${line}, col ${column} to line ${endLine}, col ${endColumn}`
}

/** `RMPrepare(rm) (TwoPhase.tla:51:16)`. */
export function partText(part: ActionPart): string {
  return `${actionName(part)} (${place(part.at)})`
}

/** `RMPrepare(rm)`. */
export function actionName({ name, parameters }: ActionPart): string {
  return parameters.length === 0 ? name : `${name}(${parameters.join(', ')})`
}
