/**
 * Native operators: TypeScript implementations of definitions in built-in modules that TLA+ cannot
 * express (printing, registers, overflow) or computes too slowly.
 *
 * Natives throw `TlaError` without a location: the location is that of the call.
 */
import type { Value } from '../values/value.ts'
import type { Surroundings } from './surroundings.ts'

/** Called with a `Value` for each parameter, or an `Operator` for an operator parameter. */
// biome-ignore lint/suspicious/noExplicitAny: each native has operands of its own
export type NativeFunction = (...operands: any[]) => Value

export interface Native {
  /** Whether it has no effects, and equal results for equal operands, so that it can be cached. */
  readonly isPure: boolean
  /**
   * Whether its result may change between calls, like a register. As in TLC, a constant definition
   * with volatile calls is evaluated each time; one that only prints or makes random choices, once.
   */
  readonly isVolatile: boolean
  /** Called once for each machine. */
  make(surroundings: Surroundings): NativeFunction
}

/** The natives of a module by the names of its definitions. */
export type NativeTable = Readonly<Record<string, Native>>

/** A pure native that needs only its operands. */
export function plain(apply: NativeFunction): Native {
  return { isPure: true, isVolatile: false, make: () => apply }
}

/** A pure native that needs the arena or the platform. */
export function pure(make: (surroundings: Surroundings) => NativeFunction): Native {
  return { isPure: true, isVolatile: false, make }
}

/** A native with effects, or whose result depends on more than its operands. */
export function impure(make: (surroundings: Surroundings) => NativeFunction): Native {
  return { isPure: false, isVolatile: false, make }
}

/** A native that reads registers or the progress of exploration. */
export function volatile(make: (surroundings: Surroundings) => NativeFunction): Native {
  return { isPure: false, isVolatile: true, make }
}
