/**
 * TLA+ specifications as a kind of model: a state is the tuple of the values of the variables, an
 * action a definition whose parameters are bound directly.
 *
 * Departs from the controlled model checker of ModelFuzz, which expands every action with every
 * parameter before it begins, stutters in silence where an action is disabled, and takes the first
 * of several successors: here a disabled action answers with its reason, and all successors are
 * followed.
 *
 * Invariant: equal states are one node, found by their tuple, which is interned.
 */
import {
  type Arena,
  type Canonical,
  canonical,
  Follower,
  type Formula,
  Refused,
  type SetValue,
  stepActions,
  type Tuple,
  toPlain,
  type Value,
} from 'norn-tla/engine'
import { Disabled } from '../model/definition.ts'
import { CROWDED_OUT, type Identities } from '../model/identities.ts'
import { Interner } from '../model/interning.ts'
import type { Kind, StateNode } from '../model/memoized-model.ts'
import type { Parameters } from '../model/model.ts'
import type { SharedMachine } from './shared-machine.ts'
import { ArenaNames, UNNAMED } from './value-names.ts'

/** Bytes in V8, roughly: of a state, of a value of the arena. */
const [NODE_BYTES, VALUE_BYTES] = [300, 150]
/** Of values that others left in the arena. */
const MAX_INHERITED_BYTES = 64 * 2 ** 20

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

  /** The values of the variables as plain data, by name; made at the first access. */
  get value(): Readonly<Record<string, unknown>> {
    this.#plain ??= Object.freeze(
      Object.fromEntries(this.#variables.map((name, at) => [name, toPlain(this.values.elements[at]!)])),
    )
    return this.#plain
  }
}

export interface TlaKindOptions {
  readonly identities: Identities
  /**
   * An expression whose values coverage counts; by default the VIEW of the configuration, or the
   * whole state.
   */
  readonly project?: string
}

export class TlaKind implements Kind<TlaState> {
  readonly #shared: SharedMachine
  readonly #identities: Identities
  readonly #project: string | undefined
  readonly #steps: readonly string[]
  #follower: Follower
  #projection: Formula | undefined
  #nodes = new Map<Tuple, TlaState>()
  /** Parameters as they were given. */
  #given = new Interner()
  #names = new ArenaNames()

  /** @throws TlaError if the projection is not an expression */
  constructor(shared: SharedMachine, { identities, project }: TlaKindOptions) {
    this.#shared = shared
    this.#identities = identities
    this.#project = project
    this.#follower = new Follower(shared.machine)
    this.#projection = this.#projectionOf()
    const { relation, actionNames } = shared.machine
    const steps = stepActions(relation)
    this.#steps = steps.length === 0 ? actionNames : steps
  }

  /** The actions that the next-state relation is made of; others can be followed too. */
  get actions(): readonly string[] {
    return this.#steps
  }

  get isUnchecked(): boolean {
    return this.#shared.machine.invariants.length === 0
  }

  get bytes(): number {
    const arena = (this.#follower.machine.arena.size - this.#shared.firstSize) * VALUE_BYTES
    return arena + this.#nodes.size * NODE_BYTES + this.#given.bytes
  }

  begin(): readonly TlaState[] {
    return this.#follower.begin().map((values) => this.#node(values))
  }

  perform(state: TlaState, action: string, parameters: Parameters): readonly TlaState[] | Disabled {
    const led = this.#follower.perform(state.values, action, parameters)
    if (led instanceof Refused) return new Disabled(led.reason)
    return led.length === 1 ? [this.#node(led[0]!, state)] : led.map((values) => this.#node(values, state))
  }

  parameter(given: unknown, action: string): unknown {
    return this.#given.value(this.#given.intern(given, `a parameter of the action '${action}'`))
  }

  forget(but: readonly TlaState[]): void {
    const machine = this.#shared.renewed(this.#follower.machine)
    this.#follower = new Follower(machine)
    this.#projection = this.#projectionOf()
    this.#nodes = new Map()
    this.#given = new Interner()
    this.#names = new ArenaNames()
    for (const state of but) {
      state.values = transfer(machine.arena, state.values) as Tuple
      state.interned = state.values.id
      this.#nodes.set(state.values, state)
    }
  }

  another(): TlaKind {
    const kind = new TlaKind(this.#shared, { identities: this.#identities, project: this.#project })
    // The arena has the values of earlier executions too.
    if (kind.bytes > MAX_INHERITED_BYTES) kind.forget([])
    return kind
  }

  #projectionOf(): Formula | undefined {
    const { machine } = this.#follower
    return this.#project === undefined ? machine.view : machine.formula(this.#project, '`project`')
  }

  /** @param from the state before, in which the invariants hold */
  #node(values: Tuple, from?: TlaState): TlaState {
    const known = this.#nodes.get(values)
    if (known !== undefined) return known
    const { machine } = this.#follower
    const node = new TlaState(
      this.#identityOf(values, from),
      values,
      this.#follower.brokenInvariant(values, from?.values),
      machine.variables,
    )
    this.#nodes.set(values, node)
    return node
  }

  #identityOf(values: Tuple, from: TlaState | undefined): number {
    const projection = this.#projection
    if (projection === undefined) return this.#identified(values)
    if (from !== undefined && this.#follower.isSameFor(projection, values, from.values)) return from.id
    this.#follower.enter(values)
    let projected: Value = values
    this.#follower.located(
      () => '`project`',
      () => {
        projected = projection.evaluate()
      },
    )
    return this.#identified(this.#follower.machine.arena.tuple([canonical(projected)]))
  }

  /** By the number of the value: in plain data an empty set and an empty sequence are equal. */
  #identified(value: Tuple): number {
    const name = this.#names.of(value)
    return name === UNNAMED ? CROWDED_OUT : this.#identities.ofNumbered(name, value.hash >>> 0)
  }
}

/** A value of one arena as a value of another. */
function transfer(arena: Arena, value: Canonical): Canonical {
  if (typeof value !== 'object') return value
  const part = (item: Canonical) => transfer(arena, item)
  switch (value.kind) {
    case 'string':
      return arena.string(value.text)
    case 'model value':
      return arena.modelValue(value.text)
    case 'set':
      return arena.set(value.elements.map(part))
    case 'tuple':
      return arena.tuple(value.elements.map(part))
    case 'record':
      return arena.record(arena.shape(value.shape.names), value.elements.map(part))
    case 'function':
      return arena.function(transfer(arena, value.domain) as SetValue, value.elements.map(part))
  }
}
