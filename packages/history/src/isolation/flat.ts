/** The transactions of a history laid out flat, with what both workloads need to know of them. */
import { HistoryError } from '../history/history-error.ts'
import type { MicroOperation, Transaction } from '../history/transaction.ts'
import { Codes, KeyTable } from './codes.ts'
import { WW, WW_UNKNOWN } from './edges.ts'
import type { Limits } from './limits.ts'
import { showKey, showValue } from './words.ts'
import { microOperations, type Workload } from './workload.ts'
import { bytesOfWrites, Writes } from './writes.ts'

export const OK = 0
const UNKNOWN = 1
export const FAILED = 2

export interface Flat {
  readonly workload: Workload
  /** In the order of their calls. */
  readonly transactions: readonly Transaction[]
  /** By transaction: OK, UNKNOWN, FAILED. */
  readonly status: Uint8Array
  /** By transaction, and one more: its first micro-operation, counted through the history. */
  readonly start: Int32Array
  /** By micro-operation: its key's number. */
  readonly key: Int32Array
  /** By micro-operation: its write, or -1 for a read. */
  readonly write: Int32Array
  /** By micro-operation: the one before it in its transaction on the same key, or -1. */
  readonly previous: Int32Array
  readonly keys: readonly unknown[]
  readonly writes: Writes
}

/**
 * @throws HistoryError if something is not a transaction of the workload, or writes a value twice, or a
 *   register's initial one
 */
export function flatten(
  transactions: readonly Transaction[],
  { workload, initial }: { readonly workload: Workload; readonly initial?: unknown },
  limits: Limits,
): Flat {
  const count = transactions.length
  let micros = 0
  let writeCount = 0
  for (const transaction of transactions) {
    const list = validated(transaction, workload, initial)
    micros += list.length
    for (let at = 0; at < list.length; at++) if (list[at]![0] !== 'r') writeCount++
  }
  // Other values than small integers stand in a map.
  limits.reserve(count * 5 + micros * 12 + bytesOfWrites(writeCount) + writeCount * 16, 'to index the writes')
  const keys = new KeyTable()
  const writes = new Writes(writeCount, new Codes())
  const status = new Uint8Array(count)
  const start = new Int32Array(count + 1)
  const key = new Int32Array(micros)
  const write = new Int32Array(micros).fill(-1)
  const previous = new Int32Array(micros)
  let lastOfKey = new Int32Array(1024).fill(-1)
  let micro = 0
  for (let index = 0; index < count; index++) {
    const transaction = transactions[index]!
    status[index] = transaction.outcome === 'ok' ? OK : transaction.outcome === 'unknown' ? UNKNOWN : FAILED
    const first = micro
    const list = microOperations(transaction)
    for (let at = 0; at < list.length; at++, micro++) {
      const operation = list[at]!
      const id = keys.of(operation[1])
      if (id >= lastOfKey.length) {
        const grown = new Int32Array(lastOfKey.length * 2).fill(-1)
        grown.set(lastOfKey)
        lastOfKey = grown
      }
      const before = lastOfKey[id]!
      key[micro] = id
      previous[micro] = before >= first ? before : -1
      lastOfKey[id] = micro
      if (operation[0] === 'r') continue
      const added = writes.add(id, operation[2], index, micro)
      if (added < 0) throw duplicate(transactions, workload, operation, transaction, writes)
      write[micro] = added
      for (let other = previous[micro]!; other >= 0; other = previous[other]!)
        if (write[other]! >= 0) {
          writes.isOverwritten[write[other]!] = 1
          break
        }
    }
    start[index + 1] = micro
    if ((index & 0xffff) === 0) limits.checkTime()
  }
  return { workload, transactions, status, start, key, write, previous, keys: keys.keys, writes }

  function duplicate(
    all: readonly Transaction[],
    kind: Workload,
    [, keyName, value]: MicroOperation,
    second: Transaction,
    table: Writes,
  ): HistoryError {
    const earlier = all[table.transaction[table.find(keys.of(keyName), value)]!]!
    const where = earlier === second ? 'the same transaction' : placeOf(earlier)
    const done = kind === 'list-append' ? 'appended to' : 'written to'
    return new HistoryError(
      `${showValue(value)} is ${done} key ${showKey(keyName)} a second time (first by ${where}); ` +
        `a ${kind} history needs a different value in each ${kind === 'list-append' ? 'append' : 'write'} of a key`,
      second.line,
    )
  }
}

/** The micro-operation that is the `micro`th of the history, and belongs to the transaction. */
export function microOperation(flat: Flat, transaction: number, micro: number): MicroOperation {
  return microOperations(flat.transactions[transaction]!)[micro - flat.start[transaction]!]!
}

/** The type of an edge from what one transaction wrote to what another wrote over it. */
export function wwType({ status }: Flat, from: number, to: number): number {
  return status[from] === OK && status[to] === OK ? WW : WW_UNKNOWN
}

/** The value of a write. */
export function writtenValue(flat: Flat, write: number): unknown {
  return microOperation(flat, flat.writes.transaction[write]!, flat.writes.micro[write]!)[2]
}

function placeOf(transaction: Transaction): string {
  return transaction.line === undefined
    ? `a transaction of process ${transaction.process}`
    : `the transaction of line ${transaction.line}`
}

function validated(transaction: Transaction, workload: Workload, initial: unknown): readonly MicroOperation[] {
  const { input, output, outcome, line } = transaction
  if (!Array.isArray(input))
    throw new HistoryError(`a transaction must be a list of micro-operations, not ${showValue(input)}`, line)
  if (outcome === 'ok' && output === undefined)
    throw new HistoryError(
      'a transaction is ok, but what its reads returned is missing; an ok transaction completes its micro-operations',
      transaction.returnLine ?? line,
    )
  const list = microOperations(transaction)
  if (!Array.isArray(list))
    throw new HistoryError(`a transaction must return a list of micro-operations, not ${showValue(output)}`, line)
  const writing = workload === 'list-append' ? 'append' : 'w'
  for (let at = 0; at < list.length; at++) {
    const operation = list[at]
    if (!Array.isArray(operation) || (operation[0] !== 'r' && operation[0] !== writing))
      throw new HistoryError(
        `not a micro-operation of ${workload}: ${showValue(operation)}; ` +
          `expected ["r", key, value] or ["${writing}", key, value]`,
        line,
      )
    const value = operation[2]
    if (operation[0] === 'r') {
      if (
        workload === 'list-append' &&
        outcome === 'ok' &&
        value !== null &&
        value !== undefined &&
        !Array.isArray(value)
      )
        throw new HistoryError(
          `a read of list-append must return a list or nil: ${showValue(value)} of key ${showKey(operation[1])}`,
          transaction.returnLine ?? line,
        )
    } else if (workload === 'rw-register' && (value === null || value === undefined || value === initial))
      throw new HistoryError(
        `${showValue(value)} is written to key ${showKey(operation[1])}, and is what registers have before ` +
          'their first write; write another value, so that reads tell the two apart',
        line,
      )
  }
  return list
}
