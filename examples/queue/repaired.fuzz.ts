import assert from 'node:assert/strict'
import { fuzz } from 'norn'
import { done } from './office.ts'

fuzz('each job is done once, since it is locked until then, and none is missed', {}, async () => {
  assert.deepEqual(await done(2, { holds: true, listensFirst: true }, 'a', 'b'), ['a', 'b'])
})
