import { expect, test } from 'vitest'
import { messageLine } from '../../../src/world/network/message-line.ts'

test.each([
  ['GET /items?id=3 HTTP/1.1\r\nHost: a\r\n\r\n', 'GET /items?id=3'],
  ['HTTP/1.1 404 Not Found\r\n\r\n', '404 Not Found'],
  ['HTTP/1.0 200\r\nContent-Length: 0\r\n\r\n', '200'],
  [`PUT /${'x'.repeat(100)} HTTP/1.1\r\n\r\n`, `PUT /${'x'.repeat(59)}…`],
  ['GET is how a sentence may begin too\r\n', undefined],
  ['HELLO WORLD, AND MORE', undefined],
  ['{"json": "is no message"}\r\n', undefined],
  ['', undefined],
])('%j begins with %j', (text, line) => {
  expect(messageLine(Buffer.from(text))).toBe(line)
})
