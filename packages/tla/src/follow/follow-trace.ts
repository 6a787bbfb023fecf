/**
 * Follows a recorded trace: actions by name with their parameters, one after another, to the states that they lead to.
 *
 * Every entry is `{"action": "Decide", "parameters": ["committed"]}`; parameters in order, or an object by their names.
 * Where the specification leaves something open there are several states, and an action that is possible in some of them
 * goes on from those.
 */
import { Disabled } from '../../../norn/src/model/definition.ts'
import { Identities } from '../../../norn/src/model/identities.ts'
import { MAX_OPEN } from '../../../norn/src/model/remembering.ts'
import { TlaError } from '../error.ts'
import type { Machine } from '../evaluate/machine.ts'
import { didYouMean } from '../nearest.ts'
import { type TraceEntry, TraceFileError } from '../trace-file.ts'
import { SharedMachine } from './shared-machine.ts'
import { NotFollowed, TlaKind, type TlaState } from '../../../norn/src/tla/tla-kind.ts'

/** A state that a step led to. */
export interface Led {
  readonly state: TlaState
  /** From where; the first, if several lead to it. Undefined for initial states. */
  readonly from: TlaState | undefined
}

export interface FollowedStep {
  readonly line: number
  readonly action: string
  readonly parameters: readonly unknown[]
  readonly led: readonly Led[]
}

export type FollowEnd =
  | { readonly ended: 'followed'; readonly states: number }
  /** `reasons`, one for each state that was open. */
  | { readonly ended: 'disabled'; readonly step: Omit<FollowedStep, 'led'>; readonly reasons: readonly string[] }
  | { readonly ended: 'error'; readonly step: Omit<FollowedStep, 'led'>; readonly message: string }
  | { readonly ended: 'broken invariant'; readonly step: FollowedStep; readonly why: string }
  /** The specification has no state to begin with, or leaves more open than are followed. */
  | { readonly ended: 'undecided'; readonly step: Omit<FollowedStep, 'led'>; readonly why: string }

const FIELDS = ['action', 'parameters']
/** Of entries that are validated. */
const VALIDATED = ['state', 'before', 'steps', 'actions', 'where']

/**
 * Follows a trace to its end, or to where it cannot be followed.
 *
 * @param told told the initial states (line 0), then every step
 * @throws TraceFileError for an unknown action or parameters that are none
 */
export function followTrace(
  machine: Machine,
  path: string,
  entries: readonly TraceEntry[],
  told: (step: FollowedStep) => void,
): FollowEnd {
  const kind = new TlaKind(new SharedMachine(machine), { identities: new Identities() })
  const init = { line: 0, action: 'Init', parameters: [] }
  let states: readonly TlaState[]
  try {
    states = kind.begin()
  } catch (error) {
    return endOf(error, init)
  }
  const begun = { ...init, led: states.map((state) => ({ state, from: undefined })) }
  told(begun)
  const broken = states.find((state) => state.broken !== undefined)
  if (broken !== undefined) return { ended: 'broken invariant', step: begun, why: broken.broken! }
  for (const entry of entries) {
    const step = { line: entry.line, ...calledBy(machine, path, entry) }
    const led = new Map<TlaState, TlaState>()
    const reasons: string[] = []
    for (const from of states) {
      try {
        const next = kind.perform(from, step.action, step.parameters)
        if (next instanceof Disabled) reasons.push(next.reason)
        else for (const state of next) if (!led.has(state)) led.set(state, from)
      } catch (error) {
        if (isEnd(error)) return endOf(error, step)
        throw new TraceFileError(path, entry.line, (error as Error).message)
      }
    }
    if (led.size === 0) return { ended: 'disabled', step, reasons: [...new Set(reasons)] }
    if (led.size > MAX_OPEN) {
      return { ended: 'undecided', step, why: `more than ${MAX_OPEN} states are open; give actions more parameters` }
    }
    const done = { ...step, led: Array.from(led, ([state, from]) => ({ state, from })) }
    told(done)
    states = [...led.keys()]
    const broken = states.find((state) => state.broken !== undefined)
    if (broken !== undefined) return { ended: 'broken invariant', step: done, why: broken.broken! }
  }
  return { ended: 'followed', states: states.length }
}

/** Whether an error is the specification's, and not that of an entry. */
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
      complain(
        `an entry with \`${field}\` is one to validate: norn tla validate takes it; to follow, an entry has action and parameters`,
      )
    }
    complain(
      `unknown field '${field}'${didYouMean(field, FIELDS) || ': an entry has action and parameters; norn tla validate reads logs of any form'}`,
    )
  }
  const { action, parameters = [] } = data
  if (typeof action !== 'string')
    return complain('an entry names an action, as in {"action": "Send", "parameters": [1]}')
  if (Array.isArray(parameters)) return { action, parameters: parameters as readonly unknown[] }
  const names = machine.action(action)?.parameters
  if (typeof parameters !== 'object' || parameters === null) {
    return complain('`parameters` is a list, or an object by their names')
  }
  if (names === undefined) return { action, parameters: Object.values(parameters) }
  const byName = parameters as Record<string, unknown>
  const unknown = Object.keys(byName).find((name) => !names.includes(name))
  const missing = names.find((name) => !Object.hasOwn(byName, name))
  if (unknown !== undefined) {
    complain(
      `the action ${action} has no parameter '${unknown}'${didYouMean(unknown, names) || `; it has ${names.join(', ')}`}`,
    )
  }
  if (missing !== undefined) complain(`the parameter '${missing}' of ${action} is missing`)
  return { action, parameters: names.map((name) => byName[name]) }
}
