import assert from 'node:assert/strict'
import { fuzz } from 'norn'
import { posted, sum } from './clients.ts'

fuzz('money is neither made nor lost', {}, async () => {
  const { accounts } = await posted({}, 'transfers/ada/bob/60', 'transfers/ada/bob/30')
  assert.equal(sum(accounts), 200)
})
