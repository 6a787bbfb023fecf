/**
 * What a native operator is: TypeScript that stands for a definition of one of norn's own modules,
 * because TLA+ cannot say it (printing, registers, overflow) or says it too slowly.
 *
 * An operator gets values, for a parameter that is an operator a function, and throws `TlaError`
 * without a place: the place is where it was called.
 */
import type { Value } from '../values/value.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * Called with as many operands as its definition has parameters: a `Value` each, an `Operator` for
 * a parameter that is an operator. TypeScript has no type for that, since natives differ in what
 * they take.
 */
// biome-ignore lint/suspicious/noExplicitAny: each native has operands of its own
export type NativeFunction = (...operands: any[]) => Value

export interface Native {
  /**
   * Gives equal results for equal operands and does nothing else, so that it may be called once
   * instead of often.
   */
  readonly isPure: boolean
  /**
   * Gives another result whenever it is asked: a register, say. A constant definition that does
   * such a thing is evaluated each time; one that only prints, or draws at random, is evaluated
   * once, as TLC does.
   */
  readonly isVolatile: boolean
  /** Called once for each machine. */
  make(surroundings: Surroundings): NativeFunction
}

/** The natives of a module by the names of its definitions. */
export type NativeTable = Readonly<Record<string, Native>>

/** A native that needs nothing but its operands. */
export function plain(apply: NativeFunction): Native {
  return { isPure: true, isVolatile: false, make: () => apply }
}

/** A native that makes values. */
export function pure(make: (surroundings: Surroundings) => NativeFunction): Native {
  return { isPure: true, isVolatile: false, make }
}

/** A native that does something, or whose result depends on more than its operands. */
export function impure(make: (surroundings: Surroundings) => NativeFunction): Native {
  return { isPure: false, isVolatile: false, make }
}

/** A native that depends on how far exploration has come, or on what was kept before. */
export function volatile(make: (surroundings: Surroundings) => NativeFunction): Native {
  return { isPure: false, isVolatile: true, make }
}
