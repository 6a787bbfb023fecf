/**
 * A model that memoizes its transitions, so that following an execution costs next to nothing.
 *
 * The set of states that an execution may be in is a node of a graph, and an action with parameters
 * that was applied there is an edge.
 *
 * Invariants: states and parameters do not change, so a memoized transition is what the model would
 * compute again. The memory is bounded, and cleared as a whole at the bound. The identities of
 * abstract states are stored elsewhere (identities.ts) and never change.
 */
import { BrokenInvariant, callText, Disabled } from './definition.ts'
import { type Identities, processIdentities } from './identities.ts'
import type { AbstractState, Applied, Model, Parameters, Transitions } from './model.ts'

const MAX_MEMO_BYTES = 128 * 2 ** 20
/** Approximate memory in V8 of a set of states, a transition and a call. */
const [SET_BYTES, TRANSITION_BYTES, CALL_BYTES] = [500, 150, 300]
/** The maximum number of states that an execution may be in. */
const MAX_STATES = 1_000

/** A state that the execution may be in. */
export interface StateNode extends AbstractState {
  /** Its number until the memory is cleared; equal states are one node. */
  interned: number
  /** Why it violates the invariant; undefined if it does not. */
  readonly broken: string | undefined
}

/** A kind of model: its states and transitions, computed on each call. */
export interface Kind<Node extends StateNode> {
  readonly actions: readonly string[]
  /** Whether it has no invariant. */
  readonly isUnchecked: boolean
  /** The initial states. */
  begin(): readonly Node[]
  /** The successors of one state. @throws Error that names the action */
  perform(state: Node, action: string, parameters: Parameters): readonly Node[] | Disabled
  /**
   * The canonical copy of a parameter that is not a string, number or boolean: identical for equal
   * parameters. @throws TypeError unless it is plain data
   */
  parameter(given: unknown, action: string): unknown
  /** The approximate memory of its states and parameters. */
  readonly bytes: number
  /** Forgets all states except these, which get new numbers. */
  forget(but: readonly Node[]): void
  /** The same kind, with states of its own. */
  another(): Kind<Node>
}

export interface ModelOptions {
  /** Default: the identities of the process. */
  readonly identities?: Identities
  /** The approximate bound on the memory for transitions. Default: 128 MiB. */
  readonly maxRememberedBytes?: number
}

/** The states that the execution may be in, in the order of computation. */
interface StateSet<Node> {
  readonly states: readonly Node[]
  /** The memoized transitions, by the id of the call. */
  readonly transitions: Map<number, Transition<Node>>
}

/** A trie node: an action with its first parameters; `more` continues with the next one. */
interface Call {
  readonly id: number
  more: Map<unknown, Call> | undefined
}

interface Transition<Node> {
  readonly applied: Applied
  readonly target: StateSet<Node>
  /** Thrown instead of reaching the target. */
  readonly failure: BrokenInvariant | undefined
}

export class MemoizedModel<Node extends StateNode> implements Model {
  readonly actions: readonly string[]
  readonly isUnchecked: boolean
  readonly #kind: Kind<Node>
  readonly #identities: Identities
  readonly #maxBytes: number
  #sets = new Map<string | number, StateSet<Node>>()
  #transitionCount = 0
  #calls = new Map<string, Call>()
  #callCount = 0
  #initial: StateSet<Node> | undefined
  /** Empty before the first reset. */
  #now: StateSet<Node> = { states: [], transitions: new Map() }

  /** Computes nothing yet, because many models are never followed. */
  constructor(kind: Kind<Node>, options: ModelOptions = {}) {
    this.#kind = kind
    this.#identities = options.identities ?? processIdentities
    this.#maxBytes = options.maxRememberedBytes ?? MAX_MEMO_BYTES
    this.actions = kind.actions
    this.isUnchecked = kind.isUnchecked
  }

  /** @throws BrokenInvariant if an initial state violates the invariant */
  reset(): readonly AbstractState[] {
    this.#now = this.#initial ?? this.#begin()
    return this.#now.states
  }

  apply(action: string, given: Parameters): Applied {
    if (this.#now.states.length === 0) this.reset()
    if (this.#bytes > this.#maxBytes) this.#forget()
    const parameters = given.map((parameter) => copyOf(this.#kind, parameter, action))
    const call = this.#call(action, parameters)
    const transition = this.#now.transitions.get(call) ?? this.#compute(call, action, parameters)
    if (transition.failure !== undefined) throw transition.failure
    this.#now = transition.target
    return transition.applied
  }

  hash(id: number): number {
    return this.#identities.hash(id)
  }

  transitions(): Transitions {
    const kind = this.#kind.another()
    return {
      initial: () => kind.begin().map((state) => unbroken(state, () => 'at the beginning')),
      successors(from, action, parameters) {
        const copies = parameters.map((parameter) => copyOf(kind, parameter, action))
        const led = kind.perform(from as Node, action, copies)
        if (led instanceof Disabled) return []
        return led.map((state) => unbroken(state, () => `after ${callText(action, copies)}`))
      },
      key: (state) => (state as Node).interned,
    }
  }

  keep(states: readonly AbstractState[]): void {
    const kept = this.#now.states.filter((state) => states.includes(state))
    if (kept.length === 0) throw new Error('keep: at least one of the current states must be kept')
    this.#now = this.#setOf(kept)
  }

  get #bytes(): number {
    return (
      this.#kind.bytes +
      this.#sets.size * SET_BYTES +
      this.#transitionCount * TRANSITION_BYTES +
      this.#callCount * CALL_BYTES
    )
  }

  #begin(): StateSet<Node> {
    const states = this.#kind.begin().map((state) => unbroken(state, () => 'at the beginning'))
    this.#initial = this.#setOf(states)
    return this.#initial
  }

  /** The id of an action with parameters, which are copies: the same for equal ones. */
  #call(action: string, parameters: Parameters): number {
    let call = this.#calls.get(action)
    if (call === undefined) this.#calls.set(action, (call = this.#newCall()))
    for (let at = 0; at < parameters.length; at++) {
      const parameter = parameters[at]
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

  #compute(call: number, action: string, parameters: Parameters): Transition<Node> {
    const transition = this.#transition(action, parameters)
    this.#now.transitions.set(call, transition)
    this.#transitionCount++
    return transition
  }

  #transition(action: string, parameters: Parameters): Transition<Node> {
    const before = this.#now
    const next = new Set<Node>()
    let reason: string | undefined
    for (const state of before.states) {
      const led = this.#kind.perform(state, action, parameters)
      if (led instanceof Disabled) reason ??= led.reason
      else for (const node of led) next.add(node)
    }
    if (next.size === 0) {
      return { applied: { enabled: false, reason: reason! }, target: before, failure: undefined }
    }
    if (next.size > MAX_STATES) {
      throw new RangeError(
        `the model may be in ${next.size} states after ${callText(action, parameters)}, more than ${MAX_STATES}: ` +
          'give the action a parameter that decides between them',
      )
    }
    const target = this.#setOf([...next])
    const broken = target.states.find((state) => state.broken !== undefined)
    const failure =
      broken === undefined
        ? undefined
        : new BrokenInvariant(`after ${callText(action, parameters)}`, broken.broken!, broken.value)
    return { applied: { enabled: true, states: target.states }, target, failure }
  }

  #setOf(states: readonly Node[]): StateSet<Node> {
    const name = states.length === 1 ? states[0]!.interned : states.map((state) => state.interned).join()
    let set = this.#sets.get(name)
    if (set === undefined) this.#sets.set(name, (set = { states, transitions: new Map() }))
    return set
  }

  /** Clears the memory except for the current states, which the caller may still `keep`. */
  #forget(): void {
    const { states } = this.#now
    this.#kind.forget(states)
    this.#sets = new Map()
    this.#transitionCount = 0
    this.#calls = new Map()
    this.#callCount = 0
    this.#initial = undefined
    this.#now = this.#setOf(states)
  }
}

/** Identical for equal parameters. */
function copyOf(kind: Pick<Kind<never>, 'parameter'>, parameter: unknown, action: string): unknown {
  if (typeof parameter === 'string' || typeof parameter === 'boolean') return parameter
  // Adding 0 turns -0 into 0.
  if (Number.isFinite(parameter)) return (parameter as number) + 0
  return kind.parameter(parameter, action)
}

/** @throws BrokenInvariant */
function unbroken<Node extends StateNode>(state: Node, when: () => string): Node {
  if (state.broken !== undefined) throw new BrokenInvariant(when(), state.broken, state.value)
  return state
}
