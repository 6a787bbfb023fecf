/**
 * The one class of all interned values, so that property reads stay monomorphic.
 *
 * Invariant: all element arrays have one elements kind in V8 (packed, of any value), however they
 * were made.
 */
import type { Canonical, Interned, SetValue, Shape } from './value.ts'

export class Cell {
  readonly kind: Interned['kind']
  readonly id: number
  readonly hash: number
  readonly elements: readonly Canonical[]
  /** Of functions and records. */
  readonly domain: SetValue | undefined
  /**
   * The text of strings and model values, the shape of records. Of sets the shape of the records
   * that have them as domain: null if there is none, undefined if not computed yet.
   */
  extra: string | Shape | null | undefined
  /** Of strings and model values: see ranking.ts; -1 if it has none. */
  rank: number
  /** See comparable.ts; undefined if not computed yet. */
  sort: object | undefined

  constructor(
    kind: Interned['kind'],
    id: number,
    hash: number,
    elements: readonly Canonical[],
    domain: SetValue | undefined,
    extra: string | Shape | undefined,
  ) {
    this.kind = kind
    this.id = id
    this.hash = hash
    this.elements = elements
    this.domain = domain
    this.extra = extra
    this.rank = -1
    this.sort = undefined
  }

  get text(): string {
    return this.extra as string
  }

  get shape(): Shape {
    return this.extra as Shape
  }

  /** Of model values: as TLC, the letter before `_`, if a name follows it. */
  get type(): string {
    const text = this.extra as string
    return text.length > 2 && text[1] === '_' ? text[0]! : ''
  }
}

/** Estimated, of 64-bit Node: the object and the array of its elements without these. */
export const CELL_BYTES = 136

/** Up to this length a model of an array is kept. */
const MODELS = 256
/** Arrays whose elements are anything, by length: slices of them have room for exactly so many. */
const models: Canonical[][] = []

/** A packed array of a length, all of it to be overwritten. */
export function room(length: number): Canonical[] {
  const model = models[length]
  if (model !== undefined) return model.slice()
  const made: (Canonical | null)[] = [null]
  if (length === 0) made.length = 0
  for (let at = 1; at < length; at++) made.push(null)
  // Never read before it is overwritten.
  const packed = made.slice() as Canonical[]
  if (length < MODELS) models[length] = packed
  return length < MODELS ? packed.slice() : packed
}
