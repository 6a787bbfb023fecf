/** Natives of FiniteSets. */
import { cardinality, isFinite as isFiniteSet } from '../../values/sets.ts'
import type { Value } from '../../values/value.ts'
import { type NativeTable, plain, pure } from '../native.ts'

export const FINITE_SETS: NativeTable = {
  IsFiniteSet: plain((set: Value) => isFiniteSet(set)),
  Cardinality: pure(
    ({ arena }) =>
      (set: Value) =>
        cardinality(arena, set),
  ),
}
