import assert from 'node:assert/strict'
import { fuzz } from 'norn'
import { posted, sum } from './clients.ts'

fuzz('money is neither made nor lost, since the row is locked', {}, async () => {
  const { accounts } = await posted({ locks: true }, 'transfers/ada/bob/60', 'transfers/ada/bob/30')
  assert.equal(sum(accounts), 200)
})

fuzz('nobody withdraws more than there is, and each is answered', {}, async () => {
  const options = { isolation: 'SERIALIZABLE', retries: 3 } as const
  const { accounts, statuses } = await posted(options, 'withdrawals/bob/80', 'withdrawals/bob-savings/80')
  assert.deepEqual([...statuses].sort(), [200, 409])
  assert.equal(sum(accounts.filter(({ owner }) => owner === 'bob')), 20)
})
