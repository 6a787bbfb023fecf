/**
 * Takes the steps that a trace tells of: an action with the parameters that are known, those that are not known taken from
 * their domains; or any step of the next-state relation.
 *
 * An evaluation error on the way (a parameter that is no server, say) means that the action cannot be taken with it; it is
 * kept as the reason.
 */
import { TlaError } from '../error.ts'
import type { Machine, NamedAction } from '../evaluate/machine.ts'
import { DataError, formulaOf, fromData } from '../follow/from-data.ts'
import { cut } from '../follow/refusal-text.ts'
import { canonical } from '../values/canonical.ts'
import { printValue } from '../values/print.ts'
import { elementsOf } from '../values/sets.ts'
import type { Canonical, Tuple, Value } from '../values/value.ts'
import { type Taken, UNKNOWN } from './event.ts'
import { expressionOf, plainExpression } from './expression.ts'
import type { TraceMap } from './map-file.ts'
import { agrees, mismatches } from './match.ts'
import { type Difference, enter } from './observation.ts'
import type { Reached } from './validate.ts'
import { parametersTerm } from './ways.ts'

/** What led from one state to another. */
export interface Call {
  readonly action: string
  readonly parameters: readonly Value[]
}

/** Nothing is decided, as there is more than is gone through. */
export class BoundReached extends Error {
  override readonly name = 'BoundReached'
  /** Two of the states that are open, if these are too many. */
  readonly open: readonly [Reached, Reached] | undefined

  constructor(message: string, open?: readonly [Reached, Reached]) {
    super(message)
    this.open = open
  }
}

/** Parameters that an action may be taken with, and what of a trace they do not fit. */
export interface Unfit {
  readonly parameters: readonly Value[]
  readonly differences: readonly Difference[]
  /** The conditions that are false. */
  readonly unmet: readonly string[]
}

/** How the next-state relation reaches an action. */
interface Reach {
  /** The tuples of its parameters, for those that are known. */
  readonly tuples: (known: readonly Value[]) => Value
  /** What the relation takes each from, where it is a set that can be named. */
  readonly from: readonly (string | undefined)[]
}

/** A trace does not tell a parameter, and nobody knows what it may be. */
export class NotInTrace extends Error {
  override readonly name = 'NotInTrace'
}

/** Of a value that is told. */
const MAX_VALUE = 120

/** Parameters that are not known are tried in so many combinations from a state. */
const MAX_COMBINATIONS = 200_000

export class Stepper {
  readonly machine: Machine
  readonly #domains: TraceMap['domains']
  /** By action and which of its parameters are known: the tuples that the relation gives for them; undefined if it does not say. */
  readonly #reached = new Map<string, Reach | undefined>()
  /** What texts of the trace stand for. */
  readonly #values = new Map<string, Value>()

  constructor(machine: Machine, { domains }: Pick<TraceMap, 'domains'>) {
    this.machine = machine
    this.#domains = domains
  }

  /**
   * Visits all that one step of it leads to; equal ones as often as they come.
   *
   * @param failed told the evaluation errors on the way, with their places; to look for these takes long, so nobody does unless
   *   it is given
   */
  take(state: Tuple, taken: Taken, visit: (next: Tuple, by: Call) => void, failed?: (error: TlaError) => void): void {
    const { machine } = this
    const { action, where } = taken
    const { arena, primed } = machine
    enter(machine, state)
    if (action === undefined) {
      const found: { readonly led: Tuple; readonly by: Call }[] = []
      const run = () =>
        machine.next(() => {
          const by = { action: machine.part?.name ?? 'Next', parameters: machine.parameters().slice() }
          const led = arena.tuple(primed.slice() as Canonical[])
          if (where.length === 0) visit(led, by)
          else found.push({ led, by })
        })
      this.#attempt(state, run, failed)
      for (const { led, by } of found) if (this.unmet(state, where, [], led).length === 0) visit(led, by)
      return
    }
    let combinations: readonly (readonly Value[])[] = []
    const combine = () => {
      combinations = this.combinations(state, taken)
    }
    this.#attempt(state, combine, failed)
    const aboutStep = where.filter(({ isAboutStep }) => isAboutStep)
    for (const parameters of combinations) {
      enter(machine, state)
      const by = { action: action.name, parameters }
      const next: Tuple[] = []
      const run = () =>
        action.step(parameters, () => {
          const led = arena.tuple(primed.slice() as Canonical[])
          if (aboutStep.length === 0) visit(led, by)
          else next.push(led)
        })
      this.#attempt(state, run, failed)
      for (const led of next) if (this.unmet(state, aboutStep, parameters, led).length === 0) visit(led, by)
    }
  }

  /** The conditions that are false of parameters, and of a step if one is given. @throws TlaError, DataError */
  unmet(state: Tuple, where: Taken['where'], parameters: readonly Value[], next?: Tuple): Taken['where'] {
    const { machine } = this
    return where.filter((condition) => {
      enter(machine, state)
      if (next !== undefined) {
        for (let at = 0; at < next.elements.length; at++) machine.primed[at] = next.elements[at]!
      }
      const value = condition.evaluate(parameters)
      if (typeof value === 'boolean') return !value
      throw new DataError(`\`where\`: ${condition.text} is ${printValue(value)}, which is no condition`)
    })
  }

  /** The parameters as the trace tells them; undefined for those that it does not. */
  given(state: Tuple, { action, given }: Pick<Taken, 'action' | 'given'>): readonly (Value | undefined)[] {
    if (action === undefined) return []
    enter(this.machine, state)
    try {
      return this.#known(action, given, () => false)
    } catch (error) {
      if (!(error instanceof DataError)) throw error
      return this.#known(action, given, isAmbiguous)
    }
  }

  /** What a parameter may be in place of what the trace says it is, with all others as it says. */
  others(state: Tuple, action: NamedAction, known: readonly (Value | undefined)[], at: number): readonly Value[] {
    enter(this.machine, state)
    try {
      const open = known.map((value, place) => (place === at ? undefined : value))
      return [...new Set(this.#combinationsOf(action, open).map((values) => values[at]!))]
    } catch (error) {
      // Only a help for who reads: what it takes too long or an error to find out is left out.
      if (error instanceof BoundReached || error instanceof NotInTrace || error instanceof TlaError) return []
      throw error
    }
  }

  /** @param isOpen data that is as good as unknown */
  #known(
    action: NamedAction,
    given: Taken['given'],
    isOpen: (data: unknown) => boolean,
  ): readonly (Value | undefined)[] {
    return given.map((data, at) =>
      data === UNKNOWN || isOpen(data)
        ? undefined
        : this.#value(data, `parameter ${action.parameters[at]} of ${action.name}`),
    )
  }

  /** The parameters with which an action may be taken. @throws BoundReached; Error if a domain is not known */
  combinations(state: Tuple, taken: Taken): readonly (readonly Value[])[] {
    const { action, given, where } = taken
    if (action === undefined) return []
    const fitting = this.#fitting(state, action, given)
    const asked = where.filter(({ isAboutStep }) => !isAboutStep)
    return asked.length === 0 ? fitting : fitting.filter((one) => this.unmet(state, asked, one).length === 0)
  }

  #fitting(state: Tuple, action: NamedAction, given: Taken['given']): readonly (readonly Value[])[] {
    enter(this.machine, state)
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
    this.#attempt(state, combine, undefined)
    if (exact.length > 0) return exact
    const known = this.#known(action, given, isAmbiguous)
    if (this.#reachedWith(action, known) === undefined && !this.#isDeclared(action, known)) {
      // Nobody says what it may be a part of, so what is wrong with it as a value is wrong with it.
      return this.#combinationsOf(action, this.#known(action, given, isExact))
    }
    // An array may stand for a set, an object for a function: where the values of the domain decide, they do.
    return this.#combinationsOf(action, known).filter((values) =>
      values.every((value, at) => !isAmbiguous(given[at]) || agrees(this.machine, canonical(value), given[at])),
    )
  }

  /**
   * Where no parameters fit: those that the relation takes an action with, without what the trace says of them in part, and
   * what of that they are not. The nearest first.
   *
   * @throws as `combinations`
   */
  unfit(state: Tuple, { action, given, where }: Taken): readonly Unfit[] {
    if (action === undefined) return []
    enter(this.machine, state)
    const known = this.#known(action, given, isAmbiguous)
    const found = this.#combinationsOf(action, known).map((parameters): Unfit => {
      const differences = parameters.flatMap((value, at) => {
        if (!isAmbiguous(given[at])) return []
        return mismatches(this.machine, canonical(value), given[at]).map(({ path, ...both }) => ({
          what: `${action.parameters[at]}${path}`,
          variable: undefined,
          ...both,
        }))
      })
      // A condition may well be about those alone that are what was seen.
      const asked = differences.length === 0 ? where.filter(({ isAboutStep }) => !isAboutStep) : []
      const unmet = this.unmet(state, asked, parameters).map(({ text }) => text)
      return { parameters, differences, unmet }
    })
    const distance = ({ differences, unmet }: Unfit) => differences.length + unmet.length
    return found.sort((left, right) => distance(left) - distance(right))
  }

  #combinationsOf(action: NamedAction, known: readonly (Value | undefined)[]): readonly (readonly Value[])[] {
    if (!known.includes(undefined)) return this.#allows(action, known) ? [known as readonly Value[]] : []
    if (this.#isDeclared(action, known)) return this.#declared(action, known, this.#domains[action.name] ?? {})
    return this.#byRelation(action, known)
  }

  #isDeclared(action: NamedAction, known: readonly (Value | undefined)[]): boolean {
    const declared = this.#domains[action.name] ?? {}
    return known.every((value, at) => value !== undefined || Object.hasOwn(declared, action.parameters[at]!))
  }

  /** Runs something from a state. @param failed told an evaluation error, with its place */
  #attempt(state: Tuple, run: () => void, failed: ((error: TlaError) => void) | undefined): void {
    try {
      run()
    } catch (error) {
      if (!(error instanceof TlaError) || error.kind !== 'evaluation') throw error
      if (failed === undefined) return
      enter(this.machine, state)
      failed(this.machine.locate(error, run))
    }
  }

  #value(data: unknown, what: string): Value {
    // Objects come from the trace, one each, and may depend on the state: only texts come again.
    if (typeof data !== 'string') return fromData(this.machine, data, what)
    let value = this.#values.get(data)
    if (value === undefined) this.#values.set(data, (value = fromData(this.machine, data, what)))
    return value
  }

  #declared(
    action: NamedAction,
    known: readonly (Value | undefined)[],
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
    return elementsOf(this.machine.arena, formulaOf(this.machine, set, `the domain of ${parameter}`).evaluate())
  }

  /** Whether the next-state relation takes an action with these parameters; if it does not reach it, nobody asks. */
  #allows(action: NamedAction, parameters: readonly (Value | undefined)[]): boolean {
    return this.#reachedWith(action, parameters) === undefined || this.#byRelation(action, parameters).length > 0
  }

  /** What the next-state relation takes parameters from: `r \\in Servers`. */
  sources(action: NamedAction, known: readonly (Value | undefined)[]): readonly string[] {
    const from = this.#reachedWith(action, known)?.from ?? []
    return from.flatMap((set, at) => (set === undefined ? [] : [`${action.parameters[at]} \\in ${set}`]))
  }

  /** Which parameters are not of the set that the relation takes them from: `r \\in Servers is false, where r is 7, …`. */
  outside(state: Tuple, action: NamedAction, known: readonly (Value | undefined)[]): readonly string[] {
    const { machine } = this
    const names = action.parameters.filter((_, at) => known[at] !== undefined)
    const values = known.filter((value) => value !== undefined)
    const evaluated = (text: string): Value | undefined => {
      enter(machine, state)
      try {
        return expressionOf(machine, plainExpression(text), names).evaluate(values)
      } catch (error) {
        // The set may be over names that are bound on the way to the action.
        if (error instanceof TlaError) return undefined
        throw error
      }
    }
    const from = this.#reachedWith(action, known)?.from ?? []
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

  #reachedWith(action: NamedAction, known: readonly (Value | undefined)[]) {
    const { machine } = this
    const isKnown = known.map((value) => value !== undefined)
    const key = `${action.name} ${isKnown.join()}`
    if (!this.#reached.has(key)) {
      const found = machine.relation && parametersTerm(machine.relation, action.name, isKnown)
      const tuples = found && machine.termFunction(found.term, found.known)
      this.#reached.set(key, found && { tuples: tuples!, from: found.from })
    }
    return this.#reached.get(key)
  }

  #byRelation(action: NamedAction, known: readonly (Value | undefined)[]): readonly (readonly Value[])[] {
    const reach = this.#reachedWith(action, known)
    if (reach === undefined) {
      const unknown = action.parameters.find((_, at) => known[at] === undefined)
      throw new NotInTrace(
        `the parameter ${unknown} of ${action.name} is not in the trace, and the next-state relation does not say what it may be; ` +
          `say it in a map: "domains": {"${action.name}": {"${unknown}": "…"}}`,
      )
    }
    const tuples = canonical(reach.tuples(known.filter((value) => value !== undefined)))
    if (typeof tuples !== 'object' || tuples.kind !== 'set')
      throw new Error(`${printValue(tuples)} is no set of parameters`)
    assertFew(tuples.elements.length, action.name)
    return tuples.elements.map((tuple) => (tuple as Tuple).elements)
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
