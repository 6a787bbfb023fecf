import { expect, test } from 'vitest'
import { TransactionState } from '../../src/devices/postgres/transaction-state.ts'

/** The codes of the errors that each statement may meet; behind a colon the status that the server then reports. */
function codes(...statements: readonly string[]) {
  const state = new TransactionState()
  return statements.map((each) => {
    const [sql = '', status] = each.split(' : ')
    const found = state.errors(sql).map(({ code, isFinal }) => (isFinal ? `${code} final` : code))
    state.status = status ?? state.status
    return found.join()
  })
}

const UPDATE = 'UPDATE accounts SET balance = 1'

test('only a transaction that is SERIALIZABLE may be refused as such, at its end too', () => {
  const begin = 'BEGIN ISOLATION LEVEL SERIALIZABLE : T'
  expect(codes(UPDATE, 'BEGIN : T', UPDATE, 'COMMIT : I', begin, UPDATE, 'SAVEPOINT a', 'COMMIT : I', UPDATE)).toEqual([
    '',
    '',
    '',
    '',
    '',
    '40001',
    '',
    '40001 final',
    '',
  ])
  expect(codes('BEGIN : T', 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', UPDATE)[2]).toBe('40001')
  expect(codes("set default_transaction_isolation='serializable'", UPDATE, 'BEGIN : T', UPDATE)).toEqual([
    '',
    '40001',
    '',
    '40001',
  ])
  expect(codes('SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE', UPDATE)[1]).toBe('40001')
  expect(codes('START TRANSACTION ISOLATION LEVEL REPEATABLE READ : T', UPDATE)[1]).toBe('')
})

test('a transaction that cannot be refused is not', () => {
  const deferrable = 'BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE : T'
  expect(codes(deferrable, 'SELECT a FROM b', 'COMMIT')).toEqual(['', '', ''])
  expect(codes(deferrable.replace('DEF', 'NOT DEF'), 'SELECT a FROM b')[1]).toBe('40001')
  const begin = 'BEGIN ISOLATION LEVEL SERIALIZABLE : T'
  expect(codes(begin, 'COMMIT : I', begin, 'SELECT 1', 'COMMIT : I')).toEqual(['', '', '', '', ''])
  expect(codes("SET default_transaction_isolation = 'serializable'", 'COMMIT')[1]).toBe('')
})

test('a level that is set within a transaction counts as none', () => {
  const serializable = "SET default_transaction_isolation = 'serializable'"
  const [set, begin] = [serializable.replace('serializable', 'read committed'), 'BEGIN : T']
  expect(codes(serializable, begin, set, UPDATE, 'COMMIT : I', UPDATE)).toEqual([
    '',
    '',
    '',
    '40001',
    '40001 final',
    '',
  ])
  expect(codes(serializable, begin, "SET transaction_isolation = 'read committed'", UPDATE)[3]).toBe('')
  expect(
    codes(serializable, "SELECT set_config('default_transaction_isolation', 'read committed', false)", UPDATE)[2],
  ).toBe('')
  expect(codes(serializable, 'SHOW transaction_isolation', UPDATE)[2]).toBe('40001')
})

test('a transaction that has failed meets nothing more', () => {
  expect(codes('BEGIN ISOLATION LEVEL SERIALIZABLE : T', `${UPDATE} : E`, UPDATE, 'COMMIT')).toEqual([
    '',
    '40001',
    '',
    '',
  ])
})

test('a statement runs out of the time that its client gives it', () => {
  const state = new TransactionState()
  state.begins(new Map([['statement_timeout', '1500']]))
  expect(state.errors(UPDATE)).toMatchObject([{ code: '57014', afterUs: 1_500_000 }])
  // As for a migration.
  state.errors('BEGIN')
  state.status = 'T'
  state.errors('SET LOCAL statement_timeout = 0')
  expect(state.errors(UPDATE)).toEqual([])
  state.status = 'I'
  expect(state.errors(UPDATE)).toMatchObject([{ code: '57014', afterUs: 1_500_000 }])
  for (const [text, ms] of [
    ["'2s'", 2000],
    ['250', 250],
    ["'1min'", 60_000],
    ["'5 min'", 300_000],
    ["'301s'", undefined],
    ["'1 d'", undefined],
    ["'5 parsecs'", undefined],
    ['0', undefined],
    ['DEFAULT', undefined],
  ] as const) {
    state.errors(`SET statement_timeout = ${text}`)
    expect(state.errors(UPDATE)[0]?.afterUs, text).toBe(ms && ms * 1000)
  }
  // Undone with the transaction, or at its end.
  state.status = 'T'
  for (const sql of ['SET statement_timeout = 5', 'SET LOCAL statement_timeout = 5']) {
    state.errors(sql)
    expect(state.errors(UPDATE)).toEqual([])
  }
  state.status = 'I'
  state.errors('DISCARD TEMP')
  expect(state.errors(UPDATE)).toEqual([])
  state.errors('DISCARD ALL')
  expect(state.errors(UPDATE)).toMatchObject([{ afterUs: 1_500_000 }])
})
