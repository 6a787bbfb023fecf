import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { EXCHANGES } from './exchanges.ts'

export const name = 'express: a request and its response'

export async function exchange(): Promise<void> {
  const app = express()
  app.get('/items/:id', (request, response) => void response.json({ id: request.params.id, stock: 3 }))
  const server = app.listen(0)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const { port } = server.address() as AddressInfo
  for (let id = 0; id < EXCHANGES; id++) {
    const [response] = (await once(http.get({ port, agent, path: `/items/${id}` }), 'response')) as [
      http.IncomingMessage,
    ]
    response.resume()
    await once(response, 'end')
  }
  agent.destroy()
  await new Promise((closed) => server.close(closed))
}
