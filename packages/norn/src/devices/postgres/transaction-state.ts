/**
 * What a session of PostgreSQL may be refused with, whatever is stored: follows from how isolated its transaction is,
 * and from the time that it gives a statement. Read from what its client says; pure.
 */
import type { ServerError } from '../device.ts'

export const TOO_MANY: ServerError = { code: '53300', text: 'sorry, too many clients already' }

/** Other transactions, of this client or of any, may have made it impossible. */
const UNSERIALIZABLE: ServerError = {
  code: '40001',
  text: 'could not serialize access due to read/write dependencies among transactions',
}
const OUT_OF_TIME: ServerError = { code: '57014', text: 'canceling statement due to statement timeout' }

/** Statements that read and write nothing. */
const HARMLESS =
  /^(?:begin|start|set|show|reset|rollback|abort|savepoint|release|declare|close|deallocate|discard|(?:un)?listen)\b|^(?:select 1)?$/i
const COMMIT = /^(?:commit|end)\b/i
const LEVEL = '(serializable|repeatable read|read committed|read uncommitted)'
const OF_TRANSACTION = new RegExp(
  `^(?:begin|start transaction|set (?:local )?transaction)\\b.*isolation level ${LEVEL}`,
  'i',
)
const OF_SESSION = new RegExp(
  `^set (?:session characteristics as transaction isolation level|(?:session )?default_transaction_isolation (?:=|to)) ["']?${LEVEL}`,
  'i',
)
const BEGIN = /^(?:begin|start transaction)\b/i
/** A transaction that waits until it can read without being refused. */
const DEFERRABLE = /^(?:begin|start|set)\b(?=.*\bread only\b)(?=.*(?<!\bnot )\bdeferrable\b)/i
const TIMEOUT = /^set (?:session )?statement_timeout (?:=|to) '?(.+)/i
/** What may set one, in whichever way. */
const OF_LEVEL = /^reset all\b|transaction_isolation\b|\bsession characteristics\b/i
const OF_TIMEOUT = /^reset all\b|\bstatement_timeout\b/i
const RESET = /^(?:reset|discard) all\b/i
const UNITS_MS: Readonly<Record<string, number>> = {
  '': 1,
  us: 0.001,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
/** Of a statement that runs out of time: executions are not to run out of theirs. */
const MAX_TIMEOUT_MS = 300_000

const READ_COMMITTED = 'read committed'

interface Settings {
  readonly level: string
  readonly timeoutMs: number
}

export class TransactionState {
  /** As the server says: I for idle, T in a transaction, E in one that has failed. */
  status = 'I'
  #level = READ_COMMITTED
  #timeoutMs = 0
  /** Whether the transaction has neither read nor written. */
  #isEmpty = true
  /** Of the session: what its client has asked for when it connected, and what holds now. */
  #initial: Settings = { level: READ_COMMITTED, timeoutMs: 0 }
  #settings = this.#initial

  /** @param settings that a client asks for when it connects */
  begins(settings: ReadonlyMap<string, string>): void {
    const level = settings.get('default_transaction_isolation')?.toLowerCase() ?? READ_COMMITTED
    this.#settings = this.#initial = { level, timeoutMs: milliseconds(settings.get('statement_timeout')) }
  }

  /** A statement is next. */
  errors(sql: string): readonly ServerError[] {
    if (this.status === 'E') return []
    const statement = sql.replace(/\s*(=)\s*/g, ' $1 ')
    if (!/^show\b/i.test(sql)) this.#set(statement)
    if (this.status === 'I' || BEGIN.test(sql)) {
      this.#level = this.#settings.level
      this.#timeoutMs = this.#settings.timeoutMs
      this.#isEmpty = !(BEGIN.test(sql) && sql.includes(';'))
    }
    this.#level = OF_TRANSACTION.exec(statement)?.[1]?.toLowerCase() ?? this.#level
    if (DEFERRABLE.test(sql)) this.#level = READ_COMMITTED
    if (HARMLESS.test(sql)) return []
    const isFinal = COMMIT.test(sql)
    const found: ServerError[] = []
    if (this.#level === 'serializable' && !(isFinal && this.#isEmpty)) found.push({ ...UNSERIALIZABLE, isFinal })
    this.#isEmpty = false
    if (this.#timeoutMs > 0 && this.#timeoutMs <= MAX_TIMEOUT_MS && !isFinal)
      found.push({ ...OUT_OF_TIME, afterUs: this.#timeoutMs * 1000 })
    return found
  }

  /** What is set in a way that cannot be followed counts as off: then less is injected than could be. */
  #set(statement: string): void {
    // Within a transaction it may hold, or be undone with it.
    const isFollowed = this.status === 'I'
    if (isFollowed && RESET.test(statement)) {
      this.#settings = this.#initial
      return
    }
    if (OF_LEVEL.test(statement)) {
      const level = (isFollowed && OF_SESSION.exec(statement)?.[1]?.toLowerCase()) || READ_COMMITTED
      this.#settings = { ...this.#settings, level }
      if (!isFollowed && !/\bdefault_|\bcharacteristics\b/i.test(statement)) this.#level = READ_COMMITTED
    }
    if (OF_TIMEOUT.test(statement)) {
      const timeoutMs = isFollowed ? milliseconds(TIMEOUT.exec(statement)?.[1]) : 0
      this.#timeoutMs = timeoutMs
      // Otherwise it holds again once the transaction has ended.
      if (!/^set local\b/i.test(statement)) this.#settings = { ...this.#settings, timeoutMs }
    }
  }
}

/** A time as PostgreSQL reads it; 0 for none. */
function milliseconds(text = ''): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*(us|ms|s|min|h|d)?(?!\s*[\w.])/.exec(text) ?? []
  return number === undefined ? 0 : Math.round(Number(number) * UNITS_MS[unit]!)
}
