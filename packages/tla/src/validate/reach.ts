/**
 * The parameters with which the next-state relation takes an action in a state (ways.ts), given the
 * known ones.
 */
import { TlaError } from '../error/error.ts'
import type { Machine, NamedAction } from '../evaluate/machine.ts'
import { cut } from '../follow/refusal-text.ts'
import { canonical } from '../values/canonical.ts'
import { printValue } from '../values/print.ts'
import type { Tuple, Value } from '../values/value.ts'
import { enter } from './evaluation.ts'
import { expressionOf, plainExpression } from './expression.ts'
import { parametersTerm } from './ways.ts'

/** Values of the parameters of an action; undefined for unknown ones. */
export type Known = readonly (Value | undefined)[]

/** How the next-state relation reaches an action. */
interface Reach {
  /** The set of the tuples of its parameters, given the known ones. */
  readonly tuples: (known: readonly Value[]) => Value
  /** The set that the relation takes each parameter from, as source text; undefined if complex. */
  readonly from: readonly (string | undefined)[]
}

/** The trace lacks a parameter whose possible values are unknown. */
export class NotInTrace extends Error {
  override readonly name = 'NotInTrace'
}

/** Longer values are cut in messages. */
const MAX_VALUE = 120

export class Reaches {
  readonly #machine: Machine
  /** By action and which parameters are known; undefined if the relation does not say. */
  readonly #reached = new Map<string, Reach | undefined>()

  constructor(machine: Machine) {
    this.#machine = machine
  }

  /** Whether the possible values of the unknown parameters follow from the relation. */
  isSaid(action: NamedAction, known: Known): boolean {
    return this.#of(action, known) !== undefined
  }

  /**
   * All combinations in the current state that agree with the known parameters. @throws NotInTrace
   * if they do not follow from the relation
   */
  combinations(action: NamedAction, known: Known): readonly (readonly Value[])[] {
    const reach = this.#of(action, known)
    if (reach === undefined) {
      const unknown = action.parameters.find((_, at) => known[at] === undefined)
      throw new NotInTrace(
        `the parameter ${unknown} of ${action.name} is not in the trace, and its possible values do not follow from ` +
          `the next-state relation: give its set in the settings of a mapper: domains: { ${action.name}: { ${unknown}: "…" } }`,
      )
    }
    const tuples = canonical(reach.tuples(known.filter((value) => value !== undefined)))
    if (typeof tuples !== 'object' || tuples.kind !== 'set')
      throw new Error(`${printValue(tuples)} is not a set of parameters`)
    return tuples.elements.map((tuple) => (tuple as Tuple).elements)
  }

  /** The sets that the next-state relation takes parameters from: `r \\in Servers`. */
  sources(action: NamedAction, known: Known): readonly string[] {
    const from = this.#of(action, known)?.from ?? []
    return from.flatMap((set, at) => (set === undefined ? [] : [`${action.parameters[at]} \\in ${set}`]))
  }

  /**
   * The parameters that are not in the set that the relation takes them from: `r \\in Servers is
   * false, where r is 7, …`.
   */
  outside(state: Tuple, action: NamedAction, known: Known): readonly string[] {
    const machine = this.#machine
    const names = action.parameters.filter((_, at) => known[at] !== undefined)
    const values = known.filter((value) => value !== undefined)
    const evaluated = (text: string): Value | undefined => {
      enter(machine, state)
      try {
        return expressionOf(machine, plainExpression(text), names).evaluate(values)
      } catch (error) {
        // The set may refer to names that are bound around the action.
        if (error instanceof TlaError) return undefined
        throw error
      }
    }
    const from = this.#of(action, known)?.from ?? []
    return from.flatMap((set, at) => {
      const name = action.parameters[at]!
      if (set === undefined || known[at] === undefined || evaluated(`${name} \\in (${set})`) !== false) return []
      const elements = evaluated(set)
      const told = [
        `${name} is ${printValue(known[at])}`,
        ...(elements === undefined ? [] : [`${set} is ${printValue(elements)}`]),
      ]
      return [`${name} \\in ${set} is false, where ${told.map((value) => cut(value, MAX_VALUE)).join(', ')}`]
    })
  }

  #of(action: NamedAction, known: Known): Reach | undefined {
    const machine = this.#machine
    const isKnown = known.map((value) => value !== undefined)
    const key = `${action.name} ${isKnown.join()}`
    if (!this.#reached.has(key)) {
      const found = machine.relation && parametersTerm(machine.relation, action.name, isKnown)
      const tuples = found && machine.termFunction(found.term, found.known)
      this.#reached.set(key, found && { tuples: tuples!, from: found.from })
    }
    return this.#reached.get(key)
  }
}
