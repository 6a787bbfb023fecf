/** Values as JSON data, for reports and traces. */
import { isCanonical } from './canonical.ts'
import { MOST_NESTED, printCut, printValue, writtenOut } from './print.ts'
import type { Canonical, Value } from './value.ts'

/**
 * Tuples and sets become arrays (sets in their order), records objects, model values strings, and other functions objects
 * whose keys are the printed ones. What is not listed (`Nat`, `SUBSET (1..30)`) is described, and what is nested deeper than anybody
 * reads its text.
 */
export function toPlain(value: Value): unknown {
  return plain(value, 0)
}

function plain(value: Value, depth: number): unknown {
  if (typeof value !== 'object') return value
  if (!isCanonical(value)) {
    const listed = writtenOut(value)
    return isCanonical(listed) ? plain(listed, depth) : value.describe()
  }
  if (depth > MOST_NESTED) return printCut(value)
  const inner = (part: Canonical): unknown => plain(part, depth + 1)
  switch (value.kind) {
    case 'string':
    case 'model value':
      return value.text
    case 'set':
    case 'tuple':
      return value.elements.map(inner)
    case 'record':
      return Object.fromEntries(value.shape.names.map((name, at) => [name, inner(value.elements[at]!)]))
    case 'function':
      return Object.fromEntries(
        value.domain.elements.map((key, at) => [
          typeof key === 'object' && key.kind === 'string' ? key.text : printValue(key),
          inner(value.elements[at]!),
        ]),
      )
  }
}
