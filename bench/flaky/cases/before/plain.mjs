/** One test that passes, one that fails, one that is skipped: as the runner says. */
import assert from 'node:assert'
import { describe, it } from 'node:test'

describe('plain', () => {
  it('passes', () => assert.ok(true))
  it('fails', () => assert.ok(false))
  it.skip('is skipped', () => assert.ok(false))
})
