/** Transactions as Elle's examples have them. */
import { expect, test } from 'vitest'
import { parseHistory } from '../../src/read/read-history.ts'
import { transactionReading } from '../../src/read/transactions.ts'

test('transactions need neither a process nor a function, and are then of one process', () => {
  const text = `
    {:index 0 :type :invoke  :value [[:append 253 1] [:r 255 nil]]}
    {:index 1 :type :ok      :value [[:append 253 1] [:r 255 [2 3]]]}
    {:index 2 :type :invoke, :value [[:append 255 8]]}
    {:index 3 :type :info,   :value [[:append 255 8]]}`
  expect(parseHistory(text, transactionReading).operations).toMatchObject([
    {
      process: 'nil',
      output: [
        ['append', 253, 1],
        ['r', 255, [2, 3]],
      ],
      call: 0,
      return: 1,
    },
    { process: 'nil', input: [['append', 255, 8]], outcome: 'unknown' },
  ])
})

test('they overlap only with a process', () => {
  const call = '{:type :invoke, :value [[:r x nil]]}\n'
  expect(() => parseHistory(call + call, transactionReading)).toThrow('line 2: process nil calls txn before')
})

test.for([
  ['another operation', '{:type :invoke, :f :read, :value nil}'],
  ['a transaction without steps', '{:type :invoke, :f :txn, :value nil}'],
] as const)('%s needs a process', ([, text]) =>
  expect(() => parseHistory(text, transactionReading)).toThrow('line 1: an event without the field process'),
)
