/**
 * Models written in TypeScript (definition.ts).
 *
 * Invariant: states are frozen and parameters copied, so memoized transitions stay valid.
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
import { type Kind, MemoizedModel, type ModelOptions, type StateNode } from './memoized-model.ts'
import type { Model, Parameters } from './model.ts'

export type { ModelOptions } from './memoized-model.ts'

/** Approximate memory in V8 of a state, apart from its data. */
const NODE_BYTES = 200

/**
 * Makes a model of a definition. `apply` and `reset` throw a `BrokenInvariant` if a state violates
 * the invariant.
 *
 * @public
 * @throws TypeError if the definition is wrong, or an initial state is not plain data
 */
export function defineModel<State extends object>(
  definition: ModelDefinition<State>,
  options: ModelOptions = {},
): Model {
  assertDefinition(definition)
  const model = new MemoizedModel(new TypeScriptKind(definition, options.identities ?? processIdentities), options)
  model.reset()
  return model
}

class TypeScriptKind<State extends object> implements Kind<StateNode> {
  readonly actions: readonly string[]
  readonly isUnchecked: boolean
  readonly #definition: ModelDefinition<State>
  readonly #identities: Identities
  #interner = new Interner()
  #nodes = new Map<number, StateNode>()

  constructor(definition: ModelDefinition<State>, identities: Identities) {
    this.#definition = definition
    this.#identities = identities
    this.actions = Object.keys(definition.actions)
    this.isUnchecked = definition.invariant === undefined
  }

  begin(): readonly StateNode[] {
    return initialStates(this.#definition).map((state) => {
      assertState(state, '`init`')
      return this.#node(state, 'an initial state of the model')
    })
  }

  perform(state: StateNode, action: string, parameters: Parameters): readonly StateNode[] | Disabled {
    const successors = perform(this.#definition, state.value as State, action, parameters)
    if (successors instanceof Disabled) return successors
    const what = `the result of ${callText(action, parameters)}`
    return successors.map((value) => this.#node(value, what))
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

  another(): TypeScriptKind<State> {
    return new TypeScriptKind(this.#definition, this.#identities)
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
