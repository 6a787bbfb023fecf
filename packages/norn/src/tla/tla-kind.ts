/**
 * TLA+ specifications as a kind of model: states are lists of values, an action is a definition whose parameters are bound
 * directly, so no other action is ever enumerated.
 *
 * Departs from the controlled model checker of ModelFuzz, which expands every action with every parameter before it begins,
 * stutters in silence where an action is disabled, and takes the first of several successors: here an action that is
 * disabled answers with the conjunct that was false and its values, and all successors are followed. Constraints bound
 * what a checker explores and bind no execution, so they are not asked.
 *
 * Invariant: equal states are one node. They are told apart by the tuple of their values, which is interned.
 */
import { callText, Disabled } from '../model/definition.ts'
import { CROWDED_OUT, type Identities } from '../model/identities.ts'
import { Interner } from '../model/interning.ts'
import type { Parameters } from '../model/model.ts'
import { type Kind, MAX_OPEN, type StateNode } from '../model/remembering.ts'
import { TlaError } from '../../../tla/src/error.ts'
import type { Formula, Machine, NamedAction } from '../../../tla/src/evaluate/machine.ts'
import { didYouMean } from '../../../tla/src/nearest.ts'
import { canonical } from '../../../tla/src/values/canonical.ts'
import { toPlain } from '../../../tla/src/values/plain.ts'
import type { Canonical, Tuple, Value } from '../../../tla/src/values/value.ts'
import { dependsOnState, fromData } from '../../../tla/src/follow/from-data.ts'
import { refusalText } from '../../../tla/src/follow/refusal-text.ts'
import type { SharedMachine } from '../../../tla/src/follow/shared-machine.ts'
import { stepActions } from '../../../tla/src/follow/step-actions.ts'
import { transfer } from '../../../tla/src/follow/transfer.ts'
import { ArenaNames, UNNAMED } from '../../../tla/src/follow/value-names.ts'

/** What V8 takes, roughly: of a state, of a value of the arena. */
const [NODE_BYTES, VALUE_BYTES] = [300, 150]

/** A state of a specification. */
export class TlaState implements StateNode {
  readonly id: number
  interned: number
  readonly broken: string | undefined
  values: Tuple
  readonly #variables: readonly string[]
  #plain: Readonly<Record<string, unknown>> | undefined

  constructor(id: number, values: Tuple, broken: string | undefined, variables: readonly string[]) {
    this.id = id
    this.interned = values.id
    this.values = values
    this.broken = broken
    this.#variables = variables
  }

  /** The values of the variables as plain data, by their names; made when somebody looks. */
  get value(): Readonly<Record<string, unknown>> {
    this.#plain ??= Object.freeze(
      Object.fromEntries(this.#variables.map((name, at) => [name, toPlain(this.values.elements[at]!)])),
    )
    return this.#plain
  }
}

export interface TlaKindOptions {
  readonly identities: Identities
  /** What coverage tells states apart by: an expression. The VIEW of the configuration, or the whole state, unless set. */
  readonly project?: string
}

export class TlaKind implements Kind<TlaState> {
  readonly #shared: SharedMachine
  readonly #identities: Identities
  readonly #project: string | undefined
  readonly #steps: readonly string[]
  #machine: Machine
  #projection: Formula | undefined
  #nodes = new Map<Tuple, TlaState>()
  #actions = new Map<string, NamedAction>()
  /** Parameters as they were given, and the values that they stand for. */
  #given = new Interner()
  #values = new Map<unknown, Value>()
  #names = new ArenaNames()

  /** @throws TlaError if the projection is none */
  constructor(shared: SharedMachine, { identities, project }: TlaKindOptions) {
    this.#shared = shared
    this.#identities = identities
    this.#project = project
    this.#machine = shared.machine
    this.#projection = this.#projectionOf(this.#machine)
    const steps = stepActions(this.#machine.relation)
    this.#steps = steps.length === 0 ? this.#machine.actionNames : steps
  }

  /** Those that the next-state relation is made of; others can be followed too. */
  get actions(): readonly string[] {
    return this.#steps
  }

  get bytes(): number {
    const arena = (this.#machine.arena.size - this.#shared.firstSize) * VALUE_BYTES
    return arena + this.#nodes.size * NODE_BYTES + this.#given.bytes
  }

  begin(): readonly TlaState[] {
    const machine = this.#machine
    const found = new Set<Tuple>()
    const run = () =>
      machine.initial(() => {
        found.add(machine.arena.tuple(machine.current.slice()))
        if (found.size > MAX_OPEN) {
          throw new NotFollowed(
            `the specification begins in more than ${MAX_OPEN} states: give it an INIT of its own in the configuration, ` +
              'which leaves less open',
          )
        }
      })
    this.#located(() => 'the initial states', run)
    if (found.size === 0) throw new NotFollowed('the specification has no initial state')
    return Array.from(found, (values) => this.#node(values))
  }

  perform(state: TlaState, action: string, parameters: Parameters): readonly TlaState[] | Disabled {
    const machine = this.#machine
    const named = this.#named(action, parameters)
    const { elements } = state.values
    for (let at = 0; at < elements.length; at++) machine.current[at] = elements[at]!
    const values = parameters.map((parameter, at) => this.#valueOf(parameter, named, at))
    const found = new Set<Tuple>()
    const visit = () => {
      found.add(machine.arena.tuple(machine.primed.slice() as Canonical[]))
      if (found.size > MAX_OPEN) throw tooMany(callText(action, parameters))
    }
    this.#located(
      () => callText(action, parameters),
      () => named.step(values, visit),
    )
    if (found.size > 0) return Array.from(found, (next) => this.#node(next))
    const refusal = named.explain(values)
    return new Disabled(refusal === undefined ? 'it leads to no state' : refusalText(refusal))
  }

  parameter(given: unknown, action: string): unknown {
    return this.#given.value(this.#given.intern(given, `a parameter of the action '${action}'`))
  }

  forget(but: readonly TlaState[]): void {
    const machine = this.#shared.renewed(this.#machine)
    this.#machine = machine
    this.#projection = this.#projectionOf(machine)
    this.#nodes = new Map()
    this.#actions = new Map()
    this.#given = new Interner()
    this.#values = new Map()
    this.#names = new ArenaNames()
    for (const state of but) {
      state.values = transfer(machine.arena, state.values) as Tuple
      state.interned = state.values.id
      this.#nodes.set(state.values, state)
    }
  }

  #projectionOf(machine: Machine): Formula | undefined {
    return this.#project === undefined ? machine.view : machine.formula(this.#project, '`project`')
  }

  #named(action: string, { length }: Parameters): NamedAction {
    let named = this.#actions.get(action)
    if (named === undefined) {
      named = this.#machine.action(action)
      if (named === undefined) throw new Error(unknownAction(this.#machine, action))
      this.#actions.set(action, named)
    }
    if (named.parameters.length !== length) throw new TypeError(wrongCount(named, length))
    return named
  }

  #valueOf(parameter: unknown, { name, parameters }: NamedAction, at: number): Value {
    if (typeof parameter === 'boolean') return parameter
    // What has no fraction and 32 bits; from-data.ts refuses the others. `| 0` takes the sign from -0.
    if (typeof parameter === 'number' && (parameter | 0) === parameter) return parameter | 0
    const known = this.#values.get(parameter)
    if (known !== undefined) return known
    const value = fromData(this.#machine, parameter, `parameter ${parameters[at]} of ${name}`)
    if (!dependsOnState(parameter)) this.#values.set(parameter, value)
    return value
  }

  #node(values: Tuple): TlaState {
    const known = this.#nodes.get(values)
    if (known !== undefined) return known
    const machine = this.#machine
    const { elements } = values
    for (let at = 0; at < elements.length; at++) machine.current[at] = elements[at]!
    const node = new TlaState(this.#identityOf(values), values, this.#broken(), machine.variables)
    this.#nodes.set(values, node)
    return node
  }

  #identityOf(values: Tuple): number {
    const projection = this.#projection
    if (projection === undefined) return this.#identified(values)
    let projected: Value = values
    this.#located(
      () => '`project`',
      () => {
        projected = projection.evaluate()
      },
    )
    return this.#identified(this.#machine.arena.tuple([canonical(projected)]))
  }

  /** By the number of the value: plain data would take an empty set for an empty sequence. */
  #identified(value: Tuple): number {
    const name = this.#names.of(value)
    return name === UNNAMED ? CROWDED_OUT : this.#identities.of(['TLA+', name], 'a state', value.hash >>> 0)
  }

  /** The invariant that does not hold in the current state. */
  #broken(): string | undefined {
    for (const invariant of this.#machine.invariants) {
      let holds = true
      this.#located(
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

  /** Runs something; an error of evaluation is told with its place. */
  #located(what: () => string, run: () => void): void {
    try {
      run()
    } catch (error) {
      if (!(error instanceof TlaError)) throw error
      const located = this.#machine.locate(error, run)
      throw new Error(`${what()}: ${located.describe()}`, { cause: located })
    }
  }
}

/** That there is no action of a name, with those that it may have meant. */
export function unknownAction({ actionNames }: Machine, action: string): string {
  const near = didYouMean(action, actionNames)
  return `the specification has no action '${action}'${near === '' ? `; it has ${actionNames.join(', ')}` : near}`
}

/** That an action was given too few or too many parameters. */
export function wrongCount({ name, parameters }: NamedAction, given: number): string {
  const takes = parameters.length === 0 ? 'no parameters' : `${parameters.length} (${parameters.join(', ')})`
  return `the action ${name} takes ${takes} and got ${given}`
}

/** Nothing is decided: the specification has no state to begin with, or leaves more open than are followed. */
export class NotFollowed extends RangeError {
  override readonly name = 'NotFollowed'
}

function tooMany(call: string): NotFollowed {
  return new NotFollowed(
    `the specification leaves more than ${MAX_OPEN} states open after ${call}: give the action what decides between ` +
      'them as a parameter',
  )
}
