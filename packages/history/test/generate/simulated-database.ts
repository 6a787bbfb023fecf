/** A database in memory that gives transactions one level of isolation, and no more than it has to. */
import type { MicroOperation } from '../../src/history/transaction.ts'
import type { Workload } from '../../src/isolation/workload.ts'
import type { Random } from './random.ts'

/**
 * `read-uncommitted`: writes are seen at once; a key that an open transaction has written is locked for
 * writes. `read-committed`: reads see the last committed version. `snapshot-isolation`: all reads see the
 * state at the beginning, and the first that commits a key wins. `serializable`: transactions take effect
 * one by one; those that only read may see a state of the past, `strong-session-serializable` none that
 * is older than their session has seen. `strict-serializable`: they take effect between call and return.
 */
export type Level = (typeof LEVELS)[number]

/**
 * The levels of isolation of `transactionHistory`, from the weakest to the strongest; snapshot
 * isolation is that of real time.
 */
export const LEVELS = [
  'read-uncommitted',
  'read-committed',
  'snapshot-isolation',
  'serializable',
  'strong-session-serializable',
  'strict-serializable',
] as const

/** A transaction that runs. */
export interface Session {
  /** The micro-operation with what it returned; undefined if the transaction has to abort. */
  run(micro: MicroOperation): MicroOperation | undefined
  /** Whether it could. If not, it has to abort. */
  commit(): boolean
  abort(): void
}

/** A list, or what a register holds. */
type Value = unknown

interface Version {
  readonly value: Value
  /** The number of its commit. */
  readonly at: number
}

export class SimulatedDatabase {
  readonly random: Random
  readonly #level: Level
  readonly #isList: boolean
  /** The versions of each key that may still be read, oldest first. */
  readonly #versions = new Map<unknown, Version[]>()
  /** By key: the open transaction that has written it. */
  readonly locks = new Map<unknown, Session>()
  /** What each session has seen: the number of a commit. */
  readonly #seen = new Map<number, number>()
  commits = 0

  constructor(random: Random, workload: Workload, level: Level) {
    this.random = random
    this.#isList = workload === 'list-append'
    this.#level = level
  }

  begin(process: number): Session {
    if (this.#level === 'read-uncommitted' || this.#level === 'read-committed')
      return new LockingSession(this, this.#level === 'read-uncommitted')
    return new SnapshotSession(this, this.#level, process, this.#seen)
  }

  /** The value as of a commit; by default, of the last one. */
  read(key: unknown, at = this.commits): Value {
    const versions = this.#versions.get(key)
    const version = versions?.findLast((each) => each.at <= at)
    return version === undefined ? (this.#isList ? [] : null) : version.value
  }

  /** The number of the commit that wrote the last version; 0 if nobody did. */
  lastWrite(key: unknown): number {
    return this.#versions.get(key)?.at(-1)?.at ?? 0
  }

  write(key: unknown, value: Value, at: number): void {
    const versions = this.#versions.get(key)
    if (versions === undefined) this.#versions.set(key, [{ value, at }])
    else {
      // Versions that nobody open can read are not kept, so that long histories need little memory.
      if (versions.length > KEPT) versions.splice(0, versions.length - KEPT / 2)
      versions.push({ value, at })
    }
  }

  after(before: Value, [f, , value]: MicroOperation): Value {
    return f === 'append' ? [...(before as readonly unknown[]), value] : value
  }

  /** The oldest commit whose state can still be read whole. */
  get oldest(): number {
    return Math.max(0, this.commits - KEPT / 2)
  }
}

/** Versions of a key that are kept at most. */
const KEPT = 64

class LockingSession implements Session {
  readonly #database: SimulatedDatabase
  readonly #isDirty: boolean
  /** What it has written, and in a database with dirty reads what was there before. */
  readonly #own = new Map<unknown, Value>()

  constructor(database: SimulatedDatabase, isDirty: boolean) {
    this.#database = database
    this.#isDirty = isDirty
  }

  run(micro: MicroOperation): MicroOperation | undefined {
    const [f, key] = micro
    const database = this.#database
    const current = this.#own.has(key) && !this.#isDirty ? this.#own.get(key) : database.read(key)
    if (f === 'r') return [f, key, current]
    const holder = database.locks.get(key)
    if (holder !== undefined && holder !== this) return undefined
    database.locks.set(key, this)
    if (!this.#isDirty) this.#own.set(key, database.after(current, micro))
    else {
      if (!this.#own.has(key)) this.#own.set(key, current)
      database.write(key, database.after(current, micro), ++database.commits)
    }
    return micro
  }

  commit(): boolean {
    const at = ++this.#database.commits
    if (!this.#isDirty) for (const [key, value] of this.#own) this.#database.write(key, value, at)
    this.#unlock()
    return true
  }

  abort(): void {
    const at = ++this.#database.commits
    if (this.#isDirty) for (const [key, value] of this.#own) this.#database.write(key, value, at)
    this.#unlock()
  }

  #unlock(): void {
    for (const key of this.#own.keys()) this.#database.locks.delete(key)
  }
}

/** Reads a snapshot, and commits if nobody has written what it has written, or if serializable, read. */
class SnapshotSession implements Session {
  readonly #database: SimulatedDatabase
  readonly #level: Level
  readonly #process: number
  readonly #seen: Map<number, number>
  readonly #begin: number
  readonly #written = new Map<unknown, Value>()
  readonly #read = new Set<unknown>()

  constructor(database: SimulatedDatabase, level: Level, process: number, seen: Map<number, number>) {
    this.#database = database
    this.#level = level
    this.#process = process
    this.#seen = seen
    const now = database.commits
    const floor =
      level === 'strong-session-serializable' ? Math.max(database.oldest, seen.get(process) ?? 0) : database.oldest
    const mayLag = level === 'serializable' || level === 'strong-session-serializable'
    this.#begin = mayLag && database.random.coin(0.3) ? floor + database.random.below(now - floor + 1) : now
  }

  run(micro: MicroOperation): MicroOperation | undefined {
    const [f, key] = micro
    if (this.#begin < this.#database.oldest) return undefined
    const current = this.#written.has(key) ? this.#written.get(key) : this.#database.read(key, this.#begin)
    this.#read.add(key)
    if (f === 'r') return [f, key, current]
    this.#written.set(key, this.#database.after(current, micro))
    return micro
  }

  commit(): boolean {
    const database = this.#database
    const isSnapshot = this.#level === 'snapshot-isolation'
    // Without writes the snapshot is the place in the serial order.
    const mustBeFresh = isSnapshot || this.#written.size === 0 ? this.#written.keys() : this.#read
    for (const key of mustBeFresh) if (database.lastWrite(key) > this.#begin) return false
    let seen = this.#begin
    if (this.#written.size > 0) {
      seen = ++database.commits
      for (const [key, value] of this.#written) database.write(key, value, seen)
    }
    this.#seen.set(this.#process, Math.max(seen, this.#seen.get(this.#process) ?? 0))
    return true
  }

  abort(): void {}
}
