/** What bytes on a connection say, in words for reports. */

import { expect, test } from 'vitest'
import type { End } from '../../../src/contract/traffic.ts'
import { MessageTexts } from '../../../src/world/network/message-text.ts'

function saying(...sends: readonly (readonly [to: End, bytes: string | Buffer])[]): string[] {
  const texts = new MessageTexts()
  return sends.map(([to, bytes]) => texts.of(Buffer.from(bytes as string, 'utf8'), to))
}

const frame = (opcode: number, payload: string) =>
  Buffer.concat([Buffer.from([0x80 | opcode, payload.length]), Buffer.from(payload)])

test('HTTP: the first line, and the beginning of the body', () => {
  expect(
    saying(
      ['server', 'GET /seats HTTP/1.1\r\nhost: a\r\n\r\n'],
      ['client', 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnull'],
      ['server', 'POST /seats HTTP/1.1\r\ncontent-length: 7\r\n\r\n{"a":1}'],
      ['client', 'HTTP/1.1 404 Not Found\r\n\r\n'],
    ),
  ).toEqual(['GET /seats', '200 OK: null', 'POST /seats: {"a":1}', '404 Not Found'])
})

test('HTTP: the chunks of a body, in one send and in several', () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  expect(saying(['client', `${head}5\r\nhello\r\n`], ['client', '6\r\n world\r\n'], ['client', '0\r\n\r\n'])).toEqual([
    '200 OK: hello',
    'world',
    'end of the body',
  ])
})

test('WebSocket: kinds of frames, and their text, also masked', () => {
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n'
  const mask = Buffer.from([1, 2, 3, 4])
  const masked = Buffer.concat([
    Buffer.from([0x81, 0x80 | 2]),
    mask,
    Buffer.from('hi').map((byte, index) => byte ^ mask[index & 3]!),
  ])
  expect(
    saying(
      ['client', Buffer.concat([Buffer.from(upgrade), frame(1, 'hello')])],
      ['server', masked],
      ['client', Buffer.concat([frame(9, ''), frame(2, 'abc')])],
      ['client', frame(8, '\x03\u00e8').subarray(0, 4)],
    ),
  ).toEqual(['101 Switching Protocols, ws text hello', 'ws text hi', 'ws ping, ws binary 3 bytes', expect.any(String)])
})

test('Redis: commands and answers', () => {
  expect(
    saying(
      ['server', '*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nvalue\r\n'],
      ['client', '+OK\r\n'],
      ['server', '*1\r\n$4\r\nPING\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n'],
      ['client', '+PONG\r\n$5\r\nvalue\r\n'],
      ['client', '$-1\r\n'],
    ),
  ).toEqual(['SET k value', 'OK', 'PING, GET k', 'PONG, value', '(nil)'])
})

test('other text by its first line, and anything else by its length', () => {
  expect(
    saying(['server', 'INCR a\n'], ['server', 'EHLO x\r\nMAIL y\r\n'], ['server', Buffer.from([0, 1, 2])]),
  ).toEqual(['INCR a', 'EHLO x…', '3 bytes'])
  expect(saying(['server', 'x'.repeat(500)])[0]).toHaveLength(121)
})

test('bytes of chance never make it throw', () => {
  let seed = 1
  const next = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 16
  for (let round = 0; round < 2000; round++) {
    const texts = new MessageTexts()
    if (round % 2 === 0) texts.of(Buffer.from('HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\r\n'), 'client')
    for (let send = 0; send < 4; send++) {
      const start = ['', '*2\r\n', '$9\r\n', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '\x81\x7f'][
        next() % 5
      ]!
      const bytes = Buffer.concat([
        Buffer.from(start, 'latin1'),
        Buffer.from(Array.from({ length: next() % 40 }, next)),
      ])
      expect(texts.of(bytes, next() % 2 === 0 ? 'client' : 'server').length).toBeLessThan(1000)
    }
  }
})
