import assert from 'node:assert/strict'
import { fuzz } from 'norn'
import { done } from './office.ts'

fuzz('a job is done', {}, async () => {
  assert.deepEqual(await done(1, { holds: true }, 'a'), ['a'])
})
