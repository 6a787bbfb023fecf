/**
 * The single class of interned values, so that property reads stay monomorphic.
 *
 * Invariant: all element arrays have the same elements kind in V8 (PACKED_ELEMENTS).
 */
import type { Canonical, Interned, SetValue, Shape } from './value.ts'

export class Cell {
  readonly kind: Interned['kind']
  readonly id: number
  readonly hash: number
  readonly elements: readonly Canonical[]
  /** For functions and records. */
  readonly domain: SetValue | undefined
  /**
   * The text of a string or model value; the shape of a record; for a set, the shape of records
   * with this domain: null if there is none, undefined if not computed yet.
   */
  extra: string | Shape | null | undefined
  /** For strings and model values, see ranking.ts; -1 without rank. */
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

  /** For model values, as in TLC: the letter before `_`, if a name follows. */
  get type(): string {
    const text = this.extra as string
    return text.length > 2 && text[1] === '_' ? text[0]! : ''
  }
}

/** Estimate for 64-bit Node: the object and its array, without the elements. */
export const CELL_BYTES = 136

/** Templates are cached for shorter arrays. */
const MODELS = 256
/** Template arrays by length: their slices have exact capacity. */
const models: Canonical[][] = []

/** A packed array of a length, whose elements the caller must all overwrite. */
export function room(length: number): Canonical[] {
  const model = models[length]
  if (model !== undefined) return model.slice()
  const made: (Canonical | null)[] = [null]
  if (length === 0) made.length = 0
  for (let at = 1; at < length; at++) made.push(null)
  // The nulls are never read.
  const packed = made.slice() as Canonical[]
  if (length < MODELS) models[length] = packed
  return length < MODELS ? packed.slice() : packed
}
