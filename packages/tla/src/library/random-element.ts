/**
 * Uniformly random elements and subsets of a set; as in TLC, symbolic sets are not enumerated for
 * it.
 */
import type { Random } from '#shared/random'
import type { Arena } from '../values/arena.ts'
import { asSet } from '../values/canonical.ts'
import { Interval } from '../values/enumerated-sets.ts'
import { refusal } from '../values/refuse.ts'
import { LARGEST_SET, sizeOf } from '../values/symbolic-set.ts'
import { FunctionSet, Powerset, Product, RecordSet } from '../values/symbolic-sets.ts'
import type { Canonical, SetValue, Value } from '../values/value.ts'

/** @throws TlaError if the set is empty or infinite */
export function randomElement(arena: Arena, random: Random, set: Value): Canonical {
  if (set instanceof Interval) return random.integer(set.low, set.high)
  if (set instanceof Powerset) return randomPart(arena, random, asSet(set.base), 0.5)
  if (set instanceof FunctionSet) {
    const domain = asSet(set.domain)
    return arena.function(
      domain,
      domain.elements.map(() => randomElement(arena, random, set.range)),
    )
  }
  if (set instanceof RecordSet) {
    const elements = set.sets.map((part) => randomElement(arena, random, part))
    return arena.record(set.shape, elements)
  }
  if (set instanceof Product) return arena.tuple(set.sets.map((part) => randomElement(arena, random, part)))
  const { elements } = asSet(set)
  if (elements.length === 0) throw refusal('attempted to choose a random element of the empty set')
  return elements[random.integer(0, elements.length - 1)]!
}

/** A random subset that contains each element independently with a probability. */
export function randomPart(arena: Arena, random: Random, set: SetValue, probability: number): SetValue {
  return arena.sortedSet(set.elements.filter(() => random.coin(probability)))
}

/**
 * A random subset of `count` elements, or the whole set if it has fewer. @param count not negative
 */
export function randomSubset(arena: Arena, random: Random, set: Value, count: number): SetValue {
  const size = sizeOf(set)
  if (size > LARGEST_SET && count * 2 <= size && count <= LARGEST_SET) return drawn(arena, random, set, count)
  const { elements } = asSet(set)
  const rest = elements.slice()
  const chosen: Canonical[] = []
  // A partial Fisher-Yates shuffle.
  for (let at = 0; at < rest.length && chosen.length < count; at++) {
    const from = random.integer(at, rest.length - 1)
    chosen.push(rest[from]!)
    rest[from] = rest[at]!
  }
  return arena.set(chosen)
}

/** Rejection sampling: on average, at most every second draw is a duplicate. */
function drawn(arena: Arena, random: Random, set: Value, count: number): SetValue {
  const chosen = new Set<Canonical>()
  while (chosen.size < count) chosen.add(randomElement(arena, random, set))
  return arena.set([...chosen])
}
