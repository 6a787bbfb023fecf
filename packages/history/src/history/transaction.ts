/** Transactions of micro-operations, as in Jepsen's list-append and rw-register workloads. */
import type { Operation } from './operation.ts'

/**
 * `['append', key, element]`, `['w', key, value]` or `['r', key, value]`. In the output of a
 * transaction a read has what it returned: a list (null if empty), or a value (null if never written).
 *
 * @public
 */
export type MicroOperation = readonly [f: 'append' | 'w' | 'r', key: unknown, value: unknown]

/**
 * The input has the micro-operations as called, the output as completed. Only the output of one that is
 * `ok` is read.
 *
 * @public
 */
export type Transaction = Operation<readonly MicroOperation[], readonly MicroOperation[]>
