/**
 * Permutations of model values, for SYMMETRY: their action on values, and the group they generate.
 *
 * Follows TLC (and Ip and Dill 1996): the least of all permuted states represents them.
 */
import type { Arena } from './arena.ts'
import { asSet } from './canonical.ts'
import { compare } from './order.ts'
import { named, refusal } from './refuse.ts'
import type { Canonical, Interned, ModelValue, SetValue, Value } from './value.ts'

/** Where each model value goes that does not stay. */
type Permutation = ReadonlyMap<ModelValue, ModelValue>

/** More than the permutations of eight model values. */
const LARGEST_GROUP = 50_000

/**
 * The group that a set of functions over model values generates, without the identity, in the order
 * they are found.
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
  const refused = () => refusal(`a symmetry set contains permutations of model values, not ${named(value)}`)
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

/**
 * What a permutation makes of the values of an arena. Keeps what it has made, until the arena gives
 * values back.
 */
export class Permuter {
  readonly #arena: Arena
  readonly #permutation: Permutation
  /**
   * One more than the code of what each interned value becomes, by its id; 0 where nobody asked.
   */
  #known = new Int32Array(1024)
  /** Of the arena, when `#known` was begun: the ids in it are of values that there were then. */
  #generation: number
  readonly #domains = new Map<SetValue, Rearranged>()

  constructor(arena: Arena, permutation: Permutation) {
    this.#arena = arena
    this.#permutation = permutation
    this.#generation = arena.generation
  }

  of(value: Canonical): Canonical {
    if (typeof value !== 'object') return value
    this.#forgetStale()
    const known = this.#known[value.id]
    if (known !== undefined && known !== 0) return this.#arena.decode(known - 1)
    const result = this.#made(value)
    if (value.id >= this.#known.length) {
      const grown = new Int32Array(2 ** Math.ceil(Math.log2(value.id + 2)))
      grown.set(this.#known)
      this.#known = grown
    }
    this.#known[value.id] = this.#arena.code(result) + 1
    return result
  }

  /** The code of what it makes of the value with this code. */
  ofCode(code: number): number {
    // Numbers and booleans hold no model values.
    if ((code & 1) === 1 || code < 0) return code
    this.#forgetStale()
    const known = this.#known[code >> 1]
    if (known !== undefined && known !== 0) return known - 1
    return this.#arena.code(this.of(this.#arena.decode(code)))
  }

  #forgetStale(): void {
    const { generation } = this.#arena
    if (this.#generation === generation) return
    this.#generation = generation
    this.#known.fill(0)
  }

  #made(value: Interned): Interned {
    switch (value.kind) {
      case 'string':
        return value
      case 'model value':
        return this.#permutation.get(value) ?? value
      case 'set':
        return this.#arena.set(this.#each(value.elements))
      case 'tuple':
        return this.#arena.tuple(this.#each(value.elements))
      case 'record':
        return this.#arena.record(value.shape, this.#each(value.elements))
      case 'function': {
        const { domain, from } = this.#rearranged(value.domain)
        return this.#arena.function(
          domain,
          from.map((at) => this.of(value.elements[at]!)),
        )
      }
    }
  }

  #each(elements: readonly Canonical[]): Canonical[] {
    return elements.map((element) => this.of(element))
  }

  #rearranged(domain: SetValue): Rearranged {
    const known = this.#domains.get(domain)
    if (known !== undefined) return known
    const keys = this.#each(domain.elements)
    const from = keys.map((_, at) => at).sort((a, b) => compare(keys[a]!, keys[b]!))
    const rearranged = { domain: this.#arena.sortedSet(from.map((at) => keys[at]!)), from }
    if (this.#domains.size < MOST_DOMAINS) this.#domains.set(domain, rearranged)
    return rearranged
  }
}

/** Domains of functions are few, but where functions stand for bags. */
const MOST_DOMAINS = 1000

/**
 * The domain of a permuted function, and for each of its keys the place of its element in the
 * function that was.
 */
interface Rearranged {
  readonly domain: SetValue
  readonly from: readonly number[]
}
