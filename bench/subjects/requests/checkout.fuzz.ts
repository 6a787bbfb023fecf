// Four requests to one service, which asks another one before it answers: the order in which the first comes
// back to each of them decides, against the order in which they came.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { fuzz } from 'norn'

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

fuzz('checkout: four orders are never booked in the one order that loses stock', {}, async () => {
  let book = ''
  const prices = createServer((request, response) => response.end(request.url))
  const priceOf = await listening(prices)
  const shop = createServer(async (request, response) => {
    const item = request.url!.slice(1)
    book += item
    await (await fetch(`${priceOf}/${item}`)).text()
    book += item
    response.end()
  })
  const at = await listening(shop)
  await Promise.all(['a', 'b', 'c', 'd'].map((item) => fetch(`${at}/${item}`, { method: 'POST' })))
  assert.ok(!book.startsWith('bdbad'), book)
  shop.close()
  prices.close()
})
