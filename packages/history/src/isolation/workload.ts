/** What transactions are made of. */
import type { MicroOperation, Transaction } from '../history/transaction.ts'

/**
 * What transactions do with keys: append unique elements to lists, or write unique values to
 * registers.
 *
 * @public
 */
export type Workload = 'list-append' | 'rw-register'

const WORKLOADS: readonly string[] = ['list-append', 'rw-register'] satisfies Workload[]

/** @throws RangeError if there is no such workload */
export function assertWorkload(name: string): void {
  if (!WORKLOADS.includes(name)) throw new RangeError(`unknown workload: ${name}; one of ${WORKLOADS.join(', ')}`)
}

/** The completed micro-operations, or those asked for if the transaction is not known to have committed. */
export function microOperations(transaction: Transaction): readonly MicroOperation[] {
  return transaction.outcome === 'ok' ? transaction.output! : transaction.input
}
