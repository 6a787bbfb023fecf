/**
 * Events: the steps that an entry of a trace stands for, with the observations before and after.
 *
 *     {"action": "Commit", "parameters": ["s2", 3, null], "state": {"commit": {"s2": 7}}}
 *
 * The fields are those of `LogEvent` (log-map.ts). An entry that names no action stands for a step
 * of [Next]_vars.
 */

import { didYouMean } from '../error/nearest.ts'
import type { Machine, NamedAction } from '../evaluate/machine.ts'
import { unknownAction, wrongCount } from '../follow/follower.ts'
import type { TraceEntry } from '../follow/trace-file.ts'
import { type Expression, expressionOf, plainExpression } from './expression.ts'
import { type Observed, observed } from './observation.ts'
import { TlaExpression } from './tla-expression.ts'

/** Stands for a parameter that the trace does not give. */
export const UNKNOWN = Symbol('unknown')

/** An action, repeated between `least` and `most` times. */
export interface Taken {
  /** Undefined for any step of the next-state relation. */
  readonly action: NamedAction | undefined
  /** Plain data, or `UNKNOWN`, for each parameter. */
  readonly given: readonly unknown[]
  /** Conditions on the parameters and the step; without an action, on the step alone. */
  readonly where: readonly Expression[]
  readonly least: number
  readonly most: number
}

/** One of the alternatives that an entry may stand for. */
export interface Meaning {
  /** Taken in this order. */
  readonly steps: readonly Taken[]
  readonly before: readonly Observed[]
  readonly after: readonly Observed[]
}

export interface Event {
  readonly entry: TraceEntry
  /** At least one. */
  readonly meanings: readonly Meaning[]
}

/** Bound on the repetitions of one action in an entry. */
const MAX_STEPS = 100

const FIELDS = ['action', 'parameters', 'where', 'actions', 'steps', 'before', 'state'] as const

/** @throws Error without the line of the entry; TlaError of an expression */
export function meaningOf(machine: Machine, data: Readonly<Record<string, unknown>>): Meaning {
  const known: readonly string[] = FIELDS
  for (const field of Object.keys(data)) {
    if (known.includes(field)) continue
    const advice = didYouMean(field, known) || `: known are ${FIELDS.join(', ')}; read other logs with a mapper (--map)`
    throw new Error(`unknown field '${field}'${advice}`)
  }
  const { actions, before, state } = data
  const other = ['action', 'parameters', 'where', 'steps'].find((field) => data[field] !== undefined)
  if (actions !== undefined && other !== undefined) {
    throw new Error(`\`actions\` cannot be combined with '${other}': put '${other}' into its items`)
  }
  const sight = (seen: unknown, field: string) => {
    if (seen === undefined || seen === null) return []
    if (typeof seen === 'object' && !Array.isArray(seen)) return observed(machine, seen as Record<string, unknown>)
    const found = JSON.stringify(seen)
    throw new Error(`\`${field}\` must be an object by variables, as in {"commit": {"s2": 7}}, found ${found}`)
  }
  return {
    steps: actions === undefined ? [taken(machine, data)] : listed(machine, actions),
    before: sight(before, 'before'),
    after: sight(state, 'state'),
  }
}

function listed(machine: Machine, actions: unknown): readonly Taken[] {
  const example = '[{"action": "A"}, {"action": "B"}]'
  if (!Array.isArray(actions)) {
    throw new Error(`\`actions\` must be a list, as in ${example}, found ${JSON.stringify(actions)}`)
  }
  return actions.map((one: unknown) => {
    if (typeof one !== 'object' || one === null || typeof (one as { action?: unknown }).action !== 'string') {
      throw new Error(
        `each item of \`actions\` must have an \`action\`, as in ${example}, found ${JSON.stringify(one)}`,
      )
    }
    const other = Object.keys(one).find((field) => !['action', 'parameters', 'where', 'steps'].includes(field))
    if (other !== undefined) {
      throw new Error(`unknown field '${other}' in \`actions\`: known are action, parameters, where, steps`)
    }
    return taken(machine, one as Record<string, unknown>)
  })
}

function taken(machine: Machine, data: Readonly<Record<string, unknown>>): Taken {
  const { action, parameters, where, steps } = data
  if (action === undefined || action === '*') {
    if (parameters !== undefined) throw new Error('`parameters` without an action: name the action in `action`')
    if (where !== undefined && action === undefined) {
      throw new Error('`where` without an action: name the action in `action`, or "*" for any step')
    }
    const [least, most] = times(steps, action === undefined ? [0, 1] : [1, 1])
    return { action: undefined, given: [], where: conditions(machine, [], where), least, most }
  }
  if (typeof action !== 'string')
    throw new Error(`\`action\` must be the name of an action, found ${JSON.stringify(action)}`)
  const named = actionNamed(machine, action)
  const [least, most] = times(steps, [1, 1])
  return {
    action: named,
    given: givenOf(named, parameters),
    where: conditions(machine, named.parameters, where),
    least,
    most,
  }
}

function conditions(machine: Machine, parameters: readonly string[], where: unknown): readonly Expression[] {
  if (where === undefined || where === null) return []
  const all: readonly unknown[] = Array.isArray(where) ? where : [where]
  return all.map((one) => {
    if (one instanceof TlaExpression) return expressionOf(machine, one.template(machine), parameters)
    if (typeof one === 'string') return expressionOf(machine, plainExpression(one), parameters)
    throw new Error(`\`where\` must be an expression over the parameters, or a list, found ${JSON.stringify(where)}`)
  })
}

/** `machine.action` compiles a new action at each call. */
const ACTIONS = new WeakMap<Machine, Map<string, NamedAction>>()

/** @throws Error with the likeliest names */
export function actionNamed(machine: Machine, name: string): NamedAction {
  let actions = ACTIONS.get(machine)
  if (actions === undefined) ACTIONS.set(machine, (actions = new Map()))
  const known = actions.get(name)
  if (known !== undefined) return known
  const made = machine.action(name)
  if (made === undefined) throw new Error(unknownAction(machine, name))
  actions.set(name, made)
  return made
}

function givenOf(action: NamedAction, parameters: unknown): readonly unknown[] {
  const { name, parameters: names } = action
  if (parameters === undefined || parameters === null) return names.map(() => UNKNOWN)
  if (Array.isArray(parameters)) {
    if (parameters.length !== names.length) throw new Error(wrongCount(action, parameters.length))
    return parameters.map((parameter) => parameter ?? UNKNOWN)
  }
  if (typeof parameters !== 'object') {
    throw new Error(`\`parameters\` must be a list or an object by name, found ${JSON.stringify(parameters)}`)
  }
  const given = parameters as Record<string, unknown>
  for (const parameter of Object.keys(given)) {
    if (names.includes(parameter)) continue
    const near = didYouMean(parameter, names)
    throw new Error(
      `the action ${name} has no parameter '${parameter}'${near === '' ? `; it has ${names.join(', ') || 'none'}` : near}`,
    )
  }
  return names.map((parameter) => (Object.hasOwn(given, parameter) ? (given[parameter] ?? UNKNOWN) : UNKNOWN))
}

function times(steps: unknown, unlessSet: readonly [number, number]): readonly [number, number] {
  if (steps === undefined) return unlessSet
  const [least, most] = Array.isArray(steps) && steps.length === 2 ? (steps as unknown[]) : [steps, steps]
  const isCount = (count: unknown): count is number => Number.isInteger(count) && (count as number) >= 0
  if (isCount(least) && isCount(most) && least <= most && most <= MAX_STEPS) return [least, most]
  throw new Error(`\`steps\` must be a number from 0 to ${MAX_STEPS} or [least, most], found ${JSON.stringify(steps)}`)
}
