import { expect, test } from 'vitest'
import { Inbound, NO_SETTINGS, Outbound } from '../../../src/world/http/http2-frames.ts'

const MAGIC = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const [DATA, HEADERS, SETTINGS, PING, GOAWAY, CONTINUATION] = [0, 1, 4, 6, 7, 9]
const [ACK, END_STREAM, END_HEADERS, PADDED] = [1, 1, 4, 8]

function frame(type: number, flags: number, stream: number, payload: string | Uint8Array = ''): Buffer {
  const bytes = Buffer.from(payload)
  const header = Buffer.alloc(9)
  header.writeUIntBE(bytes.length, 0, 3)
  header[3] = type
  header[4] = flags
  header.writeUInt32BE(stream, 5)
  return Buffer.concat([header, bytes])
}

const entry = (id: number, value: number) => {
  const bytes = Buffer.alloc(6)
  bytes.writeUInt16BE(id)
  bytes.writeUInt32BE(value, 2)
  return bytes
}

/** A client that has seen the first SETTINGS. */
function client(): { inbound: Inbound; settled: () => number } {
  let settled = 0
  const inbound = new Inbound(false, () => settled++)
  inbound.take(frame(SETTINGS, 0, 0))
  return { inbound, settled: () => settled }
}

/** What is handed on, bytes one by one. */
const slowly = (inbound: Inbound, bytes: Uint8Array) =>
  Buffer.concat([...bytes].map((byte) => inbound.take(Uint8Array.of(byte))))

const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes!).toString('hex')

test('whole frames are handed on as they are, without a copy', () => {
  const { inbound } = client()
  const bytes = frame(PING, 0, 0, 'ABCDEFGH')
  expect(inbound.take(bytes).buffer).toBe(bytes.buffer)
  const two = Buffer.concat([bytes, frame(HEADERS, END_HEADERS, 1, 'x')])
  expect(hex(inbound.take(two))).toBe(hex(two))
})

test('a frame in parts is held back until it is whole, a block of headers until its end', () => {
  const { inbound } = client()
  const ping = frame(PING, 0, 0, 'ABCDEFGH')
  expect(inbound.take(ping.subarray(0, 12)).length).toBe(0)
  expect(hex(inbound.take(ping.subarray(12)))).toBe(hex(ping))
  const block = [frame(HEADERS, 0, 1, 'a'), frame(CONTINUATION, 0, 1, 'b'), frame(CONTINUATION, END_HEADERS, 1, 'c')]
  expect(block.map((each) => inbound.take(each).length)).toEqual([0, 0, Buffer.concat(block).length])
})

test('DATA in parts becomes frames of their own, and the last one ends the stream', () => {
  const { inbound } = client()
  const data = frame(DATA, END_STREAM, 3, 'abcdef')
  const parts = [data.subarray(0, 9), data.subarray(9, 11), data.subarray(11)].map((part) => hex(inbound.take(part)))
  expect(parts).toEqual(['', hex(frame(DATA, 0, 3, 'ab')), hex(frame(DATA, END_STREAM, 3, 'cdef'))])
  const padded = frame(DATA, PADDED, 3, '\u0001ab\u0000')
  expect(inbound.take(padded.subarray(0, 11)).length).toBe(0)
  expect(hex(inbound.take(padded.subarray(11)))).toBe(hex(padded))
})

test('norn speaks between two frames, first in the place of the other side', () => {
  const server = new Inbound(true, () => {})
  expect(server.isEarly).toBe(true)
  expect(hex(server.speak(100))).toBe(hex(Buffer.concat([MAGIC, frame(SETTINGS, 0, 0, entry(3, 100))])))
  expect(server.isEarly).toBe(false)
  expect(hex(server.speak(0))).toBe(hex(frame(SETTINGS, 0, 0)))
  // The preface is norn's; the first SETTINGS lift the limit that norn's kept.
  const first = slowly(server, Buffer.concat([MAGIC, frame(SETTINGS, 0, 0, entry(4, 5))]))
  expect(hex(first)).toBe(hex(frame(SETTINGS, 0, 0, Buffer.concat([entry(4, 5), entry(3, 0xffffffff)]))))
  const named = Buffer.concat([entry(3, 7), entry(9, 1)])
  expect(hex(server.take(frame(SETTINGS, 0, 0, named)))).toBe(hex(frame(SETTINGS, 0, 0, entry(3, 7))))
})

test('a side that spoke first needs no words of norn', () => {
  let settled = 0
  const server = new Inbound(true, () => settled++)
  const preface = Buffer.concat([MAGIC, frame(SETTINGS, 0, 0)])
  expect(hex(slowly(server, preface))).toBe(hex(preface))
  expect([settled, hex(server.speak(0))]).toEqual([1, hex(frame(SETTINGS, 0, 0))])
})

test.each([
  ['magic', true, Buffer.from('GET / HTTP/1.1\r\n')],
  ['settings', true, Buffer.concat([MAGIC, frame(PING, 0, 0, '12345678')])],
  ['settings', false, Buffer.from('HTTP/1.1 400 Bad Request\r\n')],
  ['settings', false, frame(SETTINGS, ACK, 0)],
] as const)(
  'another protocol is a fault, or left to nghttp2 where norn has not spoken: %s',
  (fault, isServer, bytes) => {
    const spoken = new Inbound(isServer, () => {})
    spoken.speak(100)
    expect([spoken.take(bytes).length, spoken.fault, spoken.speak(1)]).toEqual([0, fault, undefined])
    const unspoken = new Inbound(isServer, () => {})
    expect([hex(unspoken.take(bytes)), unspoken.fault, unspoken.speak(1)]).toEqual([hex(bytes), undefined, undefined])
  },
)

test.each([
  ['a frame too long', frame(HEADERS, END_HEADERS, 1, Buffer.alloc(16385)).subarray(0, 20)],
  ['a block that is interrupted', Buffer.concat([frame(HEADERS, 0, 1), frame(PING, 0, 0, '12345678')])],
  ['a block without end', Buffer.concat([frame(HEADERS, 0, 1), ...Array(9).fill(frame(CONTINUATION, 0, 1))])],
])('what nghttp2 rejects is left to it: %s', (_, bytes) => {
  const { inbound } = client()
  expect(hex(inbound.take(bytes))).toBe(hex(bytes))
  expect(inbound.speak(0)).toBe(undefined)
})

test('a side that announces longer frames accepts them', () => {
  const { inbound } = client()
  inbound.accepts(20_000)
  const long = frame(HEADERS, END_HEADERS, 1, Buffer.alloc(17_000))
  expect(inbound.take(long.subarray(0, 100)).length).toBe(0)
  expect(inbound.take(long.subarray(100)).length).toBe(long.length)
})

test('the acknowledgement of what norn said is not sent, the others are', () => {
  const announced: number[] = []
  const take = (outbound: Outbound, ...buffers: Uint8Array[]) =>
    hex(Buffer.concat(outbound.take(buffers, (length) => announced.push(length))))
  const outbound = new Outbound(false)
  const own = frame(SETTINGS, 0, 0, entry(5, 20_000))
  const ack = frame(SETTINGS, ACK, 0)
  outbound.received(true)
  expect(take(outbound, MAGIC, own, ack)).toBe(hex(Buffer.concat([MAGIC, own])))
  expect(announced).toEqual([20_000])
  outbound.received(false)
  outbound.received(true)
  expect(take(outbound, ack, ack)).toBe(hex(ack))
  // One that nghttp2 does not acknowledge.
  outbound.received(true)
  outbound.forgetOwn()
  outbound.received(false)
  expect(take(outbound, ack)).toBe(hex(ack))
})

test('DATA is counted by stream, without padding; a reason can be another', () => {
  const outbound = new Outbound(true)
  const header = (length: number, flags: number, stream: number) => {
    const bytes = frame(DATA, flags, stream)
    bytes.writeUIntBE(length, 0, 3)
    return bytes
  }
  const body = [header(5, 0, 1), Buffer.from('abc'), Buffer.from('de'), header(6, PADDED, 3), Buffer.of(2)]
  outbound.take([...body, Buffer.from('xyz'), Buffer.alloc(2), header(1, 0, 1), Buffer.from('f')], () => {})
  expect([outbound.sentOf(1), outbound.sentOf(3), outbound.sentOf(5)]).toEqual([6, 3, 0])
  outbound.reason = 'why'
  const code = Buffer.from('0000000000000001', 'hex')
  const given = frame(GOAWAY, 0, 0, Buffer.concat([code, Buffer.from('something else')]))
  expect(hex(Buffer.concat(outbound.take([given], () => {})))).toBe(
    hex(frame(GOAWAY, 0, 0, Buffer.concat([code, Buffer.from('why')]))),
  )
  expect(hex(NO_SETTINGS)).toBe(hex(frame(SETTINGS, 0, 1)))
})
