/** Values as JSON data, for reports and traces. */
import { canonical, isCanonical } from './canonical.ts'
import { printValue } from './print.ts'
import type { Value } from './value.ts'

/**
 * Tuples and sets become arrays (sets in their order), records objects, model values strings, and other functions objects
 * whose keys are the printed ones. What cannot be listed (`Nat`) is its name.
 */
export function toPlain(value: Value): unknown {
  if (typeof value !== 'object') return value
  if (!isCanonical(value)) {
    const isInfinite = value.kind === 'symbolic set' && value.size() === Number.POSITIVE_INFINITY
    return isInfinite ? value.describe() : toPlain(canonical(value))
  }
  switch (value.kind) {
    case 'string':
    case 'model value':
      return value.text
    case 'set':
    case 'tuple':
      return value.elements.map(toPlain)
    case 'record':
      return Object.fromEntries(value.shape.names.map((name, at) => [name, toPlain(value.elements[at]!)]))
    case 'function':
      return Object.fromEntries(
        value.domain.elements.map((key, at) => [
          typeof key === 'object' && key.kind === 'string' ? key.text : printValue(key),
          toPlain(value.elements[at]!),
        ]),
      )
  }
}
