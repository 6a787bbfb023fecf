/**
 * The map of a log: a JSON file that says which actions the entries of a log stand for.
 *
 * ```json
 * {
 *   "event": "$.msg",
 *   "events": {
 *     "became leader": { "action": "BecomeLeader", "parameters": ["$.node", "$.term"] },
 *     "committed": { "action": "Commit", "parameters": { "s": "$.node" }, "state": { "commit[$.node]": "$.index" } },
 *     "tick": null
 *   },
 *   "values": { "10.0.0.1": "s1" },
 *   "silent": { "actions": ["Lose"], "atMost": 2 },
 *   "domains": { "Lose": { "m": "messages" } }
 * }
 * ```
 *
 * - `event`: where the name of an event stands; `$.event` unless set. Entries without one are refused.
 * - `events`: by that name, what such an entry stands for, as an entry without a map says it (event.ts), with places to
 *   fill in (template.ts). A list: any of these. `null`: it is no step, and says nothing. With `when`, what is meant only of
 *   entries that have that at those places; with `unless`, only of those that have not.
 * - `others`: what an entry is whose event is not listed, or that names none: `fail` (unless set), `skip`, or as in `events`.
 * - `optional`: places that it is no slip to ask for where no entry has anything there, with all that begins with them.
 * - `order`: the place of a time, or those of a vector clock and of the node that it is of (order.ts); as in the file unless set.
 * - `numbers`: places where whole numbers stand as texts.
 * - `sights`: what many events see, by names that stand in `state` and `before` for it.
 * - `initial`: by variables, expressions of what the specification begins with instead, where a log begins later than it.
 * - `values`: data of the log in the words of the specification, by its text; by a place, the words that are meant only there.
 * - `silent`: actions that leave no entry, and how many of them may come between two entries: 1 unless set. `*` is any.
 * - `domains`: the sets that parameters are of, by action and parameter, where the next-state relation does not say it.
 *
 * All are optional; without `events`, entries are as event.ts has them.
 */
import { TlaError } from '../error.ts'
import type { Machine } from '../evaluate/machine.ts'
import { formulaOf } from '../follow/from-data.ts'
import { didYouMean } from '../nearest.ts'
import { parseData, TraceFileError } from '../trace-file.ts'
import { actionNamed } from './event.ts'
import type { Order } from './order.ts'
import { isPlace } from './template.ts'

/** The map as it is written; all of it optional. */
export interface TraceMap {
  readonly event: string
  readonly events: Readonly<Record<string, unknown>> | undefined
  /** What is neither of the words is a meaning, or a list of such. */
  readonly others: unknown
  /** Places. */
  readonly optional: readonly string[]
  readonly numbers: readonly string[]
  readonly order: Order | undefined
  readonly values: Readonly<Record<string, unknown>>
  /** By name, observations with places. */
  readonly sights: Readonly<Record<string, unknown>>
  /** Expressions, by variable. */
  readonly initial: Readonly<Record<string, string>>
  readonly silent: { readonly actions: readonly string[]; readonly atMost: number }
  /** Expressions, by action and parameter. */
  readonly domains: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export const NO_MAP: TraceMap = {
  event: '$.event',
  events: undefined,
  others: 'fail',
  optional: [],
  numbers: [],
  order: undefined,
  values: {},
  sights: {},
  initial: {},
  silent: { actions: [], atMost: 0 },
  domains: {},
}

const MAX_SILENT = 100
const FIELDS = [
  'event',
  'events',
  'others',
  'optional',
  'order',
  'numbers',
  'values',
  'sights',
  'initial',
  'silent',
  'domains',
]

/** @throws TraceFileError */
export function readMap(path: string, text: string): TraceMap {
  const complain = (problem: string): never => {
    throw new TraceFileError(path, undefined, problem)
  }
  let data: unknown
  try {
    data = parseData(text)
  } catch (error) {
    return complain(`no JSON: ${(error as Error).message}`)
  }
  const fields = objectOf(data)
  if (fields === undefined) return complain('a map is an object with `events`')
  for (const field of Object.keys(fields)) {
    if (FIELDS.includes(field)) continue
    complain(`unknown field '${field}'${didYouMean(field, FIELDS) || `: a map has ${FIELDS.join(', ')}`}`)
  }
  const { event = '$.event', others = 'fail' } = fields
  if (!isPart(event)) {
    return complain('`event` says where the name of an event stands, as in "$.msg"')
  }
  if (others !== 'fail' && others !== 'skip' && (typeof others !== 'object' || others === null)) {
    return complain('`others` is "fail", "skip", or what such an entry stands for, as in {"action": "*"}')
  }
  const events = fields.events === undefined ? undefined : objectOf(fields.events)
  if (fields.events !== undefined && events === undefined) return complain('`events` is an object, by names of events')
  const values = objectOf(fields.values ?? {})
  if (values === undefined) return complain('`values` is an object: by what the log says, what is meant')
  const wrongWords = Object.entries(values).find(
    ([key, words]) => key.startsWith('$') && (!isPlace(key) || objectOf(words) === undefined || events === undefined),
  )
  if (wrongWords !== undefined) {
    return complain(
      `\`values\` of a place are as in {"$.node": {"1": "s1"}}, for entries that \`events\` read; see '${wrongWords[0]}'`,
    )
  }
  if (fields.numbers !== undefined && events === undefined) {
    return complain('`numbers` is for entries that `events` read: without, a number is a number')
  }
  const sights = objectOf(fields.sights ?? {})
  if (sights === undefined || !Object.values(sights).every((sight) => objectOf(sight) !== undefined)) {
    return complain('`sights` is as in {"node": {"term[$.node]": "$.term"}}')
  }
  const initial = objectOf(fields.initial ?? {})
  if (initial === undefined || !Object.values(initial).every((text) => typeof text === 'string')) {
    return complain('`initial` is an object by variables, of expressions, as in {"term": "[s \\\\in Servers |-> 1]"}')
  }
  return {
    event,
    events,
    others,
    optional: placesOf('optional', fields.optional, complain),
    numbers: placesOf('numbers', fields.numbers, complain),
    order: orderOf(fields.order, complain),
    values,
    sights,
    initial: initial as TraceMap['initial'],
    silent: silentOf(fields.silent, complain),
    domains: domainsOf(fields, complain),
  }
}

/** Whether data is the place of a part of an entry. */
function isPart(data: unknown): data is string {
  return typeof data === 'string' && data !== '$' && isPlace(data)
}

function placesOf(field: string, places: unknown, complain: (problem: string) => never): readonly string[] {
  if (places === undefined) return []
  if (Array.isArray(places) && places.every(isPart)) return places
  return complain(`\`${field}\` is a list of places, as in ["$.term", "$.msg.index"]`)
}

function orderOf(order: unknown, complain: (problem: string) => never): Order | undefined {
  if (order === undefined) return undefined
  if (isPart(order)) return { by: order }
  const { clock, node, ...others } = objectOf(order) ?? {}
  if (isPart(clock) && isPart(node) && Object.keys(others).length === 0) return { clock, node }
  return complain('`order` is the place of a time, "$.time", or as in {"clock": "$.vector", "node": "$.node"}')
}

function silentOf(silent: unknown, complain: (problem: string) => never): TraceMap['silent'] {
  if (silent === undefined) return NO_MAP.silent
  const { actions, atMost = 1, ...others } = objectOf(silent) ?? {}
  const isList = Array.isArray(actions) && actions.every((name) => typeof name === 'string')
  const isCount = Number.isInteger(atMost) && (atMost as number) >= 1 && (atMost as number) <= MAX_SILENT
  if (!isList || !isCount || Object.keys(others).length > 0) {
    return complain(`\`silent\` is as in {"actions": ["Lose"], "atMost": 2}, with 1 to ${MAX_SILENT} at most`)
  }
  return { actions: actions as string[], atMost: atMost as number }
}

function domainsOf({ domains = {} }: Readonly<Record<string, unknown>>, complain: (problem: string) => never) {
  const byAction = objectOf(domains)
  const isRight =
    byAction !== undefined &&
    Object.values(byAction).every((byParameter) => {
      const sets = objectOf(byParameter)
      return sets !== undefined && Object.values(sets).every((set) => typeof set === 'string')
    })
  if (!isRight) return complain('`domains` is as in {"Lose": {"m": "messages"}}')
  return byAction as TraceMap['domains']
}

/** Refuses names of variables, actions and parameters that there are not. @throws TraceFileError */
export function checkNames(machine: Machine, { silent, domains, initial }: TraceMap, mapPath: string): void {
  try {
    for (const [variable, text] of Object.entries(initial)) {
      if (!machine.variables.includes(variable)) {
        const near = didYouMean(variable, machine.variables) || `; those are ${machine.variables.join(', ')}`
        throw new Error(`\`initial\`: '${variable}' is no variable${near}`)
      }
      formulaOf(machine, text, `the initial value of ${variable}`)
    }
    for (const name of silent.actions) if (name !== '*') actionNamed(machine, name)
    for (const [name, sets] of Object.entries(domains)) {
      const { parameters } = actionNamed(machine, name)
      for (const [parameter, set] of Object.entries(sets)) {
        if (!parameters.includes(parameter)) {
          throw new Error(
            `the action ${name} has no parameter '${parameter}'; it has ${parameters.join(', ') || 'none'}`,
          )
        }
        formulaOf(machine, set, `the domain of ${parameter}`)
      }
    }
  } catch (error) {
    throw new TraceFileError(mapPath, undefined, problemOf(error))
  }
}

/** What an error says, with the place of an expression. */
export function problemOf(error: unknown): string {
  return error instanceof TlaError ? error.describe() : (error as Error).message
}

/** Data as an object by fields; undefined if it is none. */
export function objectOf(data: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
    ? (data as Record<string, unknown>)
    : undefined
}
