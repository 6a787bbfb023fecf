/** Natives of Randomization. */
import { asSet } from '../../values/canonical.ts'
import { isInfinite } from '../../values/symbolic-set.ts'
import type { Canonical, Value } from '../../values/value.ts'
import { impure, type NativeTable } from '../native.ts'
import { natural, wrongOperand } from '../operands.ts'
import { randomPart, randomSubset } from '../random-element.ts'
import type { Surroundings } from '../surroundings.ts'

/** Random subsets that contain each element with a probability; equal draws count once. */
function subsets(
  { arena, random }: Surroundings,
  draws: Value,
  probability: number,
  set: Value,
  operator: string,
): Value {
  const base = asSet(set)
  const count = natural(draws, 'first', operator)
  if (count > 2 ** base.elements.length) {
    throw wrongOperand('first', operator, `at most 2^${base.elements.length}, as there are not more subsets`, draws)
  }
  const drawn: Canonical[] = []
  for (let draw = 0; draw < count; draw++) drawn.push(randomPart(arena, random, base, probability))
  return arena.set(drawn)
}

export const RANDOMIZATION: NativeTable = {
  RandomSubset: impure((surroundings) => (count: Value, set: Value) => {
    const wanted = natural(count, 'first', 'RandomSubset')
    if (isInfinite(set)) throw wrongOperand('second', 'RandomSubset', 'a finite set', set)
    return randomSubset(surroundings.arena, surroundings.random, set, wanted)
  }),
  RandomSetOfSubsets: impure((surroundings) => (draws: Value, average: Value, set: Value) => {
    const size = asSet(set).elements.length
    const wanted = natural(average, 'second', 'RandomSetOfSubsets')
    if (wanted > size)
      throw wrongOperand('second', 'RandomSetOfSubsets', `at most ${size}, the size of the set`, average)
    return subsets(surroundings, draws, size === 0 ? 0 : wanted / size, set, 'RandomSetOfSubsets')
  }),
}
