// hono on its server for Node: a lost update between two awaits of the handler.
import assert from 'node:assert/strict'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { close, twice, urlOf } from './http.ts'
import { planted, stored } from './planted.ts'

planted('hono that listens: both items are in the cart', async ({ inTurn }) => {
  const cart = stored<readonly string[]>([])
  const app = new Hono()
  app.put('/cart/:item', async (context) => {
    await inTurn(async () => cart.write([...(await cart.read()), context.req.param('item')]))
    return context.json({ added: context.req.param('item') })
  })
  const server = serve({ fetch: app.fetch, port: 0 })
  const url = await urlOf(server)
  await twice(async (item) => {
    const response = await fetch(`${url}/cart/${item}`, { method: 'PUT' })
    assert.deepEqual(await response.json(), { added: `${item}` })
  })
  await close(server)
  assert.deepEqual([...(await cart.read())].sort(), ['1', '2'])
})
