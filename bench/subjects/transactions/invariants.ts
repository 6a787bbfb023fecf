/** What holds of correct programs, whatever the order of their statements. */
import assert from 'node:assert/strict'
import {
  type AccountsProgram,
  BALANCE,
  type Balances,
  conserves,
  JOBS,
  rowsOf,
  total,
} from '../../databases/transactions/program.ts'

/** What a session has committed: what it had read, and what it added. */
export interface Done {
  readonly read: Balances
  readonly deltas: Balances
}

export function checkAccounts(program: AccountsProgram, done: readonly Done[], balances: Balances): void {
  const expected = new Map([...balances.keys()].map((row) => [row, BALANCE]))
  for (const { deltas } of done) for (const [row, delta] of deltas) expected.set(row, expected.get(row)! + delta)
  assert.deepEqual(balances, expected, 'an update is lost')
  const works = program.sessions.flat()
  assert.equal(done.length, works.length)
  const [withdraw] = works.filter(({ kind }) => kind === 'withdraw')
  if (withdraw === undefined) assert.ok(Math.min(...balances.values()) >= 0, 'an account owes money')
  else {
    const all = new Map(rowsOf(withdraw).map((row) => [row, balances.get(row)!]))
    assert.ok(total(all) >= 0, 'the accounts together owe money')
  }
  if (!conserves(program)) return
  const rows = works.find(({ kind }) => kind === 'audit')
  if (rows === undefined) return
  const { length } = rowsOf(rows)
  for (const { read } of done)
    if (read.size === length) assert.equal(total(read), length * BALANCE, 'an audit is wrong')
}

export function checkJobs(done: readonly number[]): void {
  assert.deepEqual(
    [...done].sort(),
    Array.from({ length: JOBS }, (_, index) => index + 1),
    'a job is not done once',
  )
}
