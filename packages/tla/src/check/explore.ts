/**
 * Exact breadth-first exploration of all reachable states, by TLC's rules:
 *
 * - Assumptions are checked first, then initial states are computed, then the successors of each
 *   state in the order in which states were found.
 * - *Generated* counts each initial state and successor each time it is found, *distinct* the
 *   different states.
 * - A state that fails a CONSTRAINT (or a step that fails an ACTION_CONSTRAINT) is not counted as
 *   distinct and not expanded, but invariants are checked on it each time it is found. On other
 *   states they are checked once.
 * - Step properties are checked on each step, also to a known state.
 * - A state without any successor is a deadlock. Successors that fail the constraint count.
 *
 * Counterexamples are as short as possible. The first complaint ends the exploration, and the
 * counts are those at that point.
 *
 * Invariant: while the machine computes the successors of a state, nothing else is evaluated;
 * successors that need evaluation wait in `#pending` until all are computed.
 */
import { IncompleteState } from '../evaluate/incomplete-state.ts'
import type { Formula, Machine, State } from '../evaluate/machine.ts'
import type { Canonical, Value } from '../values/value.ts'
import { type Behaviour, behaviourOf, enter, stateRecord, statesTo } from './behaviour.ts'
import { Coverage } from './coverage.ts'
import {
  type Complaint,
  errorOf,
  firstComplaint,
  inNoState,
  isEndedByItself,
  located,
  newStateComplaint,
  outcomeOf,
  Stopped,
  stopped,
  viewComplaint,
} from './examine.ts'
import type { BoundName, Outcome } from './outcome.ts'
import { type StateKey, stateKey } from './state-key.ts'
import { StateRandom } from './state-random.ts'
import { NO_PARENT, NO_ROOM, StateStore } from './state-store.ts'

/** Why exploration stops before it is complete. */
export type StopReason = 'time' | 'memory' | 'interrupted' | 'exit'

export interface ExploreOptions {
  /** Whether a state without successors is an error. */
  readonly deadlock: boolean
  /** States at this depth are not expanded; initial states are at depth 1. */
  readonly maxDepth?: number
  readonly maxStates?: number
  /** Bound on the state store alone; values and the machine come on top. */
  readonly maxBytes?: number
  /** Called before and regularly during the expansion of each state; may report progress. */
  readonly shouldStop?: () => StopReason | undefined
}

/** States generated between two calls of `shouldStop` during one expansion; a power of two. */
const ASKED_EVERY = 1024
const FIRST_PENDING = 64
/** Bound on the pending states, in words: 1 GiB. */
const MAX_PENDING_WORDS = 2 ** 28

export class Exploration {
  readonly machine: Machine
  readonly store: StateStore
  readonly coverage: Coverage
  readonly #options: ExploreOptions
  readonly #key: StateKey | undefined
  readonly #keyRow: Int32Array
  readonly #random: StateRandom
  /** Whether formulas must be evaluated in each successor, new or not. */
  readonly #examinesAll: boolean
  readonly #examinesNew: boolean
  /** Successors that wait to be examined, row by row, and the parts that led to them. */
  #pending: Int32Array
  #pendingParts = new Int32Array(FIRST_PENDING)
  #pendingCount = 0
  /** For each new state that is not yet examined, the value of `generated` when it was found. */
  #generatedAt: number[] = []
  /** The current state: one of the store, or a pending successor of it (-1 if none). */
  #at = NO_PARENT
  #atPending = -1
  /** The value of `generated` before the current expansion. */
  #generatedBefore = 0
  /** The state being expanded; `NO_PARENT` during the computation of initial states. */
  #from = NO_PARENT
  /** The level of that state; 0 during the computation of initial states. */
  #level = 0
  #stop: BoundName | 'interrupted' | undefined

  constructor(machine: Machine, options: ExploreOptions) {
    this.machine = machine
    this.#options = options
    this.#key = stateKey(machine)
    this.#keyRow = new Int32Array(this.#key?.width ?? 0)
    const { constraints, actionConstraints, stepProperties, initialProperties, invariants, view, variables } = machine
    this.store = new StateStore({
      width: variables.length,
      keyWidth: this.#key?.width,
      maxStates: options.maxStates,
      maxBytes: options.maxBytes,
    })
    this.coverage = new Coverage(machine.parts)
    this.#examinesAll = constraints.length + actionConstraints.length + stepProperties.length > 0 || view !== undefined
    this.#examinesNew = invariants.length + initialProperties.length > 0
    this.#pending = new Int32Array(FIRST_PENDING * variables.length)
    const { surroundings } = machine
    this.#random = new StateRandom(surroundings.seed, machine.current)
    surroundings.random = this.#random
    surroundings.mode = 'bfs'
    surroundings.run = { deadlock: options.deadlock }
    surroundings.trace = () => this.#trace()
  }

  /** Explores until complete, a complaint or a bound. May be called once. */
  run(): Outcome {
    const { assumptions, postconditions } = this.machine
    const ended = inNoState(this.machine, 'assumption', assumptions) ?? this.#begin() ?? this.#expandAll()
    if (ended !== undefined && !isEndedByItself(ended)) return ended
    return inNoState(this.machine, 'postcondition', postconditions) ?? ended ?? { kind: 'passed' }
  }

  /** Computes the initial states. A module without variables has none, only assumptions. */
  #begin(): Outcome | undefined {
    const { machine } = this
    const { progress } = machine.surroundings
    if (machine.variables.length === 0) return undefined
    const outcome = this.#find(() => machine.initial(this.#visitInitial))
    if (outcome !== undefined) return outcome
    if (progress.generated === 0) return { kind: 'no initial state' }
    return undefined
  }

  #expandAll(): Outcome | undefined {
    const { machine, store } = this
    const { progress } = machine.surroundings
    const { maxDepth = Number.POSITIVE_INFINITY, shouldStop, deadlock } = this.#options
    // States are numbered level by level.
    let levelEnd = store.size
    this.#level = 1
    for (let number = 0; number < store.size; number++) {
      if (number === levelEnd) {
        this.#level++
        levelEnd = store.size
      }
      if (this.#level >= maxDepth) return { kind: 'bound', bound: 'depth' }
      this.#stop = machine.surroundings.isOver ? 'exit' : shouldStop?.()
      if (this.#stop !== undefined) return stopped(this.#stop)
      this.#from = number
      this.#generatedBefore = progress.generated
      progress.queue = store.size - number - 1
      this.#load(number)
      const outcome = this.#find(() => machine.next(this.#visitSuccessor))
      if (outcome !== undefined) return outcome
      if (deadlock && progress.generated === this.#generatedBefore) {
        return { kind: 'deadlock', behaviour: this.#behaviour(number) }
      }
    }
    return undefined
  }

  /** Runs a search, then examines its states; those found before an error come before the error. */
  #find(search: () => void): Outcome | undefined {
    const thrown = errorOf(search)
    const outcome = this.#examinesAll ? this.#examinePending() : this.#examineNew()
    this.#pendingCount = 0
    if (outcome !== undefined) return outcome
    this.machine.surroundings.progress.queue = this.#queueAfter(this.store.size)
    if (thrown !== undefined) {
      if (thrown instanceof IncompleteState) this.machine.surroundings.progress.generated++
      if (this.#from !== NO_PARENT) this.#load(this.#from)
      const error = this.machine.surroundings.quietly(() => located(this.machine, thrown, () => this.#searchAgain()))
      return { kind: 'error', error, behaviour: this.#behaviour(this.#from) }
    }
    return this.#stop === undefined ? undefined : stopped(this.#stop)
  }

  #searchAgain(): void {
    if (this.#from === NO_PARENT) {
      this.machine.surroundings.progress.level = 0
      this.machine.initial(() => {})
    } else this.machine.next(() => {})
  }

  readonly #visitInitial = () => this.#visit(this.machine.current)
  readonly #visitSuccessor = () => this.#visit(this.machine.primed)

  /** Hot path: allocates nothing unless the state is new. */
  #visit(state: readonly (Canonical | undefined)[]): void {
    const { machine, store } = this
    const { arena, part } = machine
    const { progress } = machine.surroundings
    const generated = ++progress.generated
    const parent = this.#from
    if (parent === NO_PARENT) progress.initial = generated
    else if (part !== undefined) this.coverage.took(part.id, parent)
    const waiting = this.#pendingCount
    const { width } = store
    const row = this.#roomForPending()
    const offset = waiting * width
    for (let variable = 0; variable < width; variable++) row[offset + variable] = arena.code(state[variable]!)
    this.#pendingParts[waiting] = part === undefined ? -1 : part.id
    if (this.#examinesAll) this.#pendingCount++
    else if (this.#add(row, offset, waiting) === ADDED && this.#examinesNew) this.#generatedAt.push(generated)
    if (generated % ASKED_EVERY === 0) this.#stop ??= this.#options.shouldStop?.()
    if (this.#stop !== undefined) throw new Stopped()
  }

  /** The rows, grown if there is no room for the next. */
  #roomForPending(): Int32Array {
    const { width } = this.store
    const { length } = this.#pendingParts
    if (this.#pendingCount < length) return this.#pending
    if (length * width * 2 > MAX_PENDING_WORDS) {
      this.#stop = 'memory'
      throw new Stopped()
    }
    const [rows, parts] = [this.#pending, this.#pendingParts]
    this.#pending = new Int32Array(length * width * 2)
    this.#pending.set(rows)
    this.#pendingParts = new Int32Array(length * 2)
    this.#pendingParts.set(parts)
    return this.#pending
  }

  /** Adds a pending state to the store if it is new. With a VIEW, changes `current`. */
  #add(row: Int32Array, offset: number, pending: number): typeof ADDED | typeof KNOWN | typeof FULL {
    const { store } = this
    const { progress } = this.machine.surroundings
    let number: number
    if (this.#key === undefined) number = store.add(row, offset, this.#from)
    else {
      progress.level = this.#level + 1
      this.#key.write(row, offset, this.#keyRow)
      number = store.add(row, offset, this.#from, this.#keyRow, 0)
    }
    if (number === NO_ROOM) {
      this.#stop = store.size >= (this.#options.maxStates ?? Number.POSITIVE_INFINITY) ? 'states' : 'memory'
      return FULL
    }
    if (number < 0) return KNOWN
    progress.distinct = store.size
    progress.queue = this.#queueAfter(store.size)
    progress.diameter = Math.max(progress.diameter, this.#level + 1)
    const part = this.#pendingParts[pending]!
    if (part >= 0 && this.#from !== NO_PARENT) this.coverage.found(part)
    return ADDED
  }

  /** Checks new states. */
  #examineNew(): Outcome | undefined {
    const { machine, store } = this
    const { progress } = machine.surroundings
    const [first, generated] = [store.size - this.#generatedAt.length, progress.generated]
    for (const [index, generatedThen] of this.#generatedAt.entries()) {
      progress.generated = generatedThen
      progress.distinct = first + index + 1
      progress.queue = this.#queueAfter(first + index + (this.#from === NO_PARENT ? 1 : 0))
      this.#load(first + index)
      const complaint = newStateComplaint(machine, this.#from === NO_PARENT)
      if (complaint !== undefined) return outcomeOf(complaint, this.#behaviour(first + index))
    }
    progress.generated = generated
    this.#generatedAt.length = 0
    return undefined
  }

  /** Checks all found states, and adds those that satisfy the constraints. */
  #examinePending(): Outcome | undefined {
    const { progress } = this.machine.surroundings
    const generated = progress.generated
    for (let pending = 0; pending < this.#pendingCount; pending++) {
      progress.generated = this.#generatedBefore + pending + 1
      const complaint = this.#examine(pending)
      if (complaint !== undefined) return outcomeOf(complaint, this.#behaviour(this.#from, this.#state(pending)))
      if (this.#stop === 'states' || this.#stop === 'memory') return undefined
    }
    progress.generated = generated
    return undefined
  }

  #examine(pending: number): Complaint | undefined {
    const { machine, store } = this
    const { progress } = machine.surroundings
    const isInitial = this.#from === NO_PARENT
    this.#enterPending(pending)
    let failing = firstComplaint(machine, 'constraint', machine.constraints)
    if (failing === undefined && !isInitial && machine.actionConstraints.length > 0) {
      failing = this.#inStep(pending, 'constraint', machine.actionConstraints)
    }
    if (failing?.error !== undefined) return failing
    const offset = pending * store.width
    // A state that fails a constraint is not stored, so it always counts as new.
    let added: typeof ADDED | typeof KNOWN | typeof FULL
    try {
      added = failing === undefined ? this.#add(this.#pending, offset, pending) : ADDED
    } catch (error) {
      return viewComplaint(machine, error)
    }
    if (added === FULL) return undefined
    // TLC queues an initial state before it is checked, and a successor after.
    const isQueuedLater = added === ADDED && failing === undefined && !isInitial
    if (isQueuedLater) progress.queue--
    if (added === ADDED) {
      this.#enterPending(pending)
      const complaint = newStateComplaint(machine, isInitial)
      if (complaint !== undefined) return complaint
    }
    if (!isInitial && machine.stepProperties.length > 0) {
      const complaint = this.#inStep(pending, 'property', machine.stepProperties)
      if (complaint !== undefined) return complaint
    }
    if (isQueuedLater) progress.queue++
    return undefined
  }

  /** The length of the queue with the first `states`, of which those up to `#from` are expanded. */
  #queueAfter(states: number): number {
    return states - (this.#from + 1)
  }

  /** Checks formulas on the step that led to a pending state. */
  #inStep(pending: number, kind: Complaint['kind'], formulas: readonly Formula[]): Complaint | undefined {
    const { machine } = this
    this.#load(this.#from)
    for (const [variable, value] of this.#state(pending).entries()) machine.primed[variable] = value
    const complaint = firstComplaint(machine, kind, formulas)
    // Later evaluation would take leftover values for assignments.
    machine.primed.fill(undefined)
    return complaint
  }

  /** The behaviour to a state of the store, and from there to `last`, which is not in it. */
  #behaviour(number: number, last?: State): Behaviour {
    const states = number === NO_PARENT ? [] : statesTo(this.machine, this.store, number)
    if (last !== undefined) states.push(last)
    return this.machine.surroundings.quietly(() => behaviourOf(this.machine, states))
  }

  /** The states up to the current one, as records, for TLCExt. */
  #trace(): Value {
    const { machine, store } = this
    const states = this.#at === NO_PARENT ? [] : statesTo(machine, store, this.#at)
    if (this.#atPending >= 0) states.push(this.#state(this.#atPending))
    return machine.arena.tuple(states.map((state) => stateRecord(machine, state)))
  }

  /** Makes a state of the store the current one. */
  #load(number: number): void {
    this.#random.enter()
    this.#at = number
    this.#atPending = -1
    const { current, arena, surroundings } = this.machine
    surroundings.progress.level = number === this.#from ? this.#level : this.#level + 1
    for (let variable = 0; variable < this.store.width; variable++) {
      current[variable] = arena.decode(this.store.codeAt(number, variable))
    }
  }

  /** Makes a pending state the current one. */
  #enterPending(pending: number): void {
    enter(this.machine, this.#state(pending))
    this.#at = this.#from
    this.#atPending = pending
    this.machine.surroundings.progress.level = this.#level + 1
  }

  #state(pending: number): State {
    const { width } = this.store
    const row = this.#pending.subarray(pending * width, (pending + 1) * width)
    return Array.from(row, (code) => this.machine.arena.decode(code))
  }
}

const [ADDED, KNOWN, FULL] = [1, 2, 3] as const
