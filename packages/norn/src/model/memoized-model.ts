/**
 * Follows a model fast: what an action did once with equal parameters in an equal state is
 * remembered, whatever kind of model it is of.
 *
 * The states that an execution may be in are one node of a graph, and an action that was taken from
 * it before, with equal parameters, is an edge. So an execution whose actions are known works
 * nothing out.
 *
 * Invariants: a remembered answer is the answer that the kind gave (states and parameters do not
 * change). What is remembered is bounded, and forgotten as a whole at the bound; the identities of
 * abstract states are kept apart from it (identities.ts) and never change.
 */
import { BrokenInvariant, callText, Disabled } from './definition.ts'
import { type Identities, processIdentities } from './identities.ts'
import type { AbstractState, Applied, Model, Parameters } from './model.ts'

/** What is remembered takes about as much memory at most. */
const MAX_REMEMBERED_BYTES = 128 * 2 ** 20
/** What V8 takes, roughly: of the states that an execution may be in, of an answer, of a call. */
const [OPEN_BYTES, ANSWER_BYTES, CALL_BYTES] = [500, 150, 300]
/** States that an execution may be in at once. */
const MAX_OPEN = 1_000

/** A state that the execution may be in. */
export interface StateNode extends AbstractState {
  /** Its number among those of its kind, until all are forgotten: equal states are one node. */
  interned: number
  /** Why it breaks the invariant; undefined if it does not. */
  readonly broken: string | undefined
}

/**
 * What a kind of model brings: its states, and where actions lead, worked out each time it is
 * asked.
 */
export interface Kind<Node extends StateNode> {
  readonly actions: readonly string[]
  /** The initial states. */
  begin(): readonly Node[]
  /** Where an action leads from one state. @throws Error that names the action */
  perform(state: Node, action: string, parameters: Parameters): readonly Node[] | Disabled
  /**
   * What stands for a parameter that is no text, number or truth value; equal ones are identical.
   * @throws TypeError
   */
  parameter(given: unknown, action: string): unknown
  /** About how much memory its states and parameters take. */
  readonly bytes: number
  /** Forgets all states but these, which get new numbers. */
  forget(but: readonly Node[]): void
}

export interface ModelOptions {
  /** Where abstract states get their identities; those of the process unless set. */
  readonly identities?: Identities
  /** How much memory what is remembered may take, roughly; 128 MiB unless set. */
  readonly maxRememberedBytes?: number
}

/** All states that the execution may be in, in the order in which the actions gave them. */
interface Open<Node> {
  readonly states: readonly Node[]
  /** Remembered answers, by the number of the call. */
  readonly answers: Map<number, Answer<Node>>
}

/** An action with the first so many parameters, numbered; `more` goes on with the next one. */
interface Call {
  readonly id: number
  more: Map<unknown, Call> | undefined
}

interface Answer<Node> {
  readonly applied: Applied
  /** What it leads to, and the error that it leads to instead. */
  readonly open: Open<Node>
  readonly failure: BrokenInvariant | undefined
}

export class RememberingModel<Node extends StateNode> implements Model {
  readonly actions: readonly string[]
  readonly #kind: Kind<Node>
  readonly #identities: Identities
  readonly #maxBytes: number
  #opens = new Map<string, Open<Node>>()
  #answers = 0
  #calls = new Map<string, Call>()
  #callCount = 0
  #initial: Open<Node> | undefined
  /** Empty until somebody asks. */
  #now: Open<Node> = { states: [], answers: new Map() }

  /** Asks nothing of the kind yet: many a model is made that nobody follows. */
  constructor(kind: Kind<Node>, options: ModelOptions = {}) {
    this.#kind = kind
    this.#identities = options.identities ?? processIdentities
    this.#maxBytes = options.maxRememberedBytes ?? MAX_REMEMBERED_BYTES
    this.actions = kind.actions
  }

  /** @throws BrokenInvariant if an initial state breaks the invariant */
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
    return (
      this.#kind.bytes + this.#opens.size * OPEN_BYTES + this.#answers * ANSWER_BYTES + this.#callCount * CALL_BYTES
    )
  }

  #begin(): Open<Node> {
    const states = this.#kind.begin()
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
    return this.#kind.parameter(parameter, action)
  }

  /** Works an answer out, and remembers it. */
  #learn(action: string, parameters: Parameters): Answer<Node> {
    if (this.#now.states.length === 0) {
      this.reset()
      const known = this.#now.answers.get(this.#call(action, parameters))
      if (known !== undefined) return known
    }
    if (this.#bytes > this.#maxBytes) this.#forget()
    const { answers } = this.#now
    const answer = this.#answer(action, parameters)
    answers.set(this.#call(action, parameters), answer)
    this.#answers++
    return answer
  }

  #answer(action: string, parameters: Parameters): Answer<Node> {
    const copies = parameters.map((parameter) => this.#copyOf(parameter, action))
    const before = this.#now
    const next = new Set<Node>()
    let reason: string | undefined
    for (const state of before.states) {
      const led = this.#kind.perform(state, action, copies)
      if (led instanceof Disabled) reason ??= led.reason
      else for (const node of led) next.add(node)
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

  #open(states: readonly Node[]): Open<Node> {
    const name = states.map((state) => state.interned).join()
    let open = this.#opens.get(name)
    if (open === undefined) this.#opens.set(name, (open = { states, answers: new Map() }))
    return open
  }

  /**
   * Forgets all but where the execution is: whoever was given its states may still `keep` some of
   * them.
   */
  #forget(): void {
    const { states } = this.#now
    this.#kind.forget(states)
    this.#opens = new Map()
    this.#answers = 0
    this.#calls = new Map()
    this.#callCount = 0
    this.#initial = undefined
    this.#now = this.#open(states)
  }
}
