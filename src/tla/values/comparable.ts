/**
 * Sorts: which values compare with each other whatever they are, so that a failed `=` or `\in` need not look inside them
 * to learn whether TLC would refuse.
 *
 * Invariant: two values of one sort (above 0) never make `compare` throw. 0 says nothing: values of mixed elements, and
 * typed model values. The sort of a value is found when somebody asks for it, and kept with it.
 */
import type { Cell } from './cell.ts'
import type { Canonical, Interned, Shape } from './value.ts'

const [UNKNOWN, INTEGER, BOOLEAN, STRING, MODEL_VALUE, FIRST_COMPOSITE] = [0, 1, 2, 3, 4, 5]

/** Sorts of composite values, by what they are made of: a path of numbers leads to each. */
class Place {
  sort = UNKNOWN
  readonly next = new Map<number, Place>()
}
const root = new Place()
const shapes = new Map<string, number>()
/** Past so many places, all further sorts are unknown. */
const MOST_PLACES = 20_000
let places = 0
/** What a path begins with; then comes one sort for all parts, or `EACH` and the sort of each. */
const [SET, TUPLE, FUNCTION, FIRST_SHAPE] = [0, 1, 2, 3]
const [EMPTY, EACH] = [-1, -2]
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
      return reached(root, SET, common(value.elements))
    case 'tuple':
      return ofParts(TUPLE, value.elements)
    case 'record':
      return ofParts(shapeNumber(value.shape), value.elements)
    case 'function': {
      const domain = sortOf(value.domain)
      const place = domain === UNKNOWN ? undefined : step(root, FUNCTION)
      return place === undefined ? UNKNOWN : reached(place, domain, common(value.elements))
    }
  }
}

/** One sort for all; `EMPTY` if there are none, `UNKNOWN` if they differ. */
function common(elements: readonly Canonical[]): number {
  if (elements.length === 0) return EMPTY
  const sort = sortOf(elements[0]!)
  for (let at = 1; at < elements.length; at++) if (sortOf(elements[at]!) !== sort) return UNKNOWN
  return sort
}

function ofParts(kind: number, elements: readonly Canonical[]): number {
  const one = common(elements)
  if (one !== UNKNOWN || elements.length > MOST_PARTS) return reached(root, kind, one)
  let place = step(root, kind)
  if (place !== undefined) place = step(place, EACH)
  for (let at = 0; at < elements.length; at++) {
    const sort = sortOf(elements[at]!)
    if (sort === UNKNOWN || place === undefined) return UNKNOWN
    place = step(place, sort)
  }
  return place === undefined ? UNKNOWN : sortAt(place)
}

function reached(from: Place, kind: number, of: number): number {
  if (of === UNKNOWN) return UNKNOWN
  const place = step(from, kind)
  const last = place === undefined ? undefined : step(place, of)
  return last === undefined ? UNKNOWN : sortAt(last)
}

function step(from: Place, by: number): Place | undefined {
  let next = from.next.get(by)
  if (next === undefined && places < MOST_PLACES) {
    next = new Place()
    from.next.set(by, next)
    places++
  }
  return next
}

function sortAt(place: Place): number {
  if (place.sort === UNKNOWN) place.sort = FIRST_COMPOSITE + places++
  return place.sort
}

/** The same for shapes of equal fields of any arena. */
function shapeNumber(shape: Shape): number {
  if (shape.sort < 0) {
    const key = shape.names.join('\0')
    const known = shapes.get(key)
    shape.sort = known ?? FIRST_SHAPE + shapes.size
    if (known === undefined && shapes.size < MOST_PLACES) shapes.set(key, shape.sort)
  }
  return shape.sort
}
