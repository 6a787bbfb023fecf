// graphql-ws: every subscription ends once, over lost connections, and no socket is left after it.
import assert from 'node:assert/strict'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildSchema } from 'graphql'
import { createClient } from 'graphql-ws'
import { useServer } from 'graphql-ws/use/ws'
import { fc, fuzz } from 'norn'
import WebSocket, { WebSocketServer } from 'ws'
import { listen } from './unreliable.ts'

const schema = buildSchema('type Query { a(n: Int): Int } type Subscription { count(to: Int): Int }')
const roots = {
  query: { a: ({ n }: { n: number }) => sleep(n).then(() => n) },
  subscription: {
    count: async function* ({ to }: { to: number }) {
      for (let count = 1; count <= to; count++) {
        await sleep(3)
        yield { count }
      }
    },
  },
}

const operation = fc.record({
  at: fc.integer({ min: 0, max: 60 }),
  n: fc.integer({ min: 0, max: 9 }),
  kind: fc.constantFrom('query', 'subscription'),
  leaveAfter: fc.option(fc.integer({ min: 0, max: 20 })),
})

fuzz(
  'graphql-ws: every subscription ends once, and no socket is left',
  {
    operations: fc.array(operation, { minLength: 1, maxLength: 5 }),
    cuts: fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 2 }),
    lazyCloseTimeout: fc.constantFrom(0, 10),
    disposeAt: fc.option(fc.integer({ min: 0, max: 80 })),
  },
  async ({ operations, cuts, lazyCloseTimeout, disposeAt }) => {
    const server = http.createServer()
    const sockets = new WebSocketServer({ server })
    useServer({ schema, roots } as object, sockets)
    const url = `ws://127.0.0.1:${await listen(server)}`
    const client = createClient({
      url,
      webSocketImpl: WebSocket,
      lazyCloseTimeout,
      retryWait: () => sleep(5),
      retryAttempts: 99,
    })
    for (const at of cuts) setTimeout(() => sockets.clients.forEach((one) => void one.terminate()), at)
    let isDisposed = false
    const dispose = () => {
      isDisposed = true
      void client.dispose()
    }
    if (disposeAt !== null) setTimeout(dispose, disposeAt)
    const ends: number[] = operations.map(() => 0)
    const settled = operations.map(async ({ at, n, kind, leaveAfter }, index) => {
      await sleep(at)
      if (isDisposed) return ends[index]!++ === 0
      let last: unknown
      await new Promise<void>((resolve) => {
        const end = () => {
          ends[index]!++
          resolve()
        }
        const query = kind === 'query' ? `{ a(n: ${n}) }` : `subscription { count(to: ${n}) }`
        const next = ({ data }: { data?: Record<string, unknown> | null }) => (last = Object.values(data ?? {})[0])
        const leave = client.subscribe({ query }, { next: next as never, error: end, complete: end })
        if (leaveAfter !== null) setTimeout(leave, leaveAfter)
      })
      if (last !== undefined && kind === 'query') assert.equal(last, n)
      return true
    })
    assert.ok(await Promise.race([Promise.all(settled), sleep(60_000, undefined)]), 'a subscription never ends')
    await sleep(1000)
    assert.deepEqual(
      ends,
      operations.map(() => 1),
    )
    assert.equal(sockets.clients.size, 0, 'a socket is left')
    sockets.close()
    server.close()
  },
)
