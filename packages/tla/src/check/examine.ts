/** Checks formulas on a state or a step, for exploration and simulation. */
import { TlaError } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import type { Formula, Machine, Refusal } from '../evaluate/machine.ts'
import { canonical } from '../values/canonical.ts'
import { HeapFull } from '../values/memory.ts'
import type { Behaviour } from './behaviour.ts'
import type { BoundName, Outcome } from './outcome.ts'

/** A formula that is false or failed to evaluate. */
export interface Complaint {
  readonly kind: 'invariant' | 'property' | 'constraint'
  readonly formula: Formula
  /** With its location and frames; undefined if the formula is false. */
  readonly error: TlaError | undefined
  /** Why it is false. */
  readonly refusal: Refusal | undefined
}

/** The first formula that does not hold in the machine's current state or step. */
export function firstComplaint(
  machine: Machine,
  kind: Complaint['kind'],
  formulas: readonly Formula[],
): Complaint | undefined {
  const { quietly } = machine.surroundings
  for (const formula of formulas) {
    try {
      if (formula.holds()) continue
      const refusal = kind === 'constraint' ? undefined : quietly(() => formula.explain())
      return { kind, formula, error: undefined, refusal }
    } catch (error) {
      const found = quietly(() => located(machine, error, () => formula.holds(), formula.at))
      return { kind, formula, error: found, refusal: undefined }
    }
  }
  return undefined
}

/** The first formula of those of new states that does not hold in the machine's current state. */
export function newStateComplaint(machine: Machine, isInitial: boolean): Complaint | undefined {
  const complaint = firstComplaint(machine, 'invariant', machine.invariants)
  return complaint ?? (isInitial ? firstComplaint(machine, 'property', machine.initialProperties) : undefined)
}

/** How a check ends with a complaint. */
export function outcomeOf({ kind, formula, error, refusal }: Complaint, behaviour: Behaviour): Outcome {
  if (error !== undefined) return { kind: 'error', error, behaviour }
  if (kind === 'constraint') throw new Error('a false constraint is not a complaint')
  return { kind, formula, refusal, behaviour }
}

/** Thrown to end a search for states. */
export class Stopped extends Error {}

/** Runs a search for states, until it ends or is stopped. @returns another error that ended it */
export function errorOf(search: () => void): unknown {
  try {
    search()
  } catch (error) {
    if (!(error instanceof Stopped)) return error
  }
  return undefined
}

/**
 * Adds location and frames to a TlaError; rethrows any other error.
 *
 * @param again repeats the evaluation that threw
 * @param at fallback for the location
 */
export function located(machine: Machine, error: unknown, again: () => void, at?: Span): TlaError {
  if (!(error instanceof TlaError)) throw error
  if (error instanceof HeapFull) return locatedHeapFull(machine, error, again)
  const found = machine.locate(error, again)
  found.at ??= at
  return found
}

/** Without a location if the states fill the heap, so that no expression is the cause. */
function locatedHeapFull(machine: Machine, error: HeapFull, again: () => void): TlaError {
  const { arena } = machine
  arena.reclaim()
  if (arena.memory.isTight()) return error
  const found = machine.locate(error, again)
  // Reporting needs memory, too.
  arena.reclaim()
  return found
}

/** A VIEW that fails in the current state; rethrows other errors. */
export function viewComplaint(machine: Machine, error: unknown): Complaint {
  const { view } = machine
  if (view === undefined) throw error
  const again = () => void canonical(view.evaluate())
  const found = machine.surroundings.quietly(() => located(machine, error, again, view.at))
  return { kind: 'constraint', formula: view, error: found, refusal: undefined }
}

/** Checks formulas outside of any state: assumptions before exploration, postconditions after. */
export function inNoState(
  machine: Machine,
  kind: 'assumption' | 'postcondition',
  formulas: readonly Formula[],
): Outcome | undefined {
  const { quietly, progress } = machine.surroundings
  progress.level = 0
  for (const formula of formulas) {
    try {
      if (!formula.holds()) return { kind, formula, refusal: quietly(() => formula.explain()) }
    } catch (error) {
      const found = quietly(() => located(machine, error, () => formula.holds(), formula.at))
      return { kind: 'error', error: found, behaviour: [] }
    }
  }
  return undefined
}

export function stopped(reason: BoundName | 'interrupted'): Outcome {
  return reason === 'interrupted' ? { kind: 'interrupted' } : { kind: 'bound', bound: reason }
}

/** Whether the specification ended the check by `TLCSet("exit", TRUE)`: postconditions apply. */
export function isEndedByItself(outcome: Outcome): boolean {
  return outcome.kind === 'bound' && outcome.bound === 'exit'
}
