/**
 * The parameters that an action may be taken with in a state: those given by the trace, and for the
 * others the domains of the log map or of the next-state relation.
 *
 * JSON does not say which kind of value it stands for: whether an array is a set is decided by the
 * possible values.
 */
import { TlaError } from '../error/error.ts'
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

/** Parameters that an action may be taken with, and how they differ from the trace. */
export interface Unfit {
  readonly parameters: readonly Value[]
  readonly differences: readonly Difference[]
  /** The conditions that they fail. */
  readonly unmet: readonly string[]
}

/** Bound on the combinations of unknown parameters tried from a state. */
const MAX_COMBINATIONS = 200_000

export class Parameters {
  readonly #machine: Machine
  readonly #domains: LogMap['domains']
  /** How the next-state relation takes actions. */
  readonly reaches: Reaches
  /** Values of the strings in the trace. */
  readonly #values = new Map<string, Value>()

  constructor(machine: Machine, domains: LogMap['domains']) {
    this.#machine = machine
    this.#domains = domains
    this.reaches = new Reaches(machine)
  }

  /** The parameters given by the trace; undefined for the others. */
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

  /** The values that a parameter may have, with all others as given by the trace. */
  others(state: Tuple, action: NamedAction, known: Known, at: number): readonly Value[] {
    enter(this.#machine, state)
    try {
      const open = known.map((value, place) => (place === at ? undefined : value))
      return [...new Set(this.#combinationsOf(action, open).map((values) => values[at]!))]
    } catch (error) {
      // Only advice: omitted if it takes too long or fails.
      if (error instanceof BoundReached || error instanceof NotInTrace || error instanceof TlaError) return []
      throw error
    }
  }

  /** @param isOpen which data to treat as unknown */
  #known(action: NamedAction, given: Taken['given'], isOpen: (data: unknown) => boolean): Known {
    return given.map((data, at) =>
      data === UNKNOWN || isOpen(data)
        ? undefined
        : this.#value(data, `parameter ${action.parameters[at]} of ${action.name}`),
    )
  }

  /**
   * The parameters with which an action may be taken. @throws BoundReached; NotInTrace if a domain
   * is not known
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
        // The data may describe a value in part, and be none itself: with null in it, say.
        if (!(error instanceof DataError)) throw error
      }
    }
    attempt(this.#machine, state, combine)
    if (exact.length > 0) return exact
    const known = this.#known(action, given, isAmbiguous)
    if (!this.reaches.isSaid(action, known) && !this.#isDeclared(action, known)) {
      // No domain to match it against: it must be a value itself, and this reports why it is not.
      return this.#combinationsOf(action, this.#known(action, given, isExact))
    }
    // An array may stand for a set, an object for a function: the values of the domain decide.
    return this.#combinationsOf(action, known).filter((values) =>
      values.every((value, at) => !isAmbiguous(given[at]) || agrees(this.#machine, canonical(value), given[at])),
    )
  }

  /**
   * Where no parameters match: those that the relation allows if the ambiguous data of the trace is
   * ignored, with their differences from that data. The nearest first.
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
      // Conditions count only for parameters that match the data.
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
    // Only strings recur and can be cached: objects are distinct, and may depend on the state.
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

  /** Whether the next-state relation takes the action with these parameters; true if unknown. */
  #allows(action: NamedAction, parameters: Known): boolean {
    return !this.reaches.isSaid(action, parameters) || this.reaches.combinations(action, parameters).length > 0
  }
}

/** Whether data may stand for another value than its literal reading. */
function isAmbiguous(data: unknown): boolean {
  return typeof data === 'object' && data !== null && !Object.keys(data).some((key) => key.startsWith('$'))
}

function assertFew(count: number, action: string): void {
  if (count <= MAX_COMBINATIONS) return
  throw new BoundReached(
    `the parameters of ${action} that are not in the trace have more than ${MAX_COMBINATIONS} combinations of values: ` +
      `log them, or narrow \`domains\` in the settings of a mapper`,
  )
}
