/**
 * The kinds of values that options have: how a value is read from a text (a flag, a variable), and what
 * a value in code must be.
 */

import type { ExecutionName } from '../contract/plan.ts'
import { CLOCK_KINDS, type ClockKind } from '../contract/wall-clock.ts'
import { STRATEGY_FORMS, strategyChooser } from '../schedule/portfolio.ts'
import { parseName } from '../tape/name.ts'
import { checkNetwork } from './check-latencies.ts'
import { checkDatabases, type Databases, mariadbUrlOf, redisUrlOf, urlOf, withoutPassword } from './databases.ts'
import { parseGuide } from './guide.ts'
import type { NetworkOptions } from './latency-ranges.ts'
import { type Refuse, shown } from './refusal.ts'

export interface Kind<Value> {
  /**
   * Reads a text.
   *
   * @param before the values of the flag's earlier occurrences
   * @throws Error that says what was expected
   */
  parse?(text: string, before?: Value): Value
  /** Checks a value of code: of a configuration file, or of the options of a property. */
  readonly check?: (name: string, value: unknown, refuse: Refuse) => void
  /** The same rule as JSON schema. */
  readonly schema?: Schema
  /** The value that is named by no flag. */
  readonly initial?: Value
  /** Set for a flag whose occurrences add up: a text for each of them. */
  texts?(value: Value): readonly string[]
  /** How a command that norn prints repeats the value; undefined for the flag alone. */
  repeated?(value: Value): string | undefined
}

type Schema = Readonly<Record<string, unknown>>

/** A kind of which a predicate says whether a value holds. */
function ruled(expected: string, holds: (value: unknown) => boolean, schema: Schema, advice = (_: unknown) => '') {
  const check = (name: string, value: unknown, refuse: Refuse): void => {
    if (!holds(value)) refuse(`option ${name} must be ${expected}: ${shown(value)}${advice(value)}`)
  }
  return { check, schema }
}

function isIntegerBetween(least: number, most: number): (value: unknown) => boolean {
  return (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
}

const isName = (value: unknown) => typeof value === 'string' && value !== ''

/** A whole number from 1. */
export const count: Kind<number> = {
  ...ruled('an integer from 1', isIntegerBetween(1, Number.MAX_SAFE_INTEGER), { type: 'integer', minimum: 1 }),
  parse(text) {
    const value = Number(text)
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
      throw new Error('expected a whole number from 1')
    return value
  },
}

/** @param unit of the values, for messages */
export function integer(least: number, most: number, unit?: string): Kind<number> {
  const range = `from ${least} to ${most}`
  const [inCode, inText] =
    unit === undefined ? ['integer', 'whole number'] : [`integer of ${unit}`, `number of ${unit}`]
  const holds = isIntegerBetween(least, most)
  return {
    ...ruled(`an ${inCode} ${range}`, holds, { type: 'integer', minimum: least, maximum: most }),
    parse(text) {
      if (!/^\d+$/.test(text) || !holds(Number(text))) throw new Error(`expected a ${inText} ${range}`)
      return Number(text)
    },
  }
}

const MAX_SEED = 0xffff_ffff

/** 32 bits; a text may be decimal or hexadecimal. */
export const seed: Kind<number> = {
  ...integer(0, MAX_SEED),
  parse(text) {
    const value = Number(text)
    if (!/^(?:\d+|0x[0-9a-f]+)$/i.test(text) || value > MAX_SEED)
      throw new Error(`expected a whole number from 0 to ${MAX_SEED}`)
    return value
  },
}

/** The longest that a timer of Node can take is some 596 hours. */
const MAX_TIME_MS = 500 * 3_600_000
const isTime = (value: unknown) => typeof value === 'number' && value >= 1 && value <= MAX_TIME_MS

/** In milliseconds. A text is `500ms`, `30s`, `5m`, `1h`, or a number of seconds. */
export const duration: Kind<number> = {
  ...ruled(
    `a number of milliseconds from 1 to ${MAX_TIME_MS}`,
    isTime,
    { type: 'number', minimum: 1, maximum: MAX_TIME_MS },
    // The flag takes '30s'; in code the unit is in the name.
    (value) =>
      typeof value === 'string' && succeeds(() => parseDuration(value)) ? `. Write ${parseDuration(value)}` : '',
  ),
  parse: parseDuration,
}

function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text)
  if (match === null) throw new Error('expected a duration such as 500ms, 30s or 5m')
  const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match[2] ?? 's']!
  const ms = Number(match[1]) * unit
  if (!isTime(ms)) throw new Error('expected a duration from 1ms to 500h')
  return ms
}

/** A value that is there without being named. */
type Initial<Value> = Kind<Value> & { readonly initial: Value }

/** A flag without a value, of which neither answer is the default. */
export const yesOrNo: Kind<boolean> = ruled('true or false', (value) => typeof value === 'boolean', { type: 'boolean' })

/** The same with a variable, whose text is `on` or `off`. */
export const onOrOff: Kind<boolean> = {
  ...yesOrNo,
  parse(text) {
    if (text !== 'on' && text !== 'off') throw new Error('expected on or off')
    return text === 'on'
  },
}

/** A flag without a value: false unless set. */
export const toggle: Initial<boolean> = { ...yesOrNo, initial: false }

/** A flag whose value its consumer checks. */
export const text: Kind<string> = { parse: (value) => value }

/** A flag with or without a value. */
export const optionalText: Kind<string | true> = { parse: (value) => value }

export const execution: Kind<ExecutionName> = { parse: parseName }

/** @param what the names are: `an array of package names` */
export function names(what: string): Initial<readonly string[]> {
  const schema = { type: 'array', items: { type: 'string', minLength: 1 } }
  return {
    ...ruled(what, (value) => Array.isArray(value) && value.every(isName), schema),
    parse: (name, before = []) => [...before, name],
    texts: (value) => value,
    initial: [],
  }
}

/** Names that are there only if something names them. @param what as of `names` */
export function optionalNames(what: string): Kind<readonly string[]> {
  const { check, schema } = names(what)
  return { ...(check && { check }), ...(schema && { schema }) }
}

/** Modules that replace others, by specifier. A text is `FROM=TO`. */
export const aliases: Initial<Readonly<Record<string, string>>> = {
  ...ruled(
    'an object of module specifiers by module specifier',
    (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isName),
    { type: 'object', additionalProperties: { type: 'string', minLength: 1 } },
  ),
  parse(text, before = {}) {
    const at = text.indexOf('=')
    if (at < 1 || at === text.length - 1) throw new Error('expected FROM=TO, two module specifiers')
    return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
  },
  texts: (value) => Object.entries(value).map(([from, to]) => `${from}=${to}`),
  initial: {},
}

/** A text that a parser of its consumer accepts. */
function parsed(expected: string, parse: (text: string) => unknown): Kind<string> {
  return {
    ...ruled(expected, (value) => typeof value === 'string' && succeeds(() => parse(value)), { type: 'string' }),
    parse(text) {
      parse(text)
      return text
    },
  }
}

/** The names of strategies. */
export const STRATEGY_NAMES = STRATEGY_FORMS.join(', ').replace(/, ([^,]*)$/, ' or $1')

export const strategy = parsed(STRATEGY_NAMES, strategyChooser)

export const guide = parsed('some of edges,order,compare,trace,model, or all, or none', parseGuide)

/** In which ways the clock varies. A text lists them; it may also be `all` or `none`. */
export const clock: Kind<readonly ClockKind[]> = {
  ...ruled(
    `an array with some of ${CLOCK_KINDS.map((name) => `'${name}'`).join(', ')}`,
    (value) => Array.isArray(value) && value.every((name) => (CLOCK_KINDS as readonly unknown[]).includes(name)),
    { type: 'array', items: { enum: CLOCK_KINDS } },
  ),
  parse(text, before = []) {
    if (text === 'all') return CLOCK_KINDS
    const names = text === 'none' ? [] : text.split(',').map((name) => name.trim())
    const wrong = names.some((name) => !(CLOCK_KINDS as readonly string[]).includes(name))
    if (wrong) throw new Error(`expected some of ${CLOCK_KINDS.join(',')}, or all, or none`)
    return CLOCK_KINDS.filter((kind) => before.includes(kind) || names.includes(kind))
  },
  texts: (value) => [value.join() || 'none'],
}

/** The databases of a configuration; no text has them. */
export const databases: Kind<Databases> = {
  check: checkDatabases,
  schema: { type: 'object' },
}

/** The URL of a server of PostgreSQL, or SQL for one that norn starts. Repeated without its password. */
export const postgres = serverOf(urlOf)

/** The same of MariaDB. */
export const mariadb = serverOf(mariadbUrlOf)

function serverOf(read: typeof urlOf): Kind<string> {
  return {
    parse(text) {
      if (!text.endsWith('.sql')) read(text, (why) => raise(`${why}, or a file that ends with .sql`))
      return text
    },
    repeated: (value) => (value.endsWith('.sql') ? value : withoutPassword(new URL(value))),
  }
}

/** The URL of a Redis that is copied, or nothing: an empty one. Repeated without its password. */
export const redis: Kind<string | true> = {
  parse(text) {
    redisUrlOf(text, raise)
    return text
  },
  repeated: (value) => (value === true ? undefined : withoutPassword(new URL(value))),
}

function raise(why: string): never {
  throw new Error(why)
}

/** Latencies of the network; no text has them. */
export const network: Kind<NetworkOptions> = {
  check: (_, value, refuse) => checkNetwork(value, refuse),
  schema: { type: 'object' },
}

function succeeds(action: () => unknown): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}
