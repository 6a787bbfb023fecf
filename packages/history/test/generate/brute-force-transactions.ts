/** A reference that tries every serial order: slow beyond about eight transactions, and obviously right. */
import type { MicroOperation, Transaction } from '../../src/history/transaction.ts'
import type { Workload } from '../../src/isolation/workload.ts'
import { canonical } from '../../src/models/canonical.ts'
import { precedes, precedesInProcess } from './brute-force.ts'

/**
 * Whether some serial order of the transactions that were `ok`, with or without each one that is
 * `unknown`, gives the reads that were observed.
 *
 * @param order that the serial order has to keep
 */
export function isSerializableByBruteForce(
  transactions: readonly Transaction[],
  workload: Workload,
  order: 'any' | 'process' | 'realtime',
): boolean {
  const left = new Set(transactions.filter(({ outcome }) => outcome !== 'fail'))
  const inProcess = precedesInProcess(transactions)
  const comesFirst = (a: Transaction, b: Transaction) =>
    order !== 'any' && (inProcess(a, b) || (order === 'realtime' && precedes(a, b)))
  const search = (state: ReadonlyMap<unknown, unknown>): boolean => {
    if ([...left].every(({ outcome }) => outcome === 'unknown')) return true
    for (const transaction of [...left]) {
      if ([...left].some((other) => other.outcome === 'ok' && comesFirst(other, transaction))) continue
      left.delete(transaction)
      const next = afterTransaction(state, transaction, workload)
      if (next !== undefined && search(next)) return true
      left.add(transaction)
    }
    return false
  }
  return search(new Map())
}

/** The state after a transaction, or undefined if it read something else than the state has. */
function afterTransaction(
  before: ReadonlyMap<unknown, unknown>,
  { outcome, input, output }: Transaction,
  workload: Workload,
): ReadonlyMap<unknown, unknown> | undefined {
  const state = new Map(before)
  const micros: readonly MicroOperation[] = outcome === 'ok' ? output! : input
  for (const [f, key, value] of micros) {
    const empty = workload === 'list-append' ? [] : null
    const current = state.get(key) ?? empty
    if (f === 'append') state.set(key, [...(current as readonly unknown[]), value])
    else if (f === 'w') state.set(key, value)
    else if (outcome === 'ok' && canonical(current) !== canonical(value ?? empty)) return undefined
  }
  return state
}
