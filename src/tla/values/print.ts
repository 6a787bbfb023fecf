/** Values as TLC prints them. */
import type { Value } from './value.ts'

export function printValue(value: Value): string {
  return String(value)
}
