/**
 * The mapper of a log: a function from a parsed line to events of the specification, and settings.
 *
 * ```ts
 * export default ((line) => {
 *   switch (line.msg) {
 *     case 'became leader':
 *       return { action: 'BecomeLeader', parameters: [line.node, line.term] }
 *     case 'committed':
 *       return { action: 'Commit', parameters: { s: line.node }, state: { [`commit[${line.node}]`]: line.index } }
 *     case 'received':
 *       return { anyOf: [{ action: 'AcceptEntries' }, { action: 'RefuseEntries' }] }
 *   }
 * }) satisfies LogMapper
 *
 * export const settings: LogSettings = { silent: { actions: ['Lose'], atMost: 2 } }
 * ```
 */
import { TlaError } from '../error/error.ts'
import { didYouMean } from '../error/nearest.ts'
import type { Machine } from '../evaluate/machine.ts'
import { formulaOf } from '../follow/from-data.ts'
import { TraceFileError } from '../follow/trace-file.ts'
import { actionNamed } from './event.ts'
import type { Order } from './order.ts'
import type { TlaExpression } from './tla-expression.ts'

/**
 * Steps of one action.
 *
 * @public
 */
export interface LogAction {
  /** A definition that is an action; `*` for any step of the next-state relation. */
  readonly action?: string
  /** A list, `null` or `undefined` for unknown ones; or an object of the known ones by name. */
  readonly parameters?: readonly unknown[] | Readonly<Record<string, unknown>>
  /** Conditions on the parameters and the state before; with primes, on the step. */
  readonly where?: string | TlaExpression | readonly (string | TlaExpression)[]
  /** Number of such steps, or `[least, most]`; default 1, or `[0, 1]` without an action. */
  readonly steps?: number | readonly [least: number, most: number]
}

/**
 * What one line says about a behaviour.
 *
 * @public
 */
export interface LogEvent extends LogAction {
  /** Observations of the state before, by variable, part (`commit[s2]`) or expression. */
  readonly before?: Readonly<Record<string, unknown>>
  /** Observations of the state after. */
  readonly state?: Readonly<Record<string, unknown>>
  /** Several actions, in order, in place of `action`. */
  readonly actions?: readonly LogAction[]
}

/**
 * An event; actions in order; alternatives; or `undefined` to skip the line.
 *
 * @public
 */
export type MappedLine =
  | LogEvent
  | readonly LogAction[]
  | { readonly anyOf: readonly LogEvent[] }
  | undefined
  | null
  | void

/**
 * Maps a line of a log to the events that it stands for.
 *
 * @public
 */
// biome-ignore lint/suspicious/noExplicitAny: the lines of a log have a type of their own
export type LogMapper<Line = any> = (line: Line) => MappedLine

/**
 * How a log is read.
 *
 * @public
 */
// biome-ignore lint/suspicious/noExplicitAny: as above
export interface LogSettings<Line = any> {
  /**
   * Actions that are not logged (`*` for any), and how many may occur between two lines: 1 to 100,
   * default 1.
   */
  readonly silent?: { readonly actions: readonly string[]; readonly atMost?: number }
  /** The sets that unknown parameters range over: expressions, by action and parameter. */
  readonly domains?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Expressions by variable, for a log that does not start in an initial state. */
  readonly initial?: Readonly<Record<string, string>>
  /** When a line happened, if the log is not in order: a time, or a vector clock with its node. */
  readonly order?: Order<Line>
}

/** A mapper with its settings, checked. */
export interface LogMap {
  /** Undefined if the lines are events themselves. */
  readonly mapper: LogMapper | undefined
  readonly order: Order | undefined
  readonly initial: Readonly<Record<string, string>>
  readonly silent: { readonly actions: readonly string[]; readonly atMost: number }
  readonly domains: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export const NO_MAP: LogMap = {
  mapper: undefined,
  order: undefined,
  initial: {},
  silent: { actions: [], atMost: 0 },
  domains: {},
}

const MAX_SILENT = 100
const FIELDS = ['silent', 'domains', 'initial', 'order']

/**
 * Checks a mapper and its settings, which may come from JavaScript.
 *
 * @param path how messages name the module
 * @throws TraceFileError
 */
export function logMap(path: string, mapper: unknown, settings: unknown = {}): LogMap {
  const complain = (problem: string): never => {
    throw new TraceFileError(path, undefined, problem)
  }
  if (mapper !== undefined && typeof mapper !== 'function') {
    complain('the default export must be a function from a line of the log to an event, or undefined')
  }
  const fields = objectOf(settings) ?? complain('`settings` must be an object')
  for (const field of Object.keys(fields)) {
    if (FIELDS.includes(field)) continue
    complain(`unknown setting '${field}'${didYouMean(field, FIELDS) || `: known are ${FIELDS.join(', ')}`}`)
  }
  const { silent, domains = {}, initial = {}, order } = fields
  if (order !== undefined && typeof order !== 'function') {
    complain('`order` must be a function from a line to a time, or to { clock, node }')
  }
  if (!isTexts(initial)) complain('`initial` must be an object of expressions by variable, as in { term: "0" }')
  if (!Object.values(objectOf(domains) ?? [0]).every(isTexts)) {
    complain('`domains` must be an object of sets by action and parameter, as in { Lose: { m: "messages" } }')
  }
  return {
    mapper: mapper as LogMapper | undefined,
    order: order as Order | undefined,
    initial: initial as LogMap['initial'],
    silent: silent === undefined ? NO_MAP.silent : silentOf(silent, complain),
    domains: domains as LogMap['domains'],
  }
}

function silentOf(silent: unknown, complain: (problem: string) => never): LogMap['silent'] {
  const { actions, atMost = 1, ...others } = objectOf(silent) ?? {}
  const isList = Array.isArray(actions) && actions.every((name) => typeof name === 'string')
  const isCount = Number.isInteger(atMost) && (atMost as number) >= 1 && (atMost as number) <= MAX_SILENT
  if (isList && isCount && Object.keys(others).length === 0) return { actions, atMost: atMost as number }
  return complain(`\`silent\` must be as in { actions: ["Lose"], atMost: 2 }, with atMost from 1 to ${MAX_SILENT}`)
}

function isTexts(data: unknown): boolean {
  const fields = objectOf(data)
  return fields !== undefined && Object.values(fields).every((text) => typeof text === 'string')
}

/** @throws TraceFileError for unknown names of variables, actions and parameters */
export function checkNames(machine: Machine, { silent, domains, initial }: LogMap, path: string): void {
  try {
    for (const [variable, text] of Object.entries(initial)) {
      if (!machine.variables.includes(variable)) {
        const near = didYouMean(variable, machine.variables) || `: known are ${machine.variables.join(', ')}`
        throw new Error(`\`initial\`: '${variable}' is not a variable${near}`)
      }
      formulaOf(machine, text, `the initial value of ${variable}`)
    }
    for (const name of silent.actions) if (name !== '*') actionNamed(machine, name)
    for (const [name, sets] of Object.entries(domains)) {
      const { parameters } = actionNamed(machine, name)
      for (const [parameter, set] of Object.entries(sets)) {
        if (!parameters.includes(parameter)) {
          const known = parameters.join(', ') || 'none'
          throw new Error(`the action ${name} has no parameter '${parameter}'; it has ${known}`)
        }
        formulaOf(machine, set, `the domain of ${parameter}`)
      }
    }
  } catch (error) {
    throw new TraceFileError(path, undefined, problemOf(error))
  }
}

/** The message of an error; for a TlaError with its location. */
export function problemOf(error: unknown): string {
  return error instanceof TlaError ? error.describe() : (error as Error).message
}

/** The data if it is an object, and not an array. */
export function objectOf(data: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
    ? (data as Record<string, unknown>)
    : undefined
}
