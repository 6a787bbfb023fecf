/**
 * Sorts: classes of values that always compare with each other, so that a failed `=` or `\in` need
 * not look inside the values to learn whether TLC would refuse.
 *
 * Invariant: two values of one sort never make `compare` throw, nor does a value beside an element
 * of a set whose sort lists that of the value; `UNKNOWN` promises nothing. The sort of a value is
 * computed on demand and kept.
 */
import type { Cell } from './cell.ts'
import type { Canonical, Interned, SetValue, Shape } from './value.ts'

type Kind = 'unknown' | 'atom' | 'model value' | 'set' | 'tuple' | 'record' | 'function'

class Sort {
  /** In the order in which they were found. */
  readonly number: number
  readonly kind: Kind
  /** Of sets: those of the elements, no two of which clash. Empty for the empty set. */
  readonly elements: readonly Sort[]
  /** Of records, by their shape; of tuples, their length, -1 if it may be any; 0 otherwise. */
  readonly form: number

  constructor(kind: Kind, elements: readonly Sort[] = [], form = 0) {
    this.number = found++
    this.kind = kind
    this.elements = elements
    this.form = form
  }
}

/** On the way to a sort, from part to part. */
class Place {
  sort: Sort | undefined = undefined
  readonly next = new Map<number, Place>()
}

let found = 0
let places = 0
/** Past so many places, further sorts are unknown. */
const MOST_PLACES = 20_000
/** Sets of elements of more sorts have none. */
const MOST_TOGETHER = 6
/** Tuples and records of more parts have none if the parts differ in theirs. */
const MOST_PARTS = 16

export const UNKNOWN = new Sort('unknown')
const INTEGER = new Sort('atom')
const BOOLEAN = new Sort('atom')
const STRING = new Sort('atom')
const MODEL_VALUE = new Sort('model value')

const sets = new Place()
const tuples = new Place()
const partedTuples = new Place()
const functions = new Place()
const records = new Place()
const shapes = new Map<string, number>()

export function sortOf(value: Canonical): Sort {
  if (typeof value === 'number') return INTEGER
  if (typeof value === 'boolean') return BOOLEAN
  const cell = value as unknown as Cell & { sort: Sort | undefined }
  if (cell.sort === undefined) cell.sort = foundSort(value)
  return cell.sort
}

/** Whether a value compares with all elements of a set for sure. */
export function comparesWithin(value: Canonical, set: SetValue): boolean {
  return sortOf(set).elements.includes(sortOf(value))
}

function foundSort(value: Interned): Sort {
  switch (value.kind) {
    case 'string':
      return STRING
    case 'model value':
      return value.type === '' ? MODEL_VALUE : UNKNOWN
    case 'set': {
      const elements = together(value.elements)
      if (elements === undefined) return UNKNOWN
      return sortAt(path(sets, elements), () => new Sort('set', elements))
    }
    case 'tuple': {
      const { length } = value.elements
      const elements = together(value.elements)
      if (elements !== undefined) {
        return sortAt(path(tuples, elements), () => new Sort('tuple', [], length === 0 ? 0 : -1))
      }
      return sortAt(parts(partedTuples, value.elements), () => new Sort('tuple', [], length))
    }
    case 'record': {
      const form = shapeNumber(value.shape)
      return sortAt(parts(step(records, form), value.elements), () => new Sort('record', [], form))
    }
    case 'function': {
      const domain = sortOf(value.domain)
      const elements = together(value.elements)
      if (domain === UNKNOWN || elements === undefined) return UNKNOWN
      return sortAt(path(step(functions, domain.number), elements), () => new Sort('function'))
    }
  }
}

/** The sorts of some values, in the order of their numbers; undefined if some clash. */
function together(values: readonly Canonical[]): readonly Sort[] | undefined {
  const sorts: Sort[] = []
  let last: Sort | undefined
  for (let at = 0; at < values.length; at++) {
    const sort = sortOf(values[at]!)
    if (sort === last || sorts.includes(sort)) continue
    last = sort
    if (sort === UNKNOWN || sorts.length === MOST_TOGETHER) return undefined
    for (let before = 0; before < sorts.length; before++) if (mayClash(sort, sorts[before]!)) return undefined
    sorts.push(sort)
  }
  return sorts.length < 2 ? sorts : sorts.sort((a, b) => a.number - b.number)
}

/** Whether values of two different sorts may be refused; follows `compare`. */
function mayClash(one: Sort, other: Sort): boolean {
  if (one.kind === 'model value' || other.kind === 'model value') return false
  if (one.kind === 'atom' || other.kind === 'atom') return true
  if (one.kind === 'set' || other.kind === 'set') {
    return one.kind !== other.kind || (one.elements.length > 0 && other.elements.length > 0)
  }
  // Of functions, the shorter ones come first, and then those of the lesser domain.
  if (isEmpty(one) || isEmpty(other)) return false
  if (one.kind !== other.kind || one.kind === 'function') return true
  return one.form === other.form || one.form < 0 || other.form < 0
}

function isEmpty({ kind, form }: Sort): boolean {
  return kind === 'tuple' && form === 0
}

function parts(from: Place | undefined, values: readonly Canonical[]): Place | undefined {
  if (values.length > MOST_PARTS) return undefined
  let place = from
  for (let at = 0; at < values.length && place !== undefined; at++) {
    const sort = sortOf(values[at]!)
    place = sort === UNKNOWN ? undefined : step(place, sort.number)
  }
  return place
}

function path(from: Place | undefined, sorts: readonly Sort[]): Place | undefined {
  let place = from
  for (let at = 0; at < sorts.length; at++) place = step(place, sorts[at]!.number)
  return place
}

function step(from: Place | undefined, by: number): Place | undefined {
  let next = from?.next.get(by)
  if (next === undefined && from !== undefined && places < MOST_PLACES) {
    next = new Place()
    from.next.set(by, next)
    places++
  }
  return next
}

function sortAt(place: Place | undefined, make: () => Sort): Sort {
  if (place === undefined) return UNKNOWN
  place.sort ??= make()
  return place.sort
}

/** The same for shapes of equal fields of any arena. */
function shapeNumber(shape: Shape): number {
  if (shape.sort < 0) {
    const key = shape.names.join('\0')
    const known = shapes.get(key)
    shape.sort = known ?? shapes.size
    if (known === undefined && shapes.size < MOST_PLACES) shapes.set(key, shape.sort)
  }
  return shape.sort
}
