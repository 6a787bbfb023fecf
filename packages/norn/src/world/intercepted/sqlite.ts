/**
 * Databases of `node:sqlite` in memory. SQLite computes synchronously, so only its clock and its
 * random numbers are replaced, by functions of the connection that go before the built-in ones.
 *
 * A database in a file is uncontrolled, and so are the statements that write one: SQLite would
 * reach the real disk.
 */
import type { DatabaseSync } from 'node:sqlite'
import { internalBinding } from '../../loader/internals.ts'
import type { Chance } from '../../tape/chance.ts'
import { type Control, define } from '../replace.ts'
import { fillRandom } from './chance.ts'
import { type ClockHost, EPOCH_MS } from './clock.ts'

export interface SqliteHost extends Control, Pick<ClockHost, 'readUs'> {
  chance(): Chance
}

type DatabaseClass = typeof DatabaseSync
type Holder = Record<string, (...args: unknown[]) => unknown>

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

export function interceptSqlite(host: SqliteHost): void {
  const binding = internalBinding<{ DatabaseSync?: DatabaseClass }>('sqlite')
  const Real = binding.DatabaseSync
  if (Real === undefined) return
  const refuse = (what: string) => host.refuse(`node:sqlite ${what}`)
  const dates = new Dates(Real, () => EPOCH_MS + Math.floor(host.readUs() / 1000))
  const prepared = (database: DatabaseSync) => {
    if (host.active() && database.isOpen) addFunctions(database, host, dates)
    return database
  }
  const prototype = Real.prototype as unknown as Holder
  const { open, exec, prepare, createTagStore, loadExtension } = prototype as Record<string, Function>
  const checked = (real: Function, textOf: (argument: unknown) => string) =>
    function (this: object, ...args: unknown[]) {
      if (host.active() && REACHES_FILES.test(textOf(args[0]))) refuse('ATTACH and VACUUM INTO')
      return Reflect.apply(real, this, args)
    }

  define(
    binding,
    'DatabaseSync',
    new Proxy(Real, {
      construct(target, args, newTarget) {
        if (host.active() && args[0] !== ':memory:') refuse('DatabaseSync of a file; :memory: is controlled')
        return prepared(Reflect.construct(target, args, newTarget))
      },
    }),
  )
  define(prototype, 'open', function (this: DatabaseSync) {
    Reflect.apply(open!, this, [])
    prepared(this)
  })
  define(prototype, 'exec', checked(exec!, String))
  define(prototype, 'prepare', checked(prepare!, String))
  define(prototype, 'loadExtension', function (this: object, ...args: unknown[]) {
    return host.active() ? refuse('loadExtension') : Reflect.apply(loadExtension!, this, args)
  })
  // Since Node 24.9.
  if (createTagStore === undefined) return
  define(prototype, 'createTagStore', function (this: object, ...args: unknown[]) {
    const store = Reflect.apply(createTagStore, this, args) as object
    // Each store has a prototype of its own.
    const ofStore = Object.getPrototypeOf(store) as Holder
    const joined = (template: unknown) => (Array.isArray(template) ? template.join('?') : '')
    for (const name of ['run', 'get', 'all', 'iterate']) define(ofStore, name, checked(ofStore[name]!, joined))
    return store
  })
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
