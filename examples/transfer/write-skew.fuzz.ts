import assert from 'node:assert/strict'
import { fuzz } from 'norn'
import { posted, sum } from './clients.ts'

const WITHDRAWALS = ['withdrawals/bob/80', 'withdrawals/bob-savings/80'] as const

fuzz('nobody withdraws more than there is', {}, async () => {
  const { accounts } = await posted({ isolation: 'REPEATABLE READ' }, ...WITHDRAWALS)
  assert.ok(sum(accounts.filter(({ owner }) => owner === 'bob')) >= 0, 'Bob owes money')
})

fuzz('each withdrawal is answered', {}, async () => {
  const { statuses } = await posted({ isolation: 'SERIALIZABLE' }, ...WITHDRAWALS)
  assert.ok(!statuses.includes(500), `answers: ${statuses.join(', ')}`)
})
