/**
 * Follows a recorded trace: actions by name with their parameters, one after another.
 *
 * Every entry is `{"action": "Decide", "parameters": ["committed"]}`; parameters in order, or an
 * object by name. A nondeterministic specification has several states at once; an action continues
 * from those in which it is enabled.
 */
import { TlaError } from '../error/error.ts'
import { didYouMean } from '../error/nearest.ts'
import type { Machine } from '../evaluate/machine.ts'
import type { Tuple } from '../values/value.ts'
import { Follower, MAX_OPEN_STATES, NotFollowed, Refused } from './follower.ts'
import { type TraceEntry, TraceFileError } from './trace-file.ts'

/** A state after a step. */
interface Led {
  readonly state: Tuple
  /** A predecessor (the first found); undefined for initial states. */
  readonly from: Tuple | undefined
}

export interface FollowedStep {
  /** 0 for the initial states. */
  readonly line: number
  readonly action: string
  readonly parameters: readonly unknown[]
  readonly led: readonly Led[]
}

export type FollowEnd =
  | { readonly ended: 'followed'; readonly states: number }
  /** `reasons` are distinct, from all open states. */
  | { readonly ended: 'disabled'; readonly step: Omit<FollowedStep, 'led'>; readonly reasons: readonly string[] }
  | { readonly ended: 'error'; readonly step: Omit<FollowedStep, 'led'>; readonly message: string }
  | { readonly ended: 'broken invariant'; readonly step: FollowedStep; readonly why: string }
  /** The specification has no initial state, or more states are open than the bound. */
  | { readonly ended: 'undecided'; readonly step: Omit<FollowedStep, 'led'>; readonly why: string }

const FIELDS = ['action', 'parameters']
/** Fields of entries that only `validate` reads. */
const VALIDATED = ['state', 'before', 'steps', 'actions', 'where']

/**
 * Follows a trace to its end, or to the step that cannot be followed.
 *
 * @param visit called with the initial states (line 0), then with every step
 * @throws TraceFileError for an unknown action or wrong parameters
 */
export function followTrace(
  machine: Machine,
  path: string,
  entries: readonly TraceEntry[],
  visit: (step: FollowedStep) => void,
): FollowEnd {
  const follower = new Follower(machine)
  const holding = new Set<Tuple>()
  const init = { line: 0, action: 'Init', parameters: [] }
  let states: readonly Tuple[]
  try {
    states = follower.begin()
    const begun = { ...init, led: states.map((state) => ({ state, from: undefined })) }
    const why = firstBroken(follower, states, holding)
    visit(begun)
    if (why !== undefined) return { ended: 'broken invariant', step: begun, why }
  } catch (error) {
    return endOf(error, init)
  }
  for (const entry of entries) {
    const step = { line: entry.line, ...calledBy(machine, path, entry) }
    const from = new Map<Tuple, Tuple>()
    const reasons = new Set<string>()
    let why: string | undefined
    try {
      for (const state of states) {
        const next = follower.perform(state, step.action, step.parameters)
        if (next instanceof Refused) reasons.add(next.reason)
        else for (const one of next) if (!from.has(one)) from.set(one, state)
      }
      why = firstBroken(follower, from.keys(), holding)
    } catch (error) {
      if (isEnd(error)) return endOf(error, step)
      throw new TraceFileError(path, entry.line, (error as Error).message)
    }
    if (from.size === 0) return { ended: 'disabled', step, reasons: [...reasons] }
    if (from.size > MAX_OPEN_STATES) {
      const many = `more than ${MAX_OPEN_STATES} states are open: give actions more parameters`
      return { ended: 'undecided', step, why: many }
    }
    const followed = { ...step, led: Array.from(from, ([state, before]) => ({ state, from: before })) }
    visit(followed)
    if (why !== undefined) return { ended: 'broken invariant', step: followed, why }
    states = [...from.keys()]
  }
  return { ended: 'followed', states: states.length }
}

/** @param holding cache of the states in which all invariants hold */
function firstBroken(follower: Follower, states: Iterable<Tuple>, holding: Set<Tuple>): string | undefined {
  for (const state of states) {
    if (holding.has(state)) continue
    const why = follower.brokenInvariant(state)
    if (why !== undefined) return why
    holding.add(state)
  }
  return undefined
}

/** Whether an error is the specification's, and not an entry's. */
function isEnd(error: unknown): error is Error {
  return error instanceof NotFollowed || (error instanceof Error && error.cause instanceof TlaError)
}

function endOf(error: unknown, step: Omit<FollowedStep, 'led'>): FollowEnd {
  if (!isEnd(error)) throw error
  const { message } = error
  return error instanceof NotFollowed ? { ended: 'undecided', step, why: message } : { ended: 'error', step, message }
}

/** @throws TraceFileError */
function calledBy(machine: Machine, path: string, { line, data }: TraceEntry) {
  const complain = (problem: string): never => {
    throw new TraceFileError(path, line, problem)
  }
  for (const field of Object.keys(data)) {
    if (FIELDS.includes(field)) continue
    if (VALIDATED.includes(field)) {
      complain(`\`${field}\` is a field of \`validate\` entries: remove it, or run \`validate\` instead of \`follow\``)
    }
    const advice =
      didYouMean(field, FIELDS) || ': known are `action` and `parameters`; read other logs with `validate --map`'
    complain(`unknown field '${field}'${advice}`)
  }
  const { action, parameters = [] } = data
  if (typeof action !== 'string') return complain('`action` is missing, as in {"action": "Send", "parameters": [1]}')
  if (Array.isArray(parameters)) return { action, parameters: parameters as readonly unknown[] }
  if (typeof parameters !== 'object' || parameters === null) {
    return complain('`parameters` must be a list, or an object by name')
  }
  const names = machine.action(action)?.parameters
  if (names === undefined) return { action, parameters: Object.values(parameters) }
  const byName = parameters as Record<string, unknown>
  const unknown = Object.keys(byName).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const advice = didYouMean(unknown, names) || `; it has ${names.join(', ') || 'none'}`
    complain(`the action ${action} has no parameter '${unknown}'${advice}`)
  }
  const missing = names.find((name) => !Object.hasOwn(byName, name))
  if (missing !== undefined) complain(`the parameter '${missing}' of ${action} is missing`)
  return { action, parameters: names.map((name) => byName[name]) }
}
