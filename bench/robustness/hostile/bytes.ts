/** Draws hostile bytes: HTTP requests and responses, and frames of WebSockets. */
import type { Chance } from '../../engine.ts'
import type { Bytes } from './program.ts'

export function pick<Value>(random: Chance, values: readonly Value[]): Value {
  return values[random.integer(0, values.length - 1)]!
}

function noise(random: Chance, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(random.integer(0, 255))).join('')
}

const METHODS = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'CONNECT', 'PRI', 'get', 'G\0T', 'FOO', 'DELETE', '']
const TARGETS = [
  '/',
  '*',
  '',
  '/a b',
  'http://other/',
  '//',
  '/\0',
  'localhost:1',
  '/%zz',
  `/${'p'.repeat(9000)}`,
  '/?q#f',
]
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.', 'http/1.1', '']
const HEADERS = [
  ...['Host: a', 'Host: a', 'Host: a', 'Host: b', 'Host:', 'Host : a', ' Host: a'],
  ...['Content-Length: 5', 'Content-Length: 0', 'Content-Length: -1', 'Content-Length: 5, 5', 'Content-Length: 99999'],
  ...['Content-Length: 18446744073709551616', 'Content-Length: 0x5', 'Content-Length: +5', 'Content-Length:'],
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked, identity'],
  ...['Transfer-Encoding: xchunked', 'Transfer-Encoding:\x0bchunked', 'Transfer-Encoding : chunked', 'TE: trailers'],
  ...['Connection: close', 'Connection: keep-alive', 'Connection: upgrade', 'Connection: close, keep-alive'],
  ...['Upgrade: websocket', 'Upgrade: h2c', 'Upgrade:', 'Expect: 100-continue', 'Expect: 200-ok', 'Trailer: X'],
  ...['X: a\0b', 'X: \x80\xff', 'X', ': x', 'X:\ty', 'X: a\rb', '\x01: y', 'Keep-Alive: timeout=0', 'Date: now'],
]
const BODIES = [
  ...['hello', 'hello', 'hel', '5\r\nhello\r\n0\r\n\r\n', '5\r\nhello\r\n0\r\n\r\n', '5\r\nhello\r\n', '0\r\n\r\n'],
  ...[
    '5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n',
    '5\r\nhelloworld\r\n0\r\n\r\n',
    'zz\r\nhello\r\n',
    '-1\r\n\r\n',
    '5\nhello\n0\n\n',
  ],
  ...[
    'ffffffffffffffff\r\nx',
    '0005\r\nhello\r\n0\r\n\r\n',
    '5\r\nhello0\r\n\r\n',
    '0\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
  ],
  ...[
    '5\r\nhello\r\n0\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    '\r\n\r\n',
    '\0\0\0',
  ],
]

function headers(random: Chance): string {
  const lines = Array.from({ length: random.integer(0, 4) }, () => pick(random, HEADERS))
  if (random.coin(0.7)) lines.unshift('Host: a')
  return lines.map((line) => `${line}${random.coin(0.95) ? '\r\n' : '\n'}`).join('')
}

export function hostileRequest(random: Chance): Bytes {
  if (random.coin(0.5)) return soundRequest(random)
  switch (random.integer(0, 9)) {
    case 0:
      return noise(random, random.integer(1, 200))
    case 1:
      return {
        repeat: pick(random, ['X: y\r\n', 'GET / HTTP/1.1\r\n', '\r\n', '\0', 'A']),
        times: pick(random, [10, 3000, 20000]),
      }
    case 2:
      return { repeat: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', times: pick(random, [2, 20, 60]) }
    case 3:
      return cut(random, whole(random))
    default:
      return whole(random)
  }
}

function soundRequest(random: Chance): string {
  const body = pick(random, ['', 'hello'])
  const more = random.coin(0.3) ? `${pick(random, HEADERS)}\r\n` : ''
  return `${body === '' ? 'GET' : 'POST'} / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`
}

function whole(random: Chance): string {
  const line = `${pick(random, METHODS)} ${pick(random, TARGETS)} ${pick(random, VERSIONS)}\r\n`
  return `${line}${headers(random)}\r\n${random.coin(0.6) ? pick(random, BODIES) : ''}`
}

function cut(random: Chance, text: string): string {
  return text.slice(0, random.integer(1, text.length))
}

const STATUSES = [
  '200 OK',
  '200 OK',
  '200 OK',
  '204 No',
  '304 x',
  '100 Continue',
  '101 Switching',
  '103 x',
  '999 x',
  '0 x',
  '20 x',
  '2000 x',
  '407 x',
  '500',
]

export function hostileResponse(random: Chance): Bytes {
  if (random.coin(0.1)) return noise(random, random.integer(1, 200))
  const flood = random.coin(0.08) ? 'X: y\r\n'.repeat(pick(random, [100, 5000])) : ''
  const line = `${pick(random, VERSIONS)} ${pick(random, STATUSES)}\r\n`
  const text = `${line}${headers(random)}${flood}\r\n${random.coin(0.6) ? pick(random, BODIES) : ''}`
  if (random.coin(0.3)) return cut(random, text)
  return random.coin(0.15) ? { repeat: text, times: 3 } : text
}

export const HANDSHAKE =
  'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n'

/** Frames of a WebSocket, most of them against RFC 6455. */
export function hostileFrames(random: Chance): string {
  return Array.from({ length: random.integer(1, 4) }, () => frame(random)).join('')
}

function frame(random: Chance): string {
  if (random.coin(0.1)) return noise(random, random.integer(1, 40))
  const [fin, reserved, opcode] = [random.coin(0.8), random.coin(0.1) ? random.integer(1, 7) : 0, random.integer(0, 15)]
  const known = random.coin(0.7) ? pick(random, [0, 1, 2, 8, 9, 10]) : opcode
  const payload = pick(random, [
    '',
    'hello',
    '\xff\xfe',
    '\x03\xe8',
    '\x03\xe8bye',
    '\x00\x01',
    'x'.repeat(126),
    'y'.repeat(300),
  ])
  const masked = random.coin(0.6)
  const length = random.coin(0.85) ? payload.length : pick(random, [0, 1, 125, 126, 127])
  const extended = length < 126 ? '' : length === 127 ? '\x7f\xff\xff\xff\xff\xff\xff\xff' : '\x01\x00'
  const bytes = [(fin ? 0x80 : 0) | (reserved << 4) | known, (masked ? 0x80 : 0) | Math.min(length, 127)]
  return `${String.fromCharCode(...bytes)}${extended}${masked ? '\0\0\0\0' : ''}${payload}`
}
