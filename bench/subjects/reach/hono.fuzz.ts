// hono without a server: a lost update between two awaits of the handler.
import assert from 'node:assert/strict'
import { Hono } from 'hono'
import { twice } from './http.ts'
import { planted, stored } from './planted.ts'

planted('hono: both items are in the cart', async ({ inTurn }) => {
  const cart = stored<readonly string[]>([])
  const app = new Hono()
  app.put('/cart/:item', async (context) => {
    await inTurn(async () => cart.write([...(await cart.read()), context.req.param('item')]))
    return context.json({ added: context.req.param('item') })
  })
  await twice(async (item) => {
    const response = await app.request(`/cart/${item}`, { method: 'PUT' })
    assert.deepEqual(await response.json(), { added: `${item}` })
  })
  assert.deepEqual([...(await cart.read())].sort(), ['1', '2'])
})
