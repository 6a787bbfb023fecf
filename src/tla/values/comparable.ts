/**
 * Sorts: which values compare with each other whatever they are, so that a failed `=` or `\in` need not look inside them
 * to learn whether TLC would refuse.
 *
 * Invariant: two values of one sort (above 0) never make `compare` throw. 0 says nothing: values of mixed elements, and
 * typed model values. The sort of a value is found when somebody asks for it, and kept with it.
 */
import type { Cell } from './cell.ts'
import type { Canonical, Interned } from './value.ts'

const [UNKNOWN, INTEGER, BOOLEAN, STRING, MODEL_VALUE] = [0, 1, 2, 3, 4]

/** Sorts of composite values by what they are made of. Bounded: past it, all further ones are unknown. */
const known = new Map<string, number>()
const MOST_KNOWN = 20_000
/** Tuples and records of more parts have no sort if the parts differ in theirs. */
const MOST_PARTS = 16

export function sortOf(value: Canonical): number {
  if (typeof value === 'number') return INTEGER
  if (typeof value === 'boolean') return BOOLEAN
  const cell = value as unknown as Cell
  if (cell.sort < 0) cell.sort = foundSort(value)
  return cell.sort
}

function foundSort(value: Interned): number {
  switch (value.kind) {
    case 'string':
      return STRING
    case 'model value':
      return value.type === '' ? MODEL_VALUE : UNKNOWN
    case 'set':
      return named('set', common(value.elements))
    case 'tuple':
      return named('tuple', parts(value.elements))
    case 'record':
      return named(`record ${value.shape.names.join('\0')}`, parts(value.elements))
    case 'function':
      return named(`function ${sortOf(value.domain)}`, sortOf(value.domain) === UNKNOWN ? '' : common(value.elements))
  }
}

/** The sort of all elements; '' if it is not one. */
function common(elements: readonly Canonical[]): string {
  if (elements.length === 0) return 'none'
  const sort = sortOf(elements[0]!)
  for (let at = 1; at < elements.length; at++) if (sortOf(elements[at]!) !== sort) return ''
  return sort === UNKNOWN ? '' : `${sort}`
}

function parts(elements: readonly Canonical[]): string {
  const one = common(elements)
  if (one !== '' || elements.length > MOST_PARTS) return one
  const sorts = elements.map(sortOf)
  return sorts.includes(UNKNOWN) ? '' : sorts.join()
}

function named(kind: string, of: string): number {
  if (of === '') return UNKNOWN
  const key = `${kind}: ${of}`
  let sort = known.get(key)
  if (sort === undefined) {
    if (known.size === MOST_KNOWN) return UNKNOWN
    sort = MODEL_VALUE + 1 + known.size
    known.set(key, sort)
  }
  return sort
}
