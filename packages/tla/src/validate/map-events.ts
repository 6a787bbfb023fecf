/**
 * What the entries of a log stand for, by its map: which of the meanings of an event apply to an entry, with what stands at
 * the places of the map filled in.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Machine } from '../evaluate/machine.ts'
import { didYouMean } from '../nearest.ts'
import { type TraceEntry, TraceFileError } from '../trace-file.ts'
import { type Event, type Meaning, meaningOf, noSight, plainReader, type Reader } from './event.ts'
import { expressionOf } from './expression.ts'
import { checkNames, objectOf, problemOf, type TraceMap } from './map-file.ts'
import { isPart, type Observed, observedAt } from './observation.ts'
import { inOrder } from './order.ts'
import { isPlace, MISSING, Template, translated, withoutPlaces } from './template.ts'

/** What the entries of a trace are. */
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
  const template = new Template(machine, map.values, map.numbers)
  const plain = plainReader(machine)
  const found = (place: string, data: unknown) => {
    const what = template.at(place, data)
    return what === MISSING ? undefined : what
  }
  const meaningsOf = ({ data }: TraceEntry): readonly Meaning[] | undefined =>
    map.events === undefined
      ? [meaningOf(machine, withValues(data, map.values), plain)]
      : mapped(machine, data, map, template)
  const happened = map.order === undefined ? entries : inOrder(entries, map.order, found, path)
  const events: Event[] = []
  let skipped = 0
  for (const entry of happened) {
    try {
      const meanings = meaningsOf(entry)
      if (meanings === undefined) skipped++
      else events.push({ entry, meanings })
    } catch (error) {
      throw new TraceFileError(path, entry.line, problemOf(error))
    }
  }
  const place = template.neverFound.find((asked) => !isOptional(asked, map))
  if (place !== undefined) {
    throw new TraceFileError(
      mapPath,
      undefined,
      `no entry of the trace has anything at ${place}, which the map asks for; if that may be, write "optional": ["${place}"]`,
    )
  }
  return { events, skipped }
}

/** Whether a place, or one that it is in, may be missing everywhere. */
function isOptional(place: string, { optional }: TraceMap): boolean {
  return optional.some((one) => place.startsWith(one) && /^(?:$|[.[])/.test(place.slice(one.length)))
}

/** Names of actions are no data of the log. */
function withValues(data: Readonly<Record<string, unknown>>, values: TraceMap['values']) {
  if (Object.keys(values).length === 0) return data
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => [
      field,
      field === 'action' || field === 'actions' || field === 'steps' ? value : translated(value, values),
    ]),
  )
}

/** Undefined if the entry is no step. */
function mapped(
  machine: Machine,
  data: Readonly<Record<string, unknown>>,
  map: TraceMap,
  template: Template,
): readonly Meaning[] | undefined {
  const name = template.at(map.event, data)
  const meant = meantBy(name, map)
  if (meant === null) return undefined
  const all: readonly unknown[] = Array.isArray(meant) ? meant : [meant]
  const which = typeof name === 'string' ? `the event '${name}'` : 'entries without an event'
  if (all.length === 0) throw new Error(`the map has an empty list for ${which}: it could stand for nothing`)
  const reader = templateReader(machine, data, map, template)
  const meanings = all.flatMap((one) => {
    const fields = objectOf(one)
    if (fields === undefined) {
      throw new Error(`what the map has for ${which} is no object with an \`action\``)
    }
    const { when, unless, ...rest } = fields
    if (!applies(when, unless, data, template)) return []
    return meaningOf(machine, filled(rest, data, template), reader)
  })
  if (meanings.length > 0) return meanings
  throw new Error(
    `the map has no meaning of ${which} for this entry: each has a \`when\` or \`unless\` that leaves it out; one with "steps": 0 would be no step`,
  )
}

/** What the map has for an event; null if it is no step. @param name what stands where the name of the event is to stand */
function meantBy(name: unknown, { event, events, others }: TraceMap): unknown {
  if (typeof name === 'string' && Object.hasOwn(events!, name)) return events![name]
  if (typeof others === 'object') return others
  if (typeof name !== 'string') {
    if (name === MISSING && others === 'skip') return null
    throw new Error(
      `there is no text at ${event}, where the map says that the name of the event stands; "others" in the map says what such an entry is`,
    )
  }
  if (others === 'skip') return null
  const near = didYouMean(name, Object.keys(events!))
  throw new Error(
    `the map has no event '${name}'${near}; write "${name}": null into its \`events\` if it is no step, or "others": "skip"`,
  )
}

/** Whether an entry is one that a meaning is for. */
function applies(when: unknown, unless: unknown, entry: unknown, template: Template): boolean {
  return (
    (when === undefined || isMet(when, 'when', entry, template)) &&
    (unless === undefined || !isMet(unless, 'unless', entry, template))
  )
}

/** Whether all places have what they are to have; of a list, any of it. */
function isMet(condition: unknown, field: string, entry: unknown, template: Template): boolean {
  const places = Object.entries(objectOf(condition) ?? {})
  if (places.length === 0 || !places.every(([place]) => isPlace(place))) {
    throw new Error(
      `\`${field}\` is an object by places, as in {"$.msg.type": "MsgApp"}, not ${JSON.stringify(condition)}`,
    )
  }
  return places.every(([place, wanted]) => {
    const found = template.at(place, entry)
    const any: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted]
    return any.some((one) => {
      const data = typeof one === 'string' && isPlace(one) ? template.at(one, entry) : one
      return data === null ? found === MISSING || found === null : found !== MISSING && isDeepStrictEqual(found, data)
    })
  })
}

/** Reads what a map says of an entry. */
function templateReader(machine: Machine, entry: unknown, { sights }: TraceMap, template: Template): Reader {
  const sight = (data: unknown, field: string): readonly Observed[] => {
    if (Array.isArray(data)) return data.flatMap((one) => sight(one, field))
    if (typeof data === 'string' && Object.hasOwn(sights, data)) return sight(sights[data], data)
    const whole = typeof data === 'string' && isPlace(data) ? template.translated(data, entry) : data
    if (whole === MISSING) return []
    const fields = objectOf(whole)
    if (fields === undefined) {
      const names = Object.keys(sights)
      const near = typeof data === 'string' && names.length > 0 ? didYouMean(data, names) : ''
      throw new Error(noSight(data, field) + near)
    }
    return Object.entries(fields).flatMap(([what, item]) => {
      const key = template.key(what, isPart(machine, withoutPlaces(what)), entry)
      const value = template.fill(item, entry)
      return key === MISSING || value === MISSING ? [] : observedAt(machine, key, value)
    })
  }
  return {
    others: ['when', 'unless'],
    sight,
    condition: (text, parameters) => {
      const condition = template.expressionTemplate(text, entry)
      return condition === MISSING ? undefined : expressionOf(machine, condition, parameters)
    },
  }
}

function filled(
  fields: Readonly<Record<string, unknown>>,
  entry: unknown,
  template: Template,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(fields)) {
    if (field === 'parameters') result[field] = parametersFrom(value, entry, template)
    else if (field === 'actions' && Array.isArray(value)) {
      result[field] = value.map((one: unknown) => filled(objectOf(one) ?? {}, entry, template))
    } else if (field === 'steps') {
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
