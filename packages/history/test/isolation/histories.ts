/** Small histories of transactions, written as text. */
import type { MicroOperation, Transaction } from '../../src/history/transaction.ts'

export interface Around {
  readonly process?: number
  readonly outcome?: Transaction['outcome']
  readonly call?: number
  readonly return?: number
  readonly line?: number
}

/**
 * `txn('append x 1, r y [1 2], w z 3, r q nil')`. By default each is of a process of its own and all are
 * concurrent, so that only data orders them.
 */
export function txn(text: string, around: Around = {}): Omit<Transaction, 'process'> & { process?: number } {
  const output = text.split(', ').map((part): MicroOperation => {
    const [f, key, ...value] = part.split(' ')
    const shown = value.join(' ').replaceAll(' ', ',')
    return [f as MicroOperation[0], key, shown === 'nil' ? null : JSON.parse(shown)]
  })
  const input = output.map((one): MicroOperation => (one[0] === 'r' ? ['r', one[1], null] : one))
  const outcome = around.outcome ?? 'ok'
  return {
    ...around,
    input,
    output: outcome === 'ok' ? output : undefined,
    outcome,
    call: around.call ?? 0,
    return: outcome === 'unknown' ? Number.POSITIVE_INFINITY : (around.return ?? 1000),
  }
}

export type Given = string | ReturnType<typeof txn>

export function history(...transactions: readonly Given[]): Transaction[] {
  return transactions
    .map((one) => (typeof one === 'string' ? txn(one) : one))
    .map((one, index) => ({ ...one, process: one.process ?? index }))
}
