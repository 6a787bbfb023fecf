/**
 * Models that are written in TypeScript (definition.ts), followed as remembering.ts does: an
 * execution whose actions are known runs none of the user's functions.
 *
 * Invariant: states are frozen and parameters are copied, so neither can change behind what is
 * remembered.
 */
import {
  assertDefinition,
  assertState,
  brokenInvariant,
  callText,
  Disabled,
  initialStates,
  type ModelDefinition,
  perform,
} from './definition.ts'
import { type Identities, processIdentities } from './identities.ts'
import { Interner } from './interning.ts'
import type { Model, Parameters } from './model.ts'
import { type Kind, type ModelOptions, RememberingModel, type StateNode } from './remembering.ts'

export type { ModelOptions } from './remembering.ts'

/** What V8 takes of a state, roughly, beside the data. */
const NODE_BYTES = 200

/**
 * Makes a model of its definition.
 *
 * A broken invariant is an error that `apply` (or `reset`) throws, with the action that led there.
 *
 * @public
 * @throws TypeError if the definition is not as it must be, or an initial state is no plain data
 */
export function defineModel<State extends object>(
  definition: ModelDefinition<State>,
  options: ModelOptions = {},
): Model {
  assertDefinition(definition)
  const model = new RememberingModel(new TypeScriptKind(definition, options.identities ?? processIdentities), options)
  model.reset()
  return model
}

class TypeScriptKind<State extends object> implements Kind<StateNode> {
  readonly actions: readonly string[]
  readonly #definition: ModelDefinition<State>
  readonly #identities: Identities
  #interner = new Interner()
  #nodes = new Map<number, StateNode>()

  constructor(definition: ModelDefinition<State>, identities: Identities) {
    this.#definition = definition
    this.#identities = identities
    this.actions = Object.keys(definition.actions)
  }

  begin(): readonly StateNode[] {
    return initialStates(this.#definition).map((state) => {
      assertState(state, '`init`')
      return this.#node(state, 'an initial state of the model')
    })
  }

  perform(state: StateNode, action: string, parameters: Parameters): readonly StateNode[] | Disabled {
    const led = perform(this.#definition, state.value as State, action, parameters)
    if (led instanceof Disabled) return led
    const what = `what ${callText(action, parameters)} gave`
    return led.map((value) => this.#node(value, what))
  }

  parameter(given: unknown, action: string): unknown {
    return this.#interner.value(this.#interner.intern(given, `a parameter of the model's action '${action}'`))
  }

  get bytes(): number {
    return this.#interner.bytes + this.#nodes.size * NODE_BYTES
  }

  forget(but: readonly StateNode[]): void {
    this.#interner = new Interner()
    this.#nodes = new Map()
    for (const state of but) {
      state.interned = this.#interner.intern(state.value, 'a state')
      this.#nodes.set(state.interned, state)
    }
  }

  #node(value: State, what: string): StateNode {
    const interned = this.#interner.intern(value, what)
    const known = this.#nodes.get(interned)
    if (known !== undefined) return known
    const copy = this.#interner.value(interned) as State
    const { project } = this.#definition
    const node: StateNode = {
      id: project === undefined ? this.#identities.of(copy, what) : this.#identities.of(project(copy), '`project`'),
      value: copy,
      interned,
      broken: brokenInvariant(this.#definition, copy),
    }
    this.#nodes.set(interned, node)
    return node
  }
}
