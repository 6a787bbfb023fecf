/**
 * The parameters that an action may be taken with in a state: those in the trace, and for the
 * others the domains of the log map or of the next-state relation.
 *
 * JSON does not say which kind of value it stands for: where an array may be a set, the possible
 * values decide.
 */
import { TlaError } from '../error.ts'
import type { Machine, NamedAction } from '../evaluate/machine.ts'
import { DataError, formulaOf, fromData } from '../follow/from-data.ts'
import { asSet, canonical } from '../values/canonical.ts'
import type { Tuple, Value } from '../values/value.ts'
import { attempt, enter, unmetConditions } from './evaluation.ts'
import { type Taken, UNKNOWN } from './event.ts'
import { BoundReached } from './frontier.ts'
import type { LogMap } from './log-map.ts'
import { agrees, mismatches } from './match.ts'
import type { Difference } from './observation.ts'
import { type Known, NotInTrace, Reaches } from './reach.ts'

/** Parameters that an action may be taken with, and what of a trace they do not fit. */
export interface Unfit {
  readonly parameters: readonly Value[]
  readonly differences: readonly Difference[]
  /** The conditions that are false. */
  readonly unmet: readonly string[]
}

/** Combinations of unknown parameters tried from a state, at most. */
const MAX_COMBINATIONS = 200_000

export class Parameters {
  readonly #machine: Machine
  readonly #domains: LogMap['domains']
  /** How the next-state relation takes actions. */
  readonly reaches: Reaches
  /** What texts of the trace stand for. */
  readonly #values = new Map<string, Value>()

  constructor(machine: Machine, domains: LogMap['domains']) {
    this.#machine = machine
    this.#domains = domains
    this.reaches = new Reaches(machine)
  }

  /** The parameters in the trace; undefined for those that it lacks. */
  given(state: Tuple, { action, given }: Pick<Taken, 'action' | 'given'>): Known {
    if (action === undefined) return []
    enter(this.#machine, state)
    try {
      return this.#known(action, given, () => false)
    } catch (error) {
      if (!(error instanceof DataError)) throw error
      return this.#known(action, given, isAmbiguous)
    }
  }

  /** What a parameter may be in place of what the trace says it is, with all others as it says. */
  others(state: Tuple, action: NamedAction, known: Known, at: number): readonly Value[] {
    enter(this.#machine, state)
    try {
      const open = known.map((value, place) => (place === at ? undefined : value))
      return [...new Set(this.#combinationsOf(action, open).map((values) => values[at]!))]
    } catch (error) {
      // Only advice: left out if it takes too long or fails.
      if (error instanceof BoundReached || error instanceof NotInTrace || error instanceof TlaError) return []
      throw error
    }
  }

  /** @param isOpen data that is as good as unknown */
  #known(action: NamedAction, given: Taken['given'], isOpen: (data: unknown) => boolean): Known {
    return given.map((data, at) =>
      data === UNKNOWN || isOpen(data)
        ? undefined
        : this.#value(data, `parameter ${action.parameters[at]} of ${action.name}`),
    )
  }

  /**
   * The parameters with which an action may be taken. @throws BoundReached; Error if a domain is
   * not known
   */
  combinations(state: Tuple, taken: Taken): readonly (readonly Value[])[] {
    const { action, given, where } = taken
    if (action === undefined) return []
    const fitting = this.#fitting(state, action, given)
    const asked = where.filter(({ isAboutStep }) => !isAboutStep)
    return asked.length === 0
      ? fitting
      : fitting.filter((one) => unmetConditions(this.#machine, state, asked, one).length === 0)
  }

  #fitting(state: Tuple, action: NamedAction, given: Taken['given']): readonly (readonly Value[])[] {
    enter(this.#machine, state)
    const isExact = () => false
    if (!given.some(isAmbiguous)) return this.#combinationsOf(action, this.#known(action, given, isExact))
    let exact: readonly (readonly Value[])[] = []
    const combine = () => {
      try {
        exact = this.#combinationsOf(action, this.#known(action, given, isExact))
      } catch (error) {
        // It may be what a log saw of a value, and no value: with null in it, say.
        if (!(error instanceof DataError)) throw error
      }
    }
    attempt(this.#machine, state, combine)
    if (exact.length > 0) return exact
    const known = this.#known(action, given, isAmbiguous)
    if (!this.reaches.isSaid(action, known) && !this.#isDeclared(action, known)) {
      // Nobody says what it may be a part of, so what is wrong with it as a value is wrong with it.
      return this.#combinationsOf(action, this.#known(action, given, isExact))
    }
    // An array may stand for a set, an object for a function: where the values of the domain
    // decide, they do.
    return this.#combinationsOf(action, known).filter((values) =>
      values.every((value, at) => !isAmbiguous(given[at]) || agrees(this.#machine, canonical(value), given[at])),
    )
  }

  /**
   * Where no parameters fit: those that the relation takes an action with, without what the trace
   * says of them in part, and what of that they are not. The nearest first.
   *
   * @throws as `combinations`
   */
  unfit(state: Tuple, { action, given, where }: Taken): readonly Unfit[] {
    if (action === undefined) return []
    enter(this.#machine, state)
    const known = this.#known(action, given, isAmbiguous)
    const found = this.#combinationsOf(action, known).map((parameters): Unfit => {
      const differences = parameters.flatMap((value, at) => {
        if (!isAmbiguous(given[at])) return []
        return mismatches(this.#machine, canonical(value), given[at]).map(({ path, ...both }) => ({
          what: `${action.parameters[at]}${path}`,
          variable: undefined,
          ...both,
        }))
      })
      // A condition may well be about those alone that are what was seen.
      const asked = differences.length === 0 ? where.filter(({ isAboutStep }) => !isAboutStep) : []
      const unmet = unmetConditions(this.#machine, state, asked, parameters).map(({ text }) => text)
      return { parameters, differences, unmet }
    })
    const distance = ({ differences, unmet }: Unfit) => differences.length + unmet.length
    return found.sort((left, right) => distance(left) - distance(right))
  }

  #combinationsOf(action: NamedAction, known: Known): readonly (readonly Value[])[] {
    if (!known.includes(undefined)) return this.#allows(action, known) ? [known as readonly Value[]] : []
    if (this.#isDeclared(action, known)) return this.#declared(action, known, this.#domains[action.name] ?? {})
    const combinations = this.reaches.combinations(action, known)
    assertFew(combinations.length, action.name)
    return combinations
  }

  #isDeclared(action: NamedAction, known: Known): boolean {
    const declared = this.#domains[action.name] ?? {}
    return known.every((value, at) => value !== undefined || Object.hasOwn(declared, action.parameters[at]!))
  }

  #value(data: unknown, what: string): Value {
    // Objects come from the trace, one each, and may depend on the state: only texts come again.
    if (typeof data !== 'string') return fromData(this.#machine, data, what)
    let value = this.#values.get(data)
    if (value === undefined) this.#values.set(data, (value = fromData(this.#machine, data, what)))
    return value
  }

  #declared(
    action: NamedAction,
    known: Known,
    declared: Readonly<Record<string, string>>,
  ): readonly (readonly Value[])[] {
    let combinations: Value[][] = [[]]
    for (const [at, value] of known.entries()) {
      const parameter = action.parameters[at]!
      const values = value === undefined ? this.#elements(declared[parameter]!, parameter) : [value]
      combinations = combinations.flatMap((before) => values.map((one) => [...before, one]))
      assertFew(combinations.length, action.name)
    }
    return combinations
  }

  #elements(set: string, parameter: string): readonly Value[] {
    return asSet(formulaOf(this.#machine, set, `the domain of ${parameter}`).evaluate()).elements
  }

  /**
   * Whether the next-state relation takes an action with these parameters, as far as that is known.
   */
  #allows(action: NamedAction, parameters: Known): boolean {
    return !this.reaches.isSaid(action, parameters) || this.reaches.combinations(action, parameters).length > 0
  }
}

/** Whether data may be meant as another value than it stands for by itself. */
function isAmbiguous(data: unknown): boolean {
  return typeof data === 'object' && data !== null && !Object.keys(data).some((key) => key.startsWith('$'))
}

function assertFew(count: number, action: string): void {
  if (count <= MAX_COMBINATIONS) return
  throw new BoundReached(
    `the parameters of ${action} that are not in the trace may have more than ${MAX_COMBINATIONS} combinations of values`,
  )
}
