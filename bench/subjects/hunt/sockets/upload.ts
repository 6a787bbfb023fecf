// A request with two files in a multipart body, sent in two parts, and perhaps aborted.
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fc } from 'norn'

export const upload = fc.record({
  at: fc.integer({ min: 0, max: 5 }),
  size: fc.constantFrom(10, 1000, 100_000),
  cut: fc.double({ min: 0, max: 1, noNaN: true }),
  pause: fc.integer({ min: 0, max: 10 }),
  aborted: fc.boolean(),
})

type Upload = typeof upload extends fc.Arbitrary<infer Value> ? Value : never

export async function send(port: number, { at, size, cut, pause, aborted }: Upload): Promise<void> {
  await sleep(at)
  const file = (name: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\n${'x'.repeat(size)}\r\n`
  const body = `${file('one')}${file('two')}--b--\r\n`
  const socket = net.connect(port, '127.0.0.1').on('error', () => {})
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${body.length}\r\n`)
  socket.write(`content-type: multipart/form-data; boundary=b\r\n\r\n${body.slice(0, body.length * cut)}`)
  await sleep(pause)
  if (aborted) socket.destroy()
  else socket.write(body.slice(body.length * cut))
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
}
