/**
 * Random behaviours, for state spaces that are too large to explore: each begins in an initial
 * state drawn uniformly, and continues with successors drawn uniformly, up to a depth or to a state
 * without successors.
 *
 * By TLC's rules: all successors of a state are examined, not only the one drawn; states that fail
 * a constraint are not drawn. A state without successors is a deadlock; a state all of whose
 * successors fail a constraint only ends its behaviour.
 *
 * Invariant: everything is a function of the seed. Examined states are stored, as far as memory
 * allows, so that their invariants are evaluated once.
 */

import { type Random, randomFrom } from '#shared/random'
import type { ActionPart, Machine, State } from '../evaluate/machine.ts'
import type { Value } from '../values/value.ts'
import { aliasesOf, type Behaviour, enter, type Step, stateRecord } from './behaviour.ts'
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
import type { StopReason } from './explore.ts'
import type { BoundName, Outcome } from './outcome.ts'
import { type StateKey, stateKey } from './state-key.ts'
import { NO_PARENT, StateStore } from './state-store.ts'

export interface SimulateOptions {
  readonly behaviours: number
  /** Maximum number of states of a behaviour. */
  readonly maxDepth: number
  readonly seed: number
  /** Whether a state without successors is an error. */
  readonly deadlock: boolean
  /** Bound on the store of examined states. */
  readonly maxBytes?: number
  /** Called before and regularly during each step. */
  readonly shouldStop?: () => StopReason | undefined
}

/** A successor that may be drawn. */
interface Candidate {
  readonly state: State
  readonly part: ActionPart | undefined
  readonly parameters: readonly Value[]
}

/** Bound on the states drawn from. */
const MAX_CANDIDATES = 1_000_000
const ASKED_EVERY = 1024
/** Seed words that separate the draws of behaviours from random choices in evaluation. */
const [DRAWS, EVALUATION] = [1, 2]

export class Simulation {
  readonly machine: Machine
  readonly coverage: Coverage
  readonly #options: SimulateOptions
  readonly #seen: StateStore
  readonly #key: StateKey | undefined
  readonly #row: Int32Array
  readonly #keyRow: Int32Array
  #candidates: Candidate[] = []
  /** The current behaviour. */
  #steps: Candidate[] = []
  #expanded = 0
  /** An error in a constraint, which ends the simulation. */
  #failed: Outcome | undefined
  #stop: BoundName | 'interrupted' | undefined

  constructor(machine: Machine, options: SimulateOptions) {
    this.machine = machine
    this.#options = options
    this.#key = stateKey(machine)
    const width = machine.variables.length
    this.#row = new Int32Array(width)
    this.#keyRow = new Int32Array(this.#key?.width ?? 0)
    this.#seen = new StateStore({ width, keyWidth: this.#key?.width, maxBytes: options.maxBytes })
    this.coverage = new Coverage(machine.parts)
    const { surroundings } = machine
    surroundings.mode = 'simulate'
    surroundings.run = { depth: options.maxDepth, behaviours: options.behaviours, deadlock: options.deadlock }
    surroundings.trace = () => machine.arena.tuple(this.#steps.map(({ state }) => stateRecord(machine, state)))
  }

  /** May be called once. */
  run(): Outcome {
    const { machine } = this
    const { progress } = machine.surroundings
    const wrong = inNoState(machine, 'assumption', machine.assumptions)
    if (wrong !== undefined) return wrong
    if (machine.variables.length === 0) return { kind: 'passed' }
    this.#reseed(0, 0)
    const begun = this.#find(() => machine.initial(this.#visitInitial))
    if (begun !== undefined) return begun
    if (this.#candidates.length === 0) return { kind: 'no initial state' }
    const initial = this.#candidates
    for (let number = 1; number <= this.#options.behaviours; number++) {
      progress.traces = number
      const outcome = this.#behave(number, initial) ?? (machine.surroundings.isOver ? stopped('exit') : undefined)
      if (outcome === undefined) continue
      return isEndedByItself(outcome) ? (this.#postcondition() ?? outcome) : outcome
    }
    return this.#postcondition() ?? { kind: 'passed' }
  }

  #postcondition(): Outcome | undefined {
    return inNoState(this.machine, 'postcondition', this.machine.postconditions)
  }

  #behave(number: number, initial: readonly Candidate[]): Outcome | undefined {
    const { machine } = this
    const { maxDepth, deadlock, shouldStop } = this.#options
    const { progress } = machine.surroundings
    const draws = randomFrom(this.#options.seed, DRAWS, number)
    this.#steps = []
    let next = this.#draw(draws, [...initial])
    while (next !== undefined) {
      this.#steps.push(next)
      progress.diameter = Math.max(progress.diameter, this.#steps.length)
      if (this.#steps.length >= maxDepth) return undefined
      this.#stop = machine.surroundings.isOver ? 'exit' : shouldStop?.()
      if (this.#stop !== undefined) return stopped(this.#stop)
      this.#reseed(number, this.#steps.length)
      this.#enterLast()
      this.#expanded++
      const before = progress.generated
      const outcome = this.#find(() => machine.next(this.#visitSuccessor))
      if (outcome !== undefined) return outcome
      if (deadlock && progress.generated === before) return { kind: 'deadlock', behaviour: this.#behaviour() }
      next = this.#draw(draws, this.#candidates)
    }
    return this.#failed
  }

  /**
   * Draws a candidate that satisfies the constraints; undefined if there is none, or if a
   * constraint fails to evaluate: then `#failed` is set. Removes the drawn ones from the list.
   */
  #draw(draws: Random, candidates: Candidate[]): Candidate | undefined {
    while (candidates.length > 0) {
      const at = draws.integer(0, candidates.length - 1)
      const drawn = candidates[at]!
      candidates[at] = candidates[candidates.length - 1]!
      candidates.pop()
      const complaint = this.#constrained(drawn)
      if (complaint === undefined) return drawn
      if (complaint.error === undefined) continue
      this.#failed = outcomeOf(complaint, this.#behaviour(drawn))
      return undefined
    }
    return undefined
  }

  /** The constraint that is false or failed to evaluate. */
  #constrained(candidate: Candidate): Complaint | undefined {
    const { machine } = this
    this.#enter(candidate)
    const complaint = firstComplaint(machine, 'constraint', machine.constraints)
    if (complaint !== undefined || this.#steps.length === 0) return complaint
    return this.#inStep(candidate, () => firstComplaint(machine, 'constraint', machine.actionConstraints))
  }

  #find(search: () => void): Outcome | undefined {
    this.#candidates = []
    const thrown = errorOf(search)
    for (const candidate of this.#candidates) {
      const complaint = this.#examine(candidate)
      if (complaint !== undefined) return outcomeOf(complaint, this.#behaviour(candidate))
    }
    if (thrown !== undefined) {
      const error = this.machine.surroundings.quietly(() => located(this.machine, thrown, () => this.#searchAgain()))
      return { kind: 'error', error, behaviour: this.#behaviour() }
    }
    return this.#stop === undefined ? undefined : stopped(this.#stop)
  }

  #searchAgain(): void {
    const from = this.#steps.at(-1)
    this.#reseed(from === undefined ? 0 : this.machine.surroundings.progress.traces, this.#steps.length)
    if (from === undefined) {
      this.machine.surroundings.progress.level = 0
      this.machine.initial(() => {})
      return
    }
    this.#enterLast()
    this.machine.next(() => {})
  }

  readonly #visitInitial = () => this.#visit(this.machine.current as State)
  readonly #visitSuccessor = () => this.#visit(this.machine.primed as State)

  #visit(state: State): void {
    const { machine } = this
    const { part } = machine
    const generated = ++machine.surroundings.progress.generated
    const isStep = this.#steps.length > 0
    if (!isStep) machine.surroundings.progress.initial = generated
    if (isStep && part !== undefined) this.coverage.took(part.id, this.#expanded)
    if (this.#candidates.length < MAX_CANDIDATES) {
      this.#candidates.push({
        state: [...state],
        part: isStep ? part : undefined,
        parameters: isStep ? [...machine.parameters()] : [],
      })
    }
    if (generated % ASKED_EVERY === 0) this.#stop ??= this.#options.shouldStop?.()
    if (this.#stop !== undefined) throw new Stopped()
  }

  #examine(candidate: Candidate): Complaint | undefined {
    const { machine } = this
    this.#enter(candidate)
    let isNew: boolean
    try {
      isNew = this.#isNew(candidate)
    } catch (error) {
      return viewComplaint(machine, error)
    }
    if (isNew) {
      this.#enter(candidate)
      const complaint = newStateComplaint(machine, this.#steps.length === 0)
      if (complaint !== undefined) return complaint
    }
    if (this.#steps.length === 0 || machine.stepProperties.length === 0) return undefined
    return this.#inStep(candidate, () => firstComplaint(machine, 'property', machine.stepProperties))
  }

  /** Runs `run` with the step from the last state to the candidate as `current` and `primed`. */
  #inStep<Result>({ state }: Candidate, run: () => Result): Result {
    const { machine } = this
    this.#enterLast()
    for (const [variable, value] of state.entries()) machine.primed[variable] = value
    try {
      return run()
    } finally {
      machine.primed.fill(undefined)
    }
  }

  /** Makes a candidate for the next state the current one. */
  #enter({ state }: Candidate): void {
    this.machine.surroundings.progress.level = this.#steps.length + 1
    enter(this.machine, state)
  }

  /** Makes the last state of the behaviour the current one. */
  #enterLast(): void {
    this.machine.surroundings.progress.level = this.#steps.length
    enter(this.machine, this.#steps.at(-1)!.state)
  }

  /** Stores the state; without room for it, it counts as new. */
  #isNew({ state, part }: Candidate): boolean {
    const { machine } = this
    const { progress } = machine.surroundings
    for (const [variable, value] of state.entries()) this.#row[variable] = machine.arena.code(value)
    let key = this.#row
    if (this.#key !== undefined) {
      key = this.#keyRow
      this.#key.write(this.#row, 0, key)
    }
    const number = this.#seen.add(this.#row, 0, NO_PARENT, key, 0)
    if (number < 0) return !this.#seen.has(key)
    progress.distinct = this.#seen.size
    if (part !== undefined) this.coverage.found(part.id)
    return true
  }

  #behaviour(last?: Candidate): Behaviour {
    const steps = last === undefined ? this.#steps : [...this.#steps, last]
    const aliases = aliasesOf(
      this.machine,
      steps.map(({ state }) => state),
    )
    return steps.map((step, at): Step => ({ ...step, alias: aliases[at] }))
  }

  /** Makes the specification's random choices a function of the behaviour and the step. */
  #reseed(behaviour: number, step: number): void {
    this.machine.surroundings.random = randomFrom(this.#options.seed, EVALUATION, behaviour, step)
  }
}
