/** Why a history is illegal, in words. */
import type { Operation } from '../history/operation.ts'
import { canonical } from '../models/canonical.ts'
import type { ObjectModel } from '../models/model.ts'

const MAX_LENGTH = 80
const MAX_OPERATIONS = 12
const MAX_STATES = 5

/** An operation, its process and its lines: `write(3) by process 1 (lines 4-7)`. */
function operationInWords(operation: Operation, model: ObjectModel): string {
  const { process, line, returnLine } = operation
  const lines =
    line === undefined
      ? ''
      : returnLine === undefined || returnLine === line
        ? ` (line ${line})`
        : ` (lines ${line}-${returnLine})`
  return `${cut(callText(operation, model))} by process ${process}${lines}`
}

/**
 * @param needed the operations that cannot be ordered, the last one with them
 * @param states that orders of all that had returned before the last one lead to
 */
export function explanationOf(
  last: Operation,
  needed: readonly Operation[],
  isFromAnyState: boolean,
  states: readonly unknown[],
  model: ObjectModel,
): string {
  const head = `no order explains ${operationInWords(last, model)}`
  const shown = [...new Set(states.map((state) => cut(model.describeState?.(state) ?? canonical(state))))]
  const more = shown.length > MAX_STATES ? ', ...' : ''
  const list = shown.slice(0, MAX_STATES).join(' or ') + more
  const after =
    shown.length === 0 ? '' : `\nthe longest orders of what had returned before it lead to the state ${list}`
  if (needed.length === 1) {
    const why = isFromAnyState
      ? 'no operation before it leads to a state in which it is possible'
      : 'it is not possible'
    return `${head}: ${why}${after}`
  }
  const whence = `from ${isFromAnyState ? 'any state that may come before them' : 'the initial state'}, whichever others took effect`
  const lines = needed.slice(0, MAX_OPERATIONS).map((operation) => `\n  ${operationInWords(operation, model)}`)
  const rest = needed.length > MAX_OPERATIONS ? `\n  and ${needed.length - MAX_OPERATIONS} more` : ''
  return `${head}: these operations cannot be ordered ${whence}:${lines.join('')}${rest}${after}`
}

function plainCall({ input, output, outcome }: Operation): string {
  return `${canonical(input)}${outcome === 'ok' ? ` = ${canonical(output ?? null)}` : ''}`
}

/** `write(3)`, `read() = 4`. */
export function callText(operation: Operation, model: ObjectModel): string {
  const { input, output, outcome } = operation
  const isKnown = outcome === 'ok'
  return model.describe?.(input, isKnown ? output : undefined, isKnown) ?? plainCall(operation)
}

function cut(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH / 2)}...${text.slice(-MAX_LENGTH / 2)}`
}
