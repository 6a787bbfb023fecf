/** What transactions are made of. */
import type { MicroOperation, Transaction } from '../history/transaction.ts'

/**
 * What transactions do with keys: append unique elements to lists, or write unique values to
 * registers.
 *
 * @public
 */
export type Workload = 'list-append' | 'rw-register'

/** The completed micro-operations, or those asked for if the transaction is not known to have committed. */
export function microOperations(transaction: Transaction): readonly MicroOperation[] {
  return transaction.outcome === 'ok' ? transaction.output! : transaction.input
}
