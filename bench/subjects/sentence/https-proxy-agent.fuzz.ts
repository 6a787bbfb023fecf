// https-proxy-agent 5.0.1 -> 6.2.1 (issue 162)
//
// The race: a proxy gives up, and ends the connection, before it has answered CONNECT. The agent only notes that,
// and waits for an answer for ever. 6.2.1 rejects if the connection ends before the answer.
import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import agents from 'https-proxy-agent-buggy'
import { fc, fuzz } from 'norn'

const ANSWER = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

fuzz(
  'https-proxy-agent: every request settles',
  { reach_ms: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 3 }), limit_ms: fc.nat(30) },
  async ({ reach_ms, limit_ms }) => {
    const left = [...reach_ms]
    const proxy = createServer((socket) => {
      const reach = left.shift()!
      socket.on('error', () => {})
      socket.once('data', async () => {
        await sleep(reach)
        if (socket.writable) socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        socket.once('data', () => socket.end(ANSWER))
      })
      setTimeout(() => socket.end(), limit_ms)
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const agent = new agents.HttpsProxyAgent(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
    await Promise.all(
      reach_ms.map(async () => {
        const request = get({ host: 'example.test', port: 80, agent })
        try {
          const [response] = await once(request, 'response')
          response.resume()
        } catch {}
        request.on('error', () => {})
      }),
    )
    proxy.close()
  },
)
