import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Cart } from './cart.ts'

describe('a cart', () => {
  it('is saved when something is added', async () => {
    const cart = new Cart('cart.json')
    cart.add('tea')
    await sleep(10)
    assert.ok(await cart.isSaved())
  })

  it('can be saved', async () => {
    const cart = new Cart('empty.json')
    await cart.save()
    assert.ok(await cart.isSaved())
  })

  it('counts', () => {
    const cart = new Cart('counted.json')
    assert.equal(cart.items.length, 0)
  })
})
