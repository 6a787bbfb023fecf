/** Checks formulas on a state or a step, for exploration and simulation. */
import { TlaError } from '../error.ts'
import type { Formula, Machine, Refusal } from '../evaluate/machine.ts'
import type { Span } from '../syntax/span.ts'
import { canonical } from '../values/canonical.ts'
import { HeapFull } from '../values/memory.ts'
import type { BoundName, Outcome } from './outcome.ts'

/** A formula that is false, or that cannot be evaluated. */
export interface Complaint {
  readonly kind: 'invariant' | 'property' | 'constraint'
  readonly formula: Formula
  /** With its place and frames; undefined if the formula is false. */
  readonly error: TlaError | undefined
  /** Why it is false. */
  readonly refusal: Refusal | undefined
}

/**
 * The first of the formulas that does not hold in the state, or step, that the machine is in;
 * undefined if all do.
 */
export function firstComplaint(
  machine: Machine,
  kind: Complaint['kind'],
  formulas: readonly Formula[],
): Complaint | undefined {
  for (const formula of formulas) {
    try {
      if (formula.holds()) continue
      return { kind, formula, error: undefined, refusal: kind === 'constraint' ? undefined : formula.explain() }
    } catch (error) {
      return { kind, formula, error: located(machine, error, () => formula.holds(), formula.at), refusal: undefined }
    }
  }
  return undefined
}

/**
 * The error of a specification with its place and frames; any other is thrown on.
 *
 * @param again does what threw
 * @param at where, if nothing more is known
 */
export function located(machine: Machine, error: unknown, again: () => void, at?: Span): TlaError {
  if (!(error instanceof TlaError)) throw error
  if (error instanceof HeapFull) return locatedHeapFull(machine, error, again)
  const found = machine.locate(error, again)
  found.at ??= at
  return found
}

/** Without a place if it is the states that fill the heap, and so no expression is to blame. */
function locatedHeapFull(machine: Machine, error: HeapFull, again: () => void): TlaError {
  const { arena } = machine
  arena.reclaim()
  if (arena.memory.isTight()) return error
  const found = machine.locate(error, again)
  // To tell of it takes room, too.
  arena.reclaim()
  return found
}

/**
 * That the VIEW has no value in the state that the machine is in. What else went wrong is thrown
 * on.
 */
export function viewComplaint(machine: Machine, error: unknown): Complaint {
  const { view } = machine
  if (view === undefined) throw error
  const again = () => void canonical(view.evaluate())
  return { kind: 'constraint', formula: view, error: located(machine, error, again, view.at), refusal: undefined }
}

/** Checks what is about no state: assumptions before exploration, postconditions after it. */
export function inNoState(
  machine: Machine,
  kind: 'assumption' | 'postcondition',
  formulas: readonly Formula[],
): Outcome | undefined {
  const { quietly } = machine.surroundings
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

/**
 * Whether the specification ended it, by `TLCSet("exit", TRUE)`: it is done then, and its
 * postcondition is about that.
 */
export function isEndedByItself(outcome: Outcome): boolean {
  return outcome.kind === 'bound' && outcome.bound === 'exit'
}
