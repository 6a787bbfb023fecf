/**
 * The input of a failure in its plain form: without `[Object: null prototype]` where the same execution
 * fails with ordinary objects.
 */
import type { ExecutionResult } from '../contract/execution.ts'
import type { SavedInput } from '../contract/plan.ts'
import { loadInput, saveInput } from '../property/input/saved-input.ts'

const MARK = '[Object: null prototype] '

export function hasBareObjects({ inputText = '' }: Pick<ExecutionResult, 'inputText'>): boolean {
  return inputText.includes(MARK)
}

/** The text without the marks. */
export function withoutMarks(inputText: string): string {
  return inputText.replaceAll(MARK, '')
}

/** The input with ordinary objects; undefined if it cannot be stored. */
export function withOrdinaryObjects(input: SavedInput): SavedInput | undefined {
  const { values, draws, ...mark } = loadInput(input)
  const seen = new Set<unknown>()
  for (const value of [values, ...draws.map((draw) => draw.value)]) makeOrdinary(value, seen)
  return saveInput({ values, draws, ...mark })
}

function makeOrdinary(value: unknown, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  if (Object.getPrototypeOf(value) === null) Object.setPrototypeOf(value, Object.prototype)
  if (value instanceof Map || value instanceof Set) for (const entry of value.entries()) makeOrdinary(entry, seen)
  for (const part of Object.values(value)) makeOrdinary(part, seen)
}
