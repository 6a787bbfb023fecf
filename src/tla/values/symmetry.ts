/**
 * Permutations of model values, for SYMMETRY: what they make of a value, and the group that some of them generate.
 *
 * Follows TLC (and Ip and Dill 1996): of all states that permutations make of one, the least stands for them.
 */
import type { Arena } from './arena.ts'
import { asSet } from './canonical.ts'
import { compare } from './order.ts'
import { named, refusal } from './refuse.ts'
import type { Canonical, Interned, ModelValue, StringValue, Value } from './value.ts'

/** Where each model value goes that does not stay. */
export type Permutation = ReadonlyMap<ModelValue, ModelValue>

/** More than the permutations of eight model values. */
const LARGEST_GROUP = 50_000

/**
 * The group that a set of functions over model values generates, without the identity, in the order they are found.
 *
 * @throws TlaError if these are no permutations, or too many
 */
export function permutationGroup(functions: Value): readonly Permutation[] {
  const generators = new Map<string, Permutation>()
  for (const element of asSet(functions).elements) {
    const permutation = permutationOf(element)
    if (permutation.size > 0) generators.set(keyOf(permutation), permutation)
  }
  const group = new Map(generators)
  const found = [...group.values()]
  for (let at = 0; at < found.length; at++) {
    for (const generator of generators.values()) {
      const composed = compose(generator, found[at]!)
      const key = keyOf(composed)
      if (composed.size === 0 || group.has(key)) continue
      if (found.length === LARGEST_GROUP) {
        throw refusal(`the symmetry set generates more than ${LARGEST_GROUP} permutations`)
      }
      group.set(key, composed)
      found.push(composed)
    }
  }
  return found
}

function permutationOf(value: Canonical): Permutation {
  const refused = () => refusal(`a symmetry set holds permutations of model values, not ${named(value)}`)
  if (value === true || value === false || typeof value === 'number') throw refused()
  if (value.kind === 'tuple' && value.elements.length === 0) return new Map()
  if (value.kind !== 'function') throw refused()
  const moved = new Map<ModelValue, ModelValue>()
  const keys = new Set(value.domain.elements)
  const images = new Set<Canonical>()
  for (const [at, key] of value.domain.elements.entries()) {
    const image = value.elements[at]!
    if (!isModelValue(key) || !isModelValue(image) || !keys.has(image) || images.has(image)) throw refused()
    images.add(image)
    if (key !== image) moved.set(key, image)
  }
  return moved
}

function isModelValue(value: Canonical): value is ModelValue {
  return typeof value === 'object' && value.kind === 'model value'
}

/** `second` and then `first`. */
function compose(first: Permutation, second: Permutation): Permutation {
  const composed = new Map<ModelValue, ModelValue>()
  for (const key of new Set([...first.keys(), ...second.keys()])) {
    const once = second.get(key) ?? key
    const image = first.get(once) ?? once
    if (image !== key) composed.set(key, image)
  }
  return composed
}

function keyOf(permutation: Permutation): string {
  return [...permutation]
    .map(([key, image]) => `${key.id}>${image.id}`)
    .sort()
    .join()
}

/** What a permutation makes of values: a function that keeps what it has seen, for as long as the arena lives. */
export function permuter(arena: Arena, permutation: Permutation): (value: Canonical) => Canonical {
  /** The code of what each interned value becomes, by its id; 0 where nobody asked, as no code of what is made here is. */
  let seen = new Int32Array(1024)

  function permuted(value: Canonical): Canonical {
    if (typeof value !== 'object' || value.kind === 'string') return value
    if (value.kind === 'model value') return permutation.get(value) ?? value
    const known = seen[value.id]
    if (known !== undefined && known !== 0) return arena.decode(known)
    const result = made(value)
    if (value.id >= seen.length) {
      const grown = new Int32Array(2 ** Math.ceil(Math.log2(value.id + 2)))
      grown.set(seen)
      seen = grown
    }
    seen[value.id] = arena.code(result)
    return result
  }

  function made(value: Exclude<Interned, ModelValue | StringValue>): Interned {
    const elements = value.elements.map(permuted)
    switch (value.kind) {
      case 'set':
        return arena.set(elements)
      case 'tuple':
        return arena.tuple(elements)
      case 'record':
        return arena.record(value.shape, elements)
      case 'function':
        return withKeys(value.domain.elements.map(permuted), elements)
    }
  }

  function withKeys(keys: readonly Canonical[], elements: readonly Canonical[]): Interned {
    const order = keys.map((_, at) => at).sort((a, b) => compare(keys[a]!, keys[b]!))
    return arena.function(
      arena.sortedSet(order.map((at) => keys[at]!)),
      order.map((at) => elements[at]!),
    )
  }

  return permuted
}
