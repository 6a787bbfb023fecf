/** Values as JSON data, for reports and traces. */
import { isCanonical } from './canonical.ts'
import { MOST_NESTED, printCut, printValue, writtenOut } from './print.ts'
import type { Canonical, Value } from './value.ts'

const MOST_PARTS = 2 ** 23

/**
 * Tuples and sets become arrays (sets in their order), records objects, model values strings, and
 * other functions objects with printed keys. Large symbolic sets (`Nat`, `SUBSET (1..30)`) become
 * their descriptions. Beyond a nesting depth and a number of parts, values become their printed
 * text: values share parts, so the data could be far larger than the value.
 */
export function toPlain(value: Value, parts = MOST_PARTS): unknown {
  return plain(value, 0, { left: parts })
}

function plain(value: Value, depth: number, parts: { left: number }): unknown {
  if (typeof value !== 'object') return value
  if (!isCanonical(value)) {
    const listed = writtenOut(value)
    return isCanonical(listed) ? plain(listed, depth, parts) : value.describe()
  }
  if (depth > MOST_NESTED || parts.left <= 0) return printCut(value)
  const inner = (part: Canonical): unknown => {
    parts.left--
    return plain(part, depth + 1, parts)
  }
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
