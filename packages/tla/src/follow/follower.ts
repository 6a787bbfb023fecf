/**
 * Follows actions by name from state to state: the parameters are bound directly, so no other
 * action is evaluated.
 *
 * Returns all successors, or for a disabled action the false conjunct with its values. Constraints
 * bound exploration, not executions, so they are ignored.
 *
 * Invariant: equal states are one tuple, since values are interned.
 */
import { TlaError } from '../error/error.ts'
import { didYouMean } from '../error/nearest.ts'
import type { Formula, Machine, NamedAction } from '../evaluate/machine.ts'
import type { Canonical, Tuple, Value } from '../values/value.ts'
import { dependsOnState, fromData } from './from-data.ts'
import { refusalText } from './refusal-text.ts'

/** Bound on the states followed at once. */
export const MAX_OPEN_STATES = 1_000

/** Of a formula that depends on more than variables. */
const EVERYTHING: readonly number[] = []

/** Why an action is disabled in a state. */
export class Refused {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** No verdict: the specification has no initial state, or more states are open than the bound. */
export class NotFollowed extends RangeError {
  override readonly name = 'NotFollowed'
}

export class Follower {
  readonly machine: Machine
  readonly #actions = new Map<string, NamedAction>()
  /** The variables that formulas read. */
  readonly #reads = new Map<Formula, readonly number[]>()
  /** Values of parameters, by their data. */
  readonly #values = new Map<unknown, Value>()

  constructor(machine: Machine) {
    this.machine = machine
  }

  /** The initial states. @throws NotFollowed; Error with the location in the specification */
  begin(): readonly Tuple[] {
    const { machine } = this
    const found = new Set<Tuple>()
    const run = () =>
      machine.initial(() => {
        found.add(machine.arena.tuple(machine.current.slice()))
        if (found.size > MAX_OPEN_STATES) {
          throw new NotFollowed(
            `the specification has more than ${MAX_OPEN_STATES} initial states: name an INIT in the configuration ` +
              'that leaves less open',
          )
        }
      })
    this.located(() => 'the initial states', run)
    if (found.size === 0) throw new NotFollowed('the specification has no initial state')
    return [...found]
  }

  /**
   * The successors of a state by an action.
   *
   * @param parameters plain data, see from-data.ts
   * @throws Error for an unknown action or a wrong parameter; NotFollowed
   */
  perform(from: Tuple, action: string, parameters: readonly unknown[]): readonly Tuple[] | Refused {
    const { machine } = this
    const named = this.#named(action, parameters)
    this.enter(from)
    const values = parameters.map((parameter, at) => this.#valueOf(parameter, named, at))
    let first: Tuple | undefined
    // Most actions lead to one state.
    let found: Set<Tuple> | undefined
    const visit = () => {
      const led = machine.arena.tuple(machine.primed.slice() as Canonical[])
      if (first === undefined) first = led
      else if (led !== first) (found ??= new Set([first])).add(led)
      if (found !== undefined && found.size > MAX_OPEN_STATES) throw tooMany(callText(action, parameters))
    }
    this.located(
      () => callText(action, parameters),
      () => named.step(values, visit),
    )
    if (found !== undefined) return [...found]
    if (first !== undefined) return [first]
    const refusal = named.explain(values)
    return new Refused(refusal === undefined ? 'it leads to no state' : refusalText(refusal))
  }

  /**
   * The invariant that a state violates, and why; undefined if all hold.
   *
   * @param from a state in which they hold: those that read nothing else in `state` are not evaluated
   */
  brokenInvariant(state: Tuple, from?: Tuple): string | undefined {
    this.enter(state)
    for (const invariant of this.machine.invariants) {
      if (from !== undefined && this.isSameFor(invariant, state, from)) continue
      let holds = true
      this.located(
        () => `the invariant ${invariant.name}`,
        () => {
          holds = invariant.holds()
        },
      )
      if (holds) continue
      const refusal = invariant.explain()
      return refusal === undefined ? `${invariant.name} is false` : `${invariant.name}: ${refusalText(refusal)}`
    }
    return undefined
  }

  /** Whether a formula is known to have the same value in two states. */
  isSameFor(formula: Formula, one: Tuple, other: Tuple): boolean {
    let reads = this.#reads.get(formula)
    if (reads === undefined) this.#reads.set(formula, (reads = formula.reads() ?? EVERYTHING))
    if (reads === EVERYTHING) return one === other
    for (let at = 0; at < reads.length; at++) {
      if (one.elements[reads[at]!] !== other.elements[reads[at]!]) return false
    }
    return true
  }

  /** Makes a state the machine's current one. */
  enter({ elements }: Tuple): void {
    const { current } = this.machine
    for (let at = 0; at < elements.length; at++) current[at] = elements[at]!
  }

  /** Runs `run`, and adds the location to an evaluation error. */
  located(what: () => string, run: () => void): void {
    try {
      run()
    } catch (error) {
      if (!(error instanceof TlaError)) throw error
      const located = this.machine.locate(error, run)
      throw new Error(`${what()}: ${located.describe()}`, { cause: located })
    }
  }

  #named(action: string, { length }: readonly unknown[]): NamedAction {
    let named = this.#actions.get(action)
    if (named === undefined) {
      named = this.machine.action(action)
      if (named === undefined) throw new Error(unknownAction(this.machine, action))
      this.#actions.set(action, named)
    }
    if (named.parameters.length !== length) throw new TypeError(wrongCount(named, length))
    return named
  }

  #valueOf(parameter: unknown, { name, parameters }: NamedAction, at: number): Value {
    if (typeof parameter === 'boolean') return parameter
    // Integers of 32 bits; from-data.ts refuses other numbers. `| 0` removes the sign of -0.
    if (typeof parameter === 'number' && (parameter | 0) === parameter) return parameter | 0
    const known = this.#values.get(parameter)
    if (known !== undefined) return known
    const value = fromData(this.machine, parameter, `parameter ${parameters[at]} of ${name}`)
    if (!dependsOnState(parameter)) this.#values.set(parameter, value)
    return value
  }
}

const MAX_PARAMETER_TEXT = 200

/** An action with its parameters: `Vote(1, "yes")`. */
function callText(action: string, parameters: readonly unknown[]): string {
  const texts = parameters.map((parameter) => {
    const text = JSON.stringify(parameter) ?? String(parameter)
    return text.length > MAX_PARAMETER_TEXT ? `${text.slice(0, MAX_PARAMETER_TEXT)}…` : text
  })
  return `${action}(${texts.join(', ')})`
}

/** A message that suggests the nearest names. */
export function unknownAction({ actionNames }: Machine, action: string): string {
  const near = didYouMean(action, actionNames)
  return `the specification has no action '${action}'${near === '' ? `; it has ${actionNames.join(', ')}` : near}`
}

export function wrongCount({ name, parameters }: NamedAction, given: number): string {
  const takes = parameters.length === 0 ? 'no parameters' : `${parameters.length} (${parameters.join(', ')})`
  return `the action ${name} takes ${takes}, but ${given} given`
}

function tooMany(call: string): NotFollowed {
  return new NotFollowed(
    `the specification leaves more than ${MAX_OPEN_STATES} states open after ${call}: give the action a parameter ` +
      'that decides between them',
  )
}
