/**
 * The states that variables are read from.
 *
 * A term is compiled for one context: unprimed variables belong to the current state, primed ones
 * to the successor. An operator or a substitution under a prime is compiled for the successor, so
 * primes need no environment. ENABLED and `\cdot` have states of their own.
 */
import type { Canonical } from '../values/value.ts'
import { type Reads, UNSETTLED } from './code.ts'

/** Undefined where not assigned yet. */
export type PartialState = (Canonical | undefined)[]

export interface Context {
  /** The values of unprimed variables. */
  readonly state: PartialState
  /** What reading a variable of `state` counts as. */
  readonly reads: Reads
  /** Whether `state` is a successor, which messages name with a prime. */
  readonly isPrimed: boolean
  /** The context of primed terms; undefined where primes are not allowed. */
  readonly successor: Context | undefined
  /** In an intermediate state (composition.ts), the values read for unassigned variables. */
  readonly carried?: PartialState | undefined
}

/** A context that reads one state, being assigned, as `Init` does. */
export function initialContext(state: PartialState): Context {
  return { state, reads: UNSETTLED, isPrimed: false, successor: undefined }
}

/** A context of pairs of states, where the second is being assigned. */
export function actionContext(state: PartialState, reads: Reads, primed: PartialState): Context {
  const successor = { state: primed, reads: UNSETTLED, isPrimed: true, successor: undefined }
  return { state, reads, isPrimed: false, successor }
}
