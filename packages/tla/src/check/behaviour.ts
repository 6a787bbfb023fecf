/**
 * A behaviour: states from an initial one on, each with the step that led to it, as in a
 * counterexample.
 *
 * Exploration keeps only the parent of each state. The part of the next-state relation that led to
 * a state, and its parameters, are found by computing the successors again: evaluation is
 * deterministic.
 */
import { place, TlaError } from '../error/error.ts'
import type { ActionPart, Machine, State } from '../evaluate/machine.ts'
import { canonical } from '../values/canonical.ts'
import type { Canonical, Value } from '../values/value.ts'
import { StateRandom } from './state-random.ts'
import { NO_PARENT, type StateStore } from './state-store.ts'

export interface Step {
  readonly state: State
  /**
   * The action that led here; undefined for an initial state, and if computing the step again did
   * not reproduce it (random choices, say).
   */
  readonly part: ActionPart | undefined
  /** The values of the parameters of `part`. */
  readonly parameters: readonly Value[]
  /** The value of the ALIAS that the configuration names. */
  readonly alias: Value | undefined
}

export type Behaviour = readonly Step[]

/** The states from an initial one to state `number`. */
export function statesTo(machine: Machine, store: StateStore, number: number): State[] {
  const states: State[] = []
  for (let at = number; at !== NO_PARENT; at = store.parentOf(at)) {
    const codes = Array.from({ length: store.width }, (_, variable) => store.codeAt(at, variable))
    states.push(codes.map((code) => machine.arena.decode(code)))
  }
  return states.reverse()
}

/** Finds the step that led to each state. Changes `current` of the machine. */
export function behaviourOf(machine: Machine, states: readonly State[]): Behaviour {
  const steps = states.map((state, at) => {
    const { part, parameters } =
      at === 0 ? { part: undefined, parameters: [] } : stepBetween(machine, states[at - 1]!, state, at)
    return { state, part, parameters }
  })
  const aliases = aliasesOf(machine, states)
  return steps.map((step, at) => ({ ...step, alias: aliases[at] }))
}

/** The value of the alias in each state. Changes `current` of the machine. */
export function aliasesOf(machine: Machine, states: readonly State[]): readonly (Value | undefined)[] {
  const { surroundings, arena } = machine
  const { trace, progress } = surroundings
  try {
    return states.map((state, at) => {
      progress.level = at + 1
      progress.ahead = at + 1 < states.length ? 1 : 0
      surroundings.trace = () => arena.tuple(states.slice(0, at + 1).map((each) => stateRecord(machine, each)))
      return aliasOf(machine, state, states[at + 1] ?? state)
    })
  } finally {
    surroundings.trace = trace
    progress.ahead = 1
  }
}

/** @param level of the state `from` */
function stepBetween(machine: Machine, from: State, to: State, level: number): Pick<Step, 'part' | 'parameters'> {
  let part: ActionPart | undefined
  let parameters: readonly Value[] = []
  enter(machine, from)
  machine.surroundings.progress.level = level
  try {
    machine.next(() => {
      if (part !== undefined || to.some((value, variable) => machine.primed[variable] !== value)) return
      part = machine.part
      parameters = [...machine.parameters()]
    })
  } catch (error) {
    // The step was found before the error, or it depends on random choices.
    if (!(error instanceof TlaError)) throw error
  }
  return { part, parameters }
}

/**
 * As in TLC, the last state counts as its own successor, and an alias that fails is replaced by the
 * state with the error, so that the behaviour is still reported.
 */
function aliasOf(machine: Machine, state: State, next: State): Value | undefined {
  const { alias } = machine
  if (alias === undefined) return undefined
  enter(machine, state)
  for (let variable = 0; variable < next.length; variable++) machine.primed[variable] = next[variable]
  const evaluate = () => canonical(alias.evaluate())
  try {
    return evaluate()
  } catch (error) {
    if (!(error instanceof TlaError)) throw error
    return withError(machine, state, error.isFatal ? error : machine.locate(error, () => void evaluate()))
  } finally {
    machine.primed.fill(undefined)
  }
}

/** A state as a record, with an error in a field that has TLC's name. */
function withError({ arena, variables }: Machine, state: State, { at, message }: TlaError): Canonical {
  const shape = arena.shape([...variables, ALIAS_ERROR])
  const error = arena.string(at === undefined ? message : `${place(at)}: ${message}`)
  return arena.record(
    shape,
    shape.names.map((name) => (name === ALIAS_ERROR ? error : state[variables.indexOf(name)]!)),
  )
}

const ALIAS_ERROR = '_ALIASEvalError'

/** A state as a record by variable. */
export function stateRecord({ arena, variables }: Machine, state: State): Canonical {
  const shape = arena.shape(variables)
  return arena.record(
    shape,
    shape.names.map((name) => state[variables.indexOf(name)]!),
  )
}

/** Makes a state the machine's current one. */
export function enter(machine: Machine, state: State): void {
  const { random } = machine.surroundings
  if (random instanceof StateRandom) random.enter()
  for (let variable = 0; variable < state.length; variable++) machine.current[variable] = state[variable]!
}
