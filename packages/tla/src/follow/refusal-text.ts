/** Why an action is disabled, as people read it, on one line. */
import { place } from '../error.ts'
import type { Refusal } from '../evaluate/machine.ts'

/** Longer conjuncts and values are cut. */
const MAX_CONJUNCT = 200
const MAX_VALUE = 120

/** `tmState = "init" is false, where tmState is "done" (TwoPhase.tla:55:6)`. */
export function refusalText({ conjunct, at, values }: Refusal): string {
  // A model value is what it is called.
  const telling = values.filter(([text, value]) => text !== value)
  const known = telling.map(([text, value]) => `${cut(text, MAX_CONJUNCT)} is ${cut(value, MAX_VALUE)}`)
  const where = known.length === 0 ? '' : `, where ${known.join(', ')}`
  return `${cut(conjunct, MAX_CONJUNCT)} is false${where} (${place(at)})`
}

/** A text, cut if it is longer. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
