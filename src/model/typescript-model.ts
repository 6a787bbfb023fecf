/**
 * Follows models that are written in TypeScript (definition.ts).
 *
 * Speed comes from remembering: the states that an execution may be in are one node of a graph, and an action that was
 * taken from it before, with equal parameters, is an edge. So an execution whose actions are known runs none of the
 * user's functions.
 *
 * Invariants: a remembered answer is the answer that the functions gave (states are frozen, parameters are copied, so
 * neither can change behind it). What is remembered is bounded, and forgotten as a whole at the bound; the identities of
 * abstract states are kept apart from it (identities.ts) and never change.
 */
import {
  assertDefinition,
  assertState,
  BrokenInvariant,
  brokenInvariant,
  callText,
  Disabled,
  initialStates,
  type ModelDefinition,
  perform,
} from './definition.ts'
import { type Identities, processIdentities } from './identities.ts'
import { Interner } from './interning.ts'
import type { AbstractState, Applied, Model, Parameters } from './model.ts'

/** What is remembered takes about as much memory at most. */
const MAX_REMEMBERED_BYTES = 128 * 2 ** 20
/** What V8 takes, roughly: of a state, of the states that an execution may be in, of an answer, of a call. */
const [NODE_BYTES, OPEN_BYTES, ANSWER_BYTES, CALL_BYTES] = [200, 500, 150, 300]
/** States that an execution may be in at once. */
const MAX_OPEN = 1_000

/** A state that the execution may be in. */
interface StateNode extends AbstractState {
  /** Its number among the interned states, until all are forgotten. */
  interned: number
  /** Why it breaks the invariant; undefined if it does not. */
  readonly broken: string | undefined
}

/** All states that the execution may be in, in the order in which the actions gave them. */
interface Open {
  readonly states: readonly StateNode[]
  /** Remembered answers, by the number of the call. */
  readonly answers: Map<number, Answer>
}

/** An action with the first so many parameters, numbered; `more` goes on with the next one. */
interface Call {
  readonly id: number
  more: Map<unknown, Call> | undefined
}

interface Answer {
  readonly applied: Applied
  /** What it leads to, and the error that it leads to instead. */
  readonly open: Open
  readonly failure: BrokenInvariant | undefined
}

export interface ModelOptions {
  /** Where abstract states get their identities; those of the process unless set. */
  readonly identities?: Identities
  /** How much memory what is remembered may take, roughly; 128 MiB unless set. */
  readonly maxRememberedBytes?: number
}

/**
 * Makes a model of its definition.
 *
 * A broken invariant is an error that `apply` (or `reset`) throws, with the action that led there.
 *
 * @throws TypeError if the definition is not as it must be, or an initial state is no plain data
 */
export function defineModel<State extends object>(
  definition: ModelDefinition<State>,
  options: ModelOptions = {},
): Model {
  assertDefinition(definition)
  return new TypeScriptModel(definition, options)
}

class TypeScriptModel<State extends object> implements Model {
  readonly actions: readonly string[]
  readonly #definition: ModelDefinition<State>
  readonly #identities: Identities
  readonly #maxBytes: number
  #interner = new Interner()
  #nodes = new Map<number, StateNode>()
  #opens = new Map<string, Open>()
  #answers = 0
  #calls = new Map<string, Call>()
  #callCount = 0
  #initial: Open | undefined
  #now: Open

  constructor(definition: ModelDefinition<State>, options: ModelOptions) {
    this.#definition = definition
    this.#identities = options.identities ?? processIdentities
    this.#maxBytes = options.maxRememberedBytes ?? MAX_REMEMBERED_BYTES
    this.actions = Object.keys(definition.actions)
    this.#now = this.#begin()
  }

  reset(): readonly AbstractState[] {
    this.#now = this.#initial ?? this.#begin()
    return this.#now.states
  }

  apply(action: string, parameters: Parameters): Applied {
    const answer = this.#now.answers.get(this.#call(action, parameters)) ?? this.#learn(action, parameters)
    if (answer.failure !== undefined) throw answer.failure
    this.#now = answer.open
    return answer.applied
  }

  hash(id: number): number {
    return this.#identities.hash(id)
  }

  keep(states: readonly AbstractState[]): void {
    const kept = this.#now.states.filter((state) => states.includes(state))
    if (kept.length === 0) throw new Error('keep: an execution has to be in one of the states that it may be in')
    this.#now = this.#open(kept)
  }

  get #bytes(): number {
    const states = this.#nodes.size * NODE_BYTES + this.#opens.size * OPEN_BYTES
    return this.#interner.bytes + states + this.#answers * ANSWER_BYTES + this.#callCount * CALL_BYTES
  }

  #begin(): Open {
    const states = initialStates(this.#definition).map((state) => {
      assertState(state, '`init`')
      return this.#node(state, 'an initial state of the model')
    })
    const broken = states.find((state) => state.broken !== undefined)
    if (broken !== undefined) throw new BrokenInvariant('at the beginning', broken.broken!, broken.value)
    this.#initial = this.#open(states)
    return this.#initial
  }

  /** The number of an action with equal parameters. */
  #call(action: string, parameters: Parameters): number {
    let call = this.#calls.get(action)
    if (call === undefined) this.#calls.set(action, (call = this.#newCall()))
    for (let at = 0; at < parameters.length; at++) {
      const parameter = this.#copyOf(parameters[at], action)
      call.more ??= new Map()
      let next = call.more.get(parameter)
      if (next === undefined) call.more.set(parameter, (next = this.#newCall()))
      call = next
    }
    return call.id
  }

  #newCall(): Call {
    return { id: this.#callCount++, more: undefined }
  }

  /** A parameter; equal ones are identical. */
  #copyOf(parameter: unknown, action: string): unknown {
    if (typeof parameter === 'string' || typeof parameter === 'boolean') return parameter
    // Adding 0 makes -0 the 0 that it counts as.
    if (Number.isFinite(parameter)) return (parameter as number) + 0
    return this.#interner.value(this.#interner.intern(parameter, `a parameter of the model's action '${action}'`))
  }

  /** Works an answer out, and remembers it. */
  #learn(action: string, parameters: Parameters): Answer {
    if (this.#bytes > this.#maxBytes) this.#forget()
    const { answers } = this.#now
    const answer = this.#answer(action, parameters)
    answers.set(this.#call(action, parameters), answer)
    this.#answers++
    return answer
  }

  #answer(action: string, parameters: Parameters): Answer {
    const copies = parameters.map((parameter) => this.#copyOf(parameter, action))
    const before = this.#now
    const next = new Set<StateNode>()
    let reason: string | undefined
    for (const state of before.states) {
      const led = perform(this.#definition, state.value as State, action, copies)
      if (led instanceof Disabled) reason ??= led.reason
      else for (const value of led) next.add(this.#node(value, `what ${callText(action, copies)} gave`))
    }
    if (next.size === 0) {
      return { applied: { enabled: false, reason: reason! }, open: before, failure: undefined }
    }
    if (next.size > MAX_OPEN) {
      throw new RangeError(
        `the model leaves ${next.size} states open after ${callText(action, copies)}, more than ${MAX_OPEN}: ` +
          'give its actions what decides between them as a parameter',
      )
    }
    const open = this.#open([...next])
    const broken = open.states.find((state) => state.broken !== undefined)
    const failure =
      broken === undefined
        ? undefined
        : new BrokenInvariant(`after ${callText(action, copies)}`, broken.broken!, broken.value)
    return { applied: { enabled: true, states: open.states }, open, failure }
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

  #open(states: readonly StateNode[]): Open {
    const name = states.map((state) => state.interned).join()
    let open = this.#opens.get(name)
    if (open === undefined) this.#opens.set(name, (open = { states, answers: new Map() }))
    return open
  }

  /** Forgets all but where the execution is: whoever was given its states may still `keep` some of them. */
  #forget(): void {
    const { states } = this.#now
    this.#interner = new Interner()
    this.#nodes = new Map()
    this.#opens = new Map()
    this.#answers = 0
    this.#calls = new Map()
    this.#callCount = 0
    this.#initial = undefined
    for (const state of states) {
      state.interned = this.#interner.intern(state.value, 'a state')
      this.#nodes.set(state.interned, state)
    }
    this.#now = this.#open(states)
  }
}
