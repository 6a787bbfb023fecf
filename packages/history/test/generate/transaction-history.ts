/**
 * Histories of transactions at a level of isolation by construction: they run on a simulated database
 * that provides just that.
 */
import type { MicroOperation, Transaction } from '../../src/history/transaction.ts'
import type { Workload } from '../../src/isolation/workload.ts'
import type { Random } from './random.ts'
import { type Level, type Session, SimulatedDatabase } from './simulated-database.ts'

/**
 * What transactions `transactionHistory` generates.
 */
export interface TransactionOptions {
  readonly workload: Workload
  readonly level: Level
  /** How many. */
  readonly transactions: number
  /** How many run at once at most. Default: 4. */
  readonly processes?: number
  /** How many keys are written at a time. Default: 3. */
  readonly keys?: number
  /** After so many writes a key gives way to a new one. Default: 32. */
  readonly writesPerKey?: number
  /** Micro-operations of a transaction at most. Default: 4. */
  readonly length?: number
  /** The probability that an outcome is unknown. Default: 0. */
  readonly unknown?: number
  /** The probability that a transaction aborts, beside those that the database aborts. Default: 0. */
  readonly failed?: number
  /** Whether a last transaction reads all keys, so that the order of all writes is seen. Default: no. */
  readonly readsAll?: boolean
}

/**
 * Transactions of a simulated database at a level of isolation. Keys and values are numbers; each
 * value is written to a key once.
 */
export function transactionHistory(random: Random, options: TransactionOptions): Transaction[] {
  return new Generation(random, options).transactions()
}

interface Slot {
  process: number
  running: Running | undefined
}

interface Running {
  readonly index: number
  readonly input: readonly MicroOperation[]
  readonly output: MicroOperation[]
  readonly call: number
  readonly end: Transaction['outcome']
  /** Whether it commits; not known of one that is unknown. */
  readonly commits: boolean
  session: Session | undefined
  /** What it came to; undefined while it runs. */
  outcome: Transaction['outcome'] | undefined
}

class Generation {
  readonly #random: Random
  readonly #options: TransactionOptions
  readonly #database: SimulatedDatabase
  readonly #done: (Transaction | undefined)[] = []
  readonly #slots: Slot[]
  readonly #keys: number[]
  readonly #writes = new Map<number, number>()
  #nextKey: number
  #nextProcess: number
  #clock = 0

  constructor(random: Random, options: TransactionOptions) {
    const { workload, level, processes = 4, keys = 3 } = options
    this.#random = random
    this.#options = options
    this.#database = new SimulatedDatabase(random, workload, level)
    this.#slots = Array.from({ length: processes }, (_, process) => ({ process, running: undefined }))
    this.#keys = Array.from({ length: keys }, (_, key) => key)
    this.#nextKey = keys
    this.#nextProcess = processes
  }

  transactions(): Transaction[] {
    const { transactions, readsAll = false } = this.#options
    while (this.#done.length < transactions || this.#slots.some(({ running }) => running !== undefined))
      this.#turn(this.#random.pick(this.#slots))
    if (readsAll) {
      const slot = { process: this.#nextProcess, running: undefined }
      const reads = Array.from({ length: this.#nextKey }, (_, key): MicroOperation => ['r', key, null])
      this.#begin(slot, reads, 'ok', true)
      while (slot.running !== undefined) this.#turn(slot)
    }
    return this.#done as Transaction[]
  }

  #turn(slot: Slot): void {
    const random = this.#random
    const { running } = slot
    if (running === undefined) {
      if (this.#done.length >= this.#options.transactions) return
      const { unknown = 0, failed = 0 } = this.#options
      const end = random.coin(unknown) ? 'unknown' : random.coin(failed) ? 'fail' : 'ok'
      this.#begin(slot, this.#draw(), end, end === 'ok' || (end === 'unknown' && random.coin(0.5)))
    } else if (running.outcome !== undefined) this.#return(slot, running)
    else if (running.session === undefined) running.session = this.#database.begin(slot.process)
    else if (running.output.length < running.input.length) {
      const micro = running.session.run(running.input[running.output.length]!)
      if (micro !== undefined) running.output.push(micro)
      else this.#abort(running)
    } else if (!running.commits) this.#abort(running)
    else if (running.session.commit()) running.outcome = running.end
    else this.#abort(running)
  }

  #begin(slot: Slot, input: readonly MicroOperation[], end: Transaction['outcome'], commits: boolean): void {
    const index = this.#done.push(undefined) - 1
    const call = this.#clock++
    slot.running = { index, input, output: [], call, end, commits, session: undefined, outcome: undefined }
  }

  #abort(running: Running): void {
    running.session!.abort()
    running.outcome = running.end === 'unknown' ? 'unknown' : 'fail'
  }

  #return(slot: Slot, { index, input, output, call, outcome }: Running): void {
    this.#done[index] = {
      process: slot.process,
      input,
      output: outcome === 'ok' ? output : undefined,
      outcome: outcome!,
      call,
      return: outcome === 'unknown' ? Number.POSITIVE_INFINITY : this.#clock++,
    }
    slot.running = undefined
    if (outcome === 'unknown') slot.process = this.#nextProcess++
  }

  #draw(): MicroOperation[] {
    const { length = 4, workload } = this.#options
    const count = 1 + this.#random.below(length)
    return Array.from({ length: count }, (): MicroOperation => {
      const place = this.#random.below(this.#keys.length)
      const key = this.#keys[place]!
      if (this.#random.coin(0.5)) return ['r', key, null]
      return [workload === 'list-append' ? 'append' : 'w', key, this.#value(place, key)]
    })
  }

  #value(place: number, key: number): number {
    const value = (this.#writes.get(key) ?? 0) + 1
    this.#writes.set(key, value)
    if (value >= (this.#options.writesPerKey ?? 32)) this.#keys[place] = this.#nextKey++
    return value
  }
}
