/**
 * Sorts: classes of values that are comparable with each other, so that a false `=` or `\in` need
 * not look inside the values to decide whether TLC would report an error.
 *
 * Invariant: `compare` never throws for two values of one sort, nor for a value and an element of a
 * set whose sort lists the value's; `UNKNOWN` guarantees nothing. Sorts are computed lazily and
 * cached.
 */
import type { Cell } from './cell.ts'
import type { Canonical, Interned, SetValue, Shape } from './value.ts'

type Kind = 'unknown' | 'atom' | 'model value' | 'set' | 'tuple' | 'record' | 'function'

class Sort {
  /** In order of creation. */
  readonly number: number
  readonly kind: Kind
  /** For sets, the sorts of the elements, without clashes. Empty for the empty set. */
  readonly elements: readonly Sort[]
  /** For records, the number of their shape; for tuples, their length or -1 for any; else 0. */
  readonly form: number

  constructor(kind: Kind, elements: readonly Sort[] = [], form = 0) {
    this.number = found++
    this.kind = kind
    this.elements = elements
    this.form = form
  }
}

/** A node of the trie that leads from the sorts of the parts to the sort of the whole. */
class Place {
  sort: Sort | undefined = undefined
  readonly next = new Map<number, Place>()
}

let found = 0
let places = 0
/** Bound on the nodes; beyond, new sorts are unknown. */
const MOST_PLACES = 20_000
/** Values with elements of more sorts have none. */
const MOST_TOGETHER = 6
/** Tuples and records with more parts of clashing sorts have none. */
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

/** Whether a value is certainly comparable with all elements of a set. */
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

/** The distinct sorts of values, by number; undefined if some clash. */
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

/** Whether `compare` may throw for values of two different sorts. */
function mayClash(one: Sort, other: Sort): boolean {
  if (one.kind === 'model value' || other.kind === 'model value') return false
  if (one.kind === 'atom' || other.kind === 'atom') return true
  if (one.kind === 'set' || other.kind === 'set') {
    return one.kind !== other.kind || (one.elements.length > 0 && other.elements.length > 0)
  }
  // Functions are ordered by length first, and then by domain.
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

/** Equal for shapes of equal fields, in all arenas. */
function shapeNumber(shape: Shape): number {
  if (shape.sort < 0) {
    const key = shape.names.join('\0')
    const known = shapes.get(key)
    shape.sort = known ?? shapes.size
    if (known === undefined && shapes.size < MOST_PLACES) shapes.set(key, shape.sort)
  }
  return shape.sort
}
