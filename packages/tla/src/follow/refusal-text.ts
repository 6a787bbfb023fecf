/** One-line text of why an action is disabled. */
import { place } from '../error/error.ts'
import type { Refusal } from '../evaluate/machine.ts'

const MAX_CONJUNCT = 200
const MAX_VALUE = 120

/** `tmState = "init" is false, where tmState is "done" (TwoPhase.tla:55:6)`. */
export function refusalText({ conjunct, at, values }: Refusal): string {
  // Omits model values: their text is their value.
  const telling = values.filter(([text, value]) => text !== value)
  const known = telling.map(([text, value]) => `${cut(text, MAX_CONJUNCT)} is ${cut(value, MAX_VALUE)}`)
  const where = known.length === 0 ? '' : `, where ${known.join(', ')}`
  return `${cut(conjunct, MAX_CONJUNCT)} is false${where} (${place(at)})`
}

/** Cuts a text that is longer. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
