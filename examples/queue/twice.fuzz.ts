import assert from 'node:assert/strict'
import { fuzz } from 'norn'
import { done } from './office.ts'

fuzz('a job is done once', {}, async () => {
  assert.deepEqual(await done(2, { listensFirst: true }, 'a'), ['a'])
})
