import assert from 'node:assert/strict'
import { fc, fuzz } from 'norn'
import { Account } from './account.ts'

fuzz('deposits are never lost', { amounts: fc.array(fc.integer({ min: 1, max: 100 })) }, async ({ amounts }) => {
  const account = await Account.open('account.txt')
  await Promise.all(amounts.map((amount) => account.deposit(amount)))
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  assert.equal(await account.balance(), total)
})
