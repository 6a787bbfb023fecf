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
 *   fill in (template.ts). A list: any of these. `null`: it is no step, and says nothing.
 * - `others`: what an event is that is not listed: `fail` (unless set) or `skip`.
 * - `values`: data of the log in the words of the specification, by its text.
 * - `silent`: actions that leave no entry, and how many of them may come between two entries: 1 unless set. `*` is any.
 * - `domains`: the sets that parameters are of, by action and parameter, where the next-state relation does not say it.
 *
 * All are optional; without `events`, entries are as event.ts has them.
 */
import { TlaError } from '../error.ts'
import type { Machine } from '../evaluate/machine.ts'
import { formulaOf } from '../follow/from-data.ts'
import { didYouMean } from '../nearest.ts'
import { type TraceEntry, TraceFileError } from '../trace-file.ts'
import { actionNamed, type Event, type Meaning, meaningOf } from './event.ts'
import { isPart } from './observation.ts'
import { MISSING, Template, translated, withoutPlaces } from './template.ts'

/** The map as it is written; all of it optional. */
export interface TraceMap {
  readonly event: string
  readonly events: Readonly<Record<string, unknown>> | undefined
  readonly others: 'fail' | 'skip'
  readonly values: Readonly<Record<string, unknown>>
  readonly silent: { readonly actions: readonly string[]; readonly atMost: number }
  /** Expressions, by action and parameter. */
  readonly domains: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export const NO_MAP: TraceMap = {
  event: '$.event',
  events: undefined,
  others: 'fail',
  values: {},
  silent: { actions: [], atMost: 0 },
  domains: {},
}

const MAX_SILENT = 100
const FIELDS = ['event', 'events', 'others', 'values', 'silent', 'domains']

/** @throws TraceFileError */
export function readMap(path: string, text: string): TraceMap {
  const complain = (problem: string): never => {
    throw new TraceFileError(path, undefined, problem)
  }
  let data: unknown
  try {
    data = JSON.parse(text)
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
  if (typeof event !== 'string' || !event.startsWith('$.')) {
    return complain('`event` says where the name of an event stands, as in "$.msg"')
  }
  if (others !== 'fail' && others !== 'skip') return complain('`others` is "fail" or "skip"')
  const events = fields.events === undefined ? undefined : objectOf(fields.events)
  if (fields.events !== undefined && events === undefined) return complain('`events` is an object, by names of events')
  const values = objectOf(fields.values ?? {})
  if (values === undefined) return complain('`values` is an object: by what the log says, what is meant')
  return {
    event,
    events,
    others,
    values,
    silent: silentOf(fields.silent, complain),
    domains: domainsOf(fields, complain),
  }
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

/** What goes wrong with a map on the way, for who calls. */
export interface Reading {
  readonly events: readonly Event[]
  /** Entries that are no step. */
  readonly skipped: number
}

/**
 * What the entries of a trace stand for.
 *
 * @throws TraceFileError that names the line, or what of the map no entry has
 */
export function readEvents(
  machine: Machine,
  path: string,
  entries: readonly TraceEntry[],
  map: TraceMap,
  mapPath: string,
): Reading {
  checkNames(machine, map, mapPath)
  const template = new Template(machine, map.values)
  const events: Event[] = []
  let skipped = 0
  for (const entry of entries) {
    let meanings: readonly Meaning[] | undefined
    try {
      meanings = map.events === undefined ? [plainly(machine, entry, map)] : mapped(machine, entry, map, template)
    } catch (error) {
      throw new TraceFileError(path, entry.line, textOf(error))
    }
    if (meanings === undefined) skipped++
    else events.push({ entry, meanings })
  }
  const [place] = template.neverFound
  if (place !== undefined) {
    throw new TraceFileError(
      mapPath,
      undefined,
      `no entry of the trace has anything at ${place}, which the map asks for`,
    )
  }
  return { events, skipped }
}

function plainly(machine: Machine, { data }: TraceEntry, { values }: TraceMap): Meaning {
  return meaningOf(machine, Object.keys(values).length === 0 ? data : withValues(data, values))
}

/** Names of actions are no data of the log. */
function withValues(data: Readonly<Record<string, unknown>>, values: TraceMap['values']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => [
      field,
      field === 'action' || field === 'actions' || field === 'steps' ? value : translated(value, values),
    ]),
  )
}

function mapped(
  machine: Machine,
  { data }: TraceEntry,
  map: TraceMap,
  template: Template,
): readonly Meaning[] | undefined {
  const name = template.at(map.event, data)
  if (typeof name !== 'string') {
    throw new Error(`there is no text at ${map.event}, where the map says that the name of the event stands`)
  }
  if (!Object.hasOwn(map.events!, name)) {
    if (map.others === 'skip') return undefined
    const near = didYouMean(name, Object.keys(map.events!))
    throw new Error(
      `the map has no event '${name}'${near}; write "${name}": null into its \`events\` if it is no step, or "others": "skip"`,
    )
  }
  const meant = map.events![name]
  if (meant === null) return undefined
  const all = Array.isArray(meant) ? meant : [meant]
  if (all.length === 0) throw new Error(`the event '${name}' of the map is an empty list: it could stand for nothing`)
  return all.map((one: unknown) => {
    const fields = objectOf(one)
    if (fields === undefined) throw new Error(`the event '${name}' of the map is no object with an \`action\``)
    return meaningOf(machine, filled(machine, fields, data, template))
  })
}

function filled(
  machine: Machine,
  fields: Readonly<Record<string, unknown>>,
  entry: unknown,
  template: Template,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(fields)) {
    if (field === 'parameters') result[field] = parametersFrom(value, entry, template)
    else if (field === 'actions' && Array.isArray(value)) {
      result[field] = value.map((one: unknown) => filled(machine, objectOf(one) ?? {}, entry, template))
    } else if ((field === 'state' || field === 'before') && objectOf(value) !== undefined) {
      result[field] = sightFrom(machine, objectOf(value)!, entry, template)
    } else if (field === 'state' || field === 'before' || field === 'steps') {
      const given = template.fill(value, entry)
      if (given !== MISSING) result[field] = given
    } else result[field] = value
  }
  return result
}

function parametersFrom(parameters: unknown, entry: unknown, template: Template): unknown {
  const known = (item: unknown) => {
    const value = template.fill(item, entry)
    return value === MISSING ? null : value
  }
  if (Array.isArray(parameters)) return parameters.map(known)
  const byName = objectOf(parameters)
  if (byName === undefined) return known(parameters)
  return Object.fromEntries(Object.entries(byName).map(([name, item]) => [name, known(item)]))
}

function sightFrom(
  machine: Machine,
  sight: Readonly<Record<string, unknown>>,
  entry: unknown,
  template: Template,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [what, item] of Object.entries(sight)) {
    const isPath = isPart(machine, withoutPlaces(what))
    const key = template.key(what, isPath, entry)
    const value = template.fill(item, entry)
    if (key !== MISSING && value !== MISSING) result[key] = value
  }
  return result
}

/** Refuses names of actions and parameters that there are not. */
function checkNames(machine: Machine, { silent, domains }: TraceMap, mapPath: string): void {
  try {
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
    throw new TraceFileError(mapPath, undefined, textOf(error))
  }
}

function textOf(error: unknown): string {
  return error instanceof TlaError ? error.describe() : (error as Error).message
}

function objectOf(data: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
    ? (data as Record<string, unknown>)
    : undefined
}
