/** Applies a mapper to the lines of a log, and checks what it returns. */
import type { Machine } from '../evaluate/machine.ts'
import { cut } from '../follow/refusal-text.ts'
import { type TraceEntry, TraceFileError } from '../follow/trace-file.ts'
import { type Event, type Meaning, meaningOf } from './event.ts'
import { checkNames, type LogMap, type LogMapper, objectOf, problemOf } from './log-map.ts'
import { inOrder } from './order.ts'
import { TlaExpression } from './tla-expression.ts'

/** The events of a trace. */
export interface Reading {
  readonly events: readonly Event[]
  /** Number of entries for which the mapper returned no event. */
  readonly skipped: number
}

/** Longer results of a mapper are cut in messages. */
const MAX_SHOWN = 200
/** Bound on the nesting of data. */
const MAX_DEPTH = 500

const EXPECTED = 'expected an event such as { action: "Send" }, a list of actions, { anyOf: [events] } or undefined'

/**
 * @param mapPath how messages name the module of the mapper
 * @throws TraceFileError that names the line, what the mapper returned and what was expected
 */
export function readEvents(
  machine: Machine,
  path: string,
  entries: readonly TraceEntry[],
  map: LogMap,
  mapPath: string,
): Reading {
  checkNames(machine, map, mapPath)
  const happened = map.order === undefined ? entries : inOrder(entries, map.order, path)
  const events: Event[] = []
  let skipped = 0
  for (const entry of happened) {
    try {
      const meanings =
        map.mapper === undefined ? [meaningOf(machine, entry.data)] : mapped(machine, map.mapper, mapPath, entry)
      if (meanings === undefined) skipped++
      else events.push({ entry, meanings })
    } catch (error) {
      throw new TraceFileError(path, entry.line, problemOf(error))
    }
  }
  return { events, skipped }
}

/** Undefined if the mapper skips the entry. */
function mapped(
  machine: Machine,
  mapper: LogMapper,
  mapPath: string,
  { data }: TraceEntry,
): readonly Meaning[] | undefined {
  let given: unknown
  try {
    given = mapper(data)
  } catch (error) {
    throw new Error(`${mapPath} threw for this line: ${error instanceof Error ? placed(error) : String(error)}`)
  }
  if (given === undefined || given === null) return undefined
  try {
    return alternativesOf(given).map((event) => meaningOf(machine, eventData(machine, event)))
  } catch (error) {
    throw new Error(`${mapPath} returned ${shown(given)}: ${problemOf(error)}`)
  }
}

/** The message of an error thrown by a mapper, with its first stack frame. */
function placed({ name, message, stack = '' }: Error): string {
  const frame = /^\s+at .*$/m.exec(stack)?.[0].trim()
  return `${name}: ${message}${frame === undefined ? '' : ` (${frame})`}`
}

function shown(given: unknown): string {
  return cut(JSON.stringify(given) ?? String(given), MAX_SHOWN)
}

/** The alternatives that a mapper returned. */
function alternativesOf(given: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(given)) return [{ actions: given }]
  const fields = objectOf(given) ?? refuse(EXPECTED)
  const { anyOf, ...others } = fields
  if (anyOf === undefined) return [fields]
  const other = Object.keys(others)[0]
  if (other !== undefined) refuse(`\`anyOf\` cannot be combined with '${other}': put '${other}' into the alternatives`)
  if (!Array.isArray(anyOf) || anyOf.length === 0) refuse('`anyOf` must be a non-empty list of events')
  return (anyOf as readonly unknown[]).map(
    (one) => objectOf(one) ?? refuse(`\`anyOf\` must be a list of events, found ${shown(one)}`),
  )
}

function refuse(problem: string): never {
  throw new Error(problem)
}

/** An event as plain data. Conditions keep their expressions, as these refer to parameters. */
function eventData(machine: Machine, event: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const fields = Object.entries(event).map(([field, value]) => {
    if (field === 'where') return [field, value]
    if (field === 'actions' && Array.isArray(value)) {
      return [field, value.map((one) => (objectOf(one) === undefined ? one : eventData(machine, one)))]
    }
    return [field, plain(machine, value, 0)]
  })
  return Object.fromEntries(fields)
}

/** Drops undefined fields, and turns expressions into data. */
function plain(machine: Machine, data: unknown, depth: number): unknown {
  if (data instanceof TlaExpression) return data.data(machine)
  if (typeof data !== 'object' || data === null) return data
  if (depth > MAX_DEPTH) refuse(`nested deeper than ${MAX_DEPTH} arrays and objects`)
  if (Array.isArray(data)) return data.map((item) => plain(machine, item ?? null, depth + 1))
  const fields = Object.entries(data).filter(([, value]) => value !== undefined)
  return Object.fromEntries(fields.map(([field, value]) => [field, plain(machine, value, depth + 1)]))
}
