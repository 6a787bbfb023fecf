/**
 * Databases of `node:sqlite`. SQLite computes synchronously, so only its clock and its random numbers
 * are replaced, by functions of the connection that go before the built-in ones, and its files
 * (sqlite-files.ts). Statements that open further files are uncontrolled: SQLite would reach the real
 * disk.
 */

import type { DatabaseSync } from 'node:sqlite'
import { internalBinding } from '../../loader/internals.ts'
import type { Chance } from '../../tape/chance.ts'
import { fillRandom } from '../crypto/random.ts'
import { bytesOf, textOf } from '../files/bytes.ts'
import type { DatabaseFiles } from '../files/database-files.ts'
import type { Interceptor } from '../loop/interceptor.ts'
import { type Control, define } from '../realm/replace.ts'
import { type ClockHost, wallMsOf } from '../time/clock.ts'
import { type Shadow, ShadowFiles } from './sqlite-files.ts'

export interface SqliteHost extends Control, Pick<ClockHost, 'wallUs'> {
  chance(): Chance
  performed(kind: string, resource: string): void
  readonly files: { readonly databases: DatabaseFiles; shown(path: string): string }
  /** A folder for real files that stand for the program's; undefined if there is none. */
  readonly scratch: string | undefined
}

/** Where a connection's file is, and whether it only reads. */
interface Opened {
  readonly shadow: Shadow
  readonly isReadOnly: boolean
  isOpen: boolean
}

type DatabaseClass = typeof DatabaseSync
type Methods = Record<string, (...args: unknown[]) => unknown>

/** Statements with a file: ATTACH, and VACUUM INTO. */
const REACHES_FILES = /\battach\b|\bvacuum\b[^;]*\binto\b/i

/** Date functions, with the arguments that may be a time. */
const DATE_FUNCTIONS: Readonly<Record<string, readonly number[]>> = {
  date: [0],
  time: [0],
  datetime: [0],
  julianday: [0],
  unixepoch: [0],
  strftime: [1],
  timediff: [0, 1],
}

/** Functions that the keywords CURRENT_DATE, CURRENT_TIME and CURRENT_TIMESTAMP call. */
const KEYWORDS = { current_date: 'date', current_time: 'time', current_timestamp: 'datetime' }

export const sqlite: Interceptor<SqliteHost> = {
  name: 'node:sqlite',
  builtins: {
    sqlite: {
      controlled: 'DatabaseSync',
      uncontrolled: 'backup',
      plain: 'StatementSync Session',
      note: 'Databases in memory and in files of the overlay, with the clock and the random numbers of the tape. Uncontrolled: `ATTACH`, `VACUUM INTO`, `loadExtension`.',
    },
  },
  install: (host) => ({ leave: interceptSqlite(host) }),
}

/** Returns what closes the files that an execution left open. */
function interceptSqlite(host: SqliteHost): () => void {
  const binding = internalBinding<{ DatabaseSync?: DatabaseClass }>('sqlite')
  const Real = binding.DatabaseSync
  if (Real === undefined) return () => {}
  const refuse = (what: string) => host.refuse(`node:sqlite ${what}`)
  const dates = new Dates(Real, () => wallMsOf(host))
  const shadows = host.scratch === undefined ? undefined : new ShadowFiles(host.files.databases, host.scratch)
  const connections = new Map<DatabaseSync, Opened>()
  const prepared = (database: DatabaseSync) => {
    if (host.active() && database.isOpen) addFunctions(database, host, dates)
    return database
  }
  const opening = (opened: Opened | undefined) => {
    if (opened === undefined) return
    const { shadow, isReadOnly } = opened
    host.performed('open database', host.files.shown(shadow.path))
    shadows!.open(shadow, isReadOnly)
    opened.isOpen = true
  }
  const closed = (opened: Opened | undefined) => {
    if (!opened?.isOpen) return
    opened.isOpen = false
    shadows!.close(opened.shadow)
  }
  /** Opens in a way that leaves nothing open if it fails. */
  const attempt = <Result>(opened: Opened | undefined, open: () => Result): Result => {
    opening(opened)
    try {
      return open()
    } catch (error) {
      closed(opened)
      throw error
    }
  }
  const prototype = Real.prototype as unknown as Methods
  const { open, close, exec, prepare, createTagStore, loadExtension, location } = prototype as Record<string, Function>
  const checked = (real: Function, textOf: (argument: unknown) => string) =>
    changing(function (this: object, ...args: unknown[]) {
      if (host.active() && REACHES_FILES.test(textOf(args[0]))) refuse('ATTACH and VACUUM INTO')
      return Reflect.apply(real, this, args)
    })
  /** A function after which a file may be another. */
  function changing(real: Function) {
    return function (this: object, ...args: unknown[]) {
      try {
        return Reflect.apply(real, this, args)
      } finally {
        if (host.active()) shadows?.changed()
      }
    }
  }

  define(
    binding,
    'DatabaseSync',
    new Proxy(Real, {
      construct(target, args, newTarget) {
        const place = host.active() ? placeOf(args[0]) : undefined
        if (place === undefined) return prepared(Reflect.construct(target, args, newTarget))
        if (shadows === undefined) return refuse('DatabaseSync of a file; :memory: is controlled')
        const shadow = shadows.of(place.path)
        // Where no file can be, SQLite says so: of a folder that does not exist.
        const location = place.locationOf(shadow?.real ?? shadows.nowhere)
        const { open: opens = true, readOnly = false } = (args[1] ?? {}) as { open?: boolean; readOnly?: boolean }
        const isReadOnly = readOnly || place.isReadOnly
        const opened = shadow && { shadow, isReadOnly, isOpen: false }
        const construct = () =>
          prepared(Reflect.construct(target, [location, ...args.slice(1)], newTarget) as DatabaseSync)
        const database = opens === false ? construct() : attempt(opened, construct)
        if (opened !== undefined) connections.set(database, opened)
        return database
      },
    }),
  )
  define(prototype, 'open', function (this: DatabaseSync) {
    const opened = this.isOpen ? undefined : connections.get(this)
    attempt(opened, () => Reflect.apply(open!, this, []))
    prepared(this)
  })
  define(prototype, 'close', function (this: DatabaseSync) {
    Reflect.apply(close!, this, [])
    closed(connections.get(this))
  })
  // Node's own does not call `close`.
  define(prototype, Symbol.dispose, function (this: DatabaseSync) {
    if (this.isOpen) this.close()
  })
  if (location !== undefined)
    define(prototype, 'location', function (this: DatabaseSync, ...args: unknown[]) {
      const found: unknown = Reflect.apply(location, this, args)
      const path = connections.get(this)?.shadow.path
      return found === null || path === undefined ? found : textOf(path)
    })
  const { StatementSync } = binding as { StatementSync?: { readonly prototype: Methods } }
  for (const name of ['run', 'get', 'all']) {
    const real = StatementSync!.prototype[name]!
    define(StatementSync!.prototype, name, changing(real))
  }
  for (const name of ['applyChangeset', 'deserialize']) {
    if (prototype[name] !== undefined) define(prototype, name, changing(prototype[name]))
  }
  define(prototype, 'exec', checked(exec!, String))
  define(prototype, 'prepare', checked(prepare!, String))
  define(prototype, 'loadExtension', function (this: object, ...args: unknown[]) {
    return host.active() ? refuse('loadExtension') : Reflect.apply(loadExtension!, this, args)
  })
  const reset = () => {
    if (connections.size > 0) {
      for (const database of connections.keys()) if (database.isOpen) Reflect.apply(close!, database, [])
      connections.clear()
    }
    shadows?.reset()
  }
  // Since Node 24.9.
  if (createTagStore === undefined) return reset
  define(prototype, 'createTagStore', function (this: object, ...args: unknown[]) {
    const store = Reflect.apply(createTagStore, this, args) as object
    // Each store has a prototype of its own.
    const ofStore = Object.getPrototypeOf(store) as Methods
    const joined = (template: unknown) => (Array.isArray(template) ? template.join('?') : '')
    for (const name of ['run', 'get', 'all', 'iterate']) define(ofStore, name, checked(ofStore[name]!, joined))
    return store
  })
  return reset
}

/** The file that a location names, and how the location names another; undefined without a file. */
function placeOf(
  location: unknown,
): { readonly path: string; readonly isReadOnly: boolean; locationOf(real: string): string } | undefined {
  const isUrl = location instanceof URL || (typeof location === 'string' && /^file:/i.test(location))
  if (!isUrl) {
    const isText = typeof location === 'string' || location instanceof Uint8Array
    // Node refuses what is neither.
    if (!isText || location.length === 0 || location === ':memory:') return undefined
    const path = bytesOf(location as string | Uint8Array)
    // Node refuses it.
    if (path.includes('\0')) return undefined
    return { path, isReadOnly: false, locationOf: (real) => real }
  }
  // SQLite's own reading of `file:` takes relative paths too.
  const [, path = '', rest = ''] = /^file:(?:\/\/[^/]*)?([^?#]*)(.*)$/is.exec(String(location)) ?? []
  const decoded = decodeURIComponent(path)
  const mode = new URLSearchParams(rest.replace(/#.*/s, '')).get('mode')
  if (decoded === '' || decoded === ':memory:' || mode === 'memory') return undefined
  return {
    path: bytesOf(decoded),
    isReadOnly: mode === 'ro' || mode === 'rw',
    locationOf: (real) => `file:${real}${rest}`,
  }
}

function addFunctions(database: DatabaseSync, { chance }: SqliteHost, dates: Dates): void {
  database.function('random', () => randomInteger(chance()))
  database.function('randomblob', { useBigIntArguments: true }, (length) => {
    const bytes = new Uint8Array(Math.max(1, Number(typeof length === 'bigint' ? length : 0n)))
    fillRandom(chance(), bytes)
    return bytes
  })
  // As in SQLite, equal calls in one statement need one evaluation.
  const options = { deterministic: true, varargs: true, useBigIntArguments: true }
  for (const name of Object.keys(DATE_FUNCTIONS)) {
    database.function(name, options, (...args) => dates.call(name, args as DateArgument[]))
  }
  for (const [keyword, name] of Object.entries(KEYWORDS)) {
    database.function(keyword, { deterministic: true }, () => dates.call(name, []))
  }
}

function randomInteger(chance: Chance): bigint {
  return BigInt.asIntN(64, (BigInt(chance.bits()) << 32n) | BigInt(chance.bits()))
}

type DateArgument = string | number | bigint | null | Uint8Array

/** SQLite's own date functions, at the time of the program's clock. */
class Dates {
  readonly #Database: DatabaseClass
  readonly #wallMs: () => number
  #pristine: DatabaseSync | undefined

  constructor(Database: DatabaseClass, wallMs: () => number) {
    this.#Database = Database
    this.#wallMs = wallMs
  }

  call(name: string, given: DateArgument[]): DateArgument {
    const args = [...given]
    for (const at of DATE_FUNCTIONS[name]!) {
      // Without an argument, or with one of these in its place, the time is now.
      if (args.length === at && name !== 'timediff') args.push(this.#now())
      else if (/^(subsec|subsecond)$/i.test(String(args[at]))) args.splice(at, 0, this.#now())
      else if (/^now$/i.test(String(args[at]))) args[at] = this.#now()
    }
    this.#pristine ??= new this.#Database(':memory:', { readBigInts: true } as never)
    const places = args.map(() => '?').join()
    return this.#pristine.prepare(`SELECT ${name}(${places}) AS value`).get(...args)!.value as DateArgument
  }

  #now(): string {
    return new Date(this.#wallMs()).toISOString().replace('T', ' ').slice(0, -1)
  }
}
