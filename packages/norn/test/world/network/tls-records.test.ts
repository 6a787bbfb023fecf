import { expect, test } from 'vitest'
import { cutAt, placesIn, RecordStream } from '../../../src/world/network/tls-records.ts'

/** A record with a body of some bytes. */
const record = (size: number) => Buffer.concat([Buffer.from([23, 3, 3, size >> 8, size & 255]), Buffer.alloc(size)])

test('bytes of another kind are one piece, until a record follows in a later write', () => {
  const stream = new RecordStream()
  expect(stream.next(Buffer.alloc(100_000))).toEqual([100_000])
  expect(stream.next(Buffer.from('GET / HTTP/1.1'))).toEqual([14])
  expect(stream.next(Buffer.from([22, 3, 1, 0, 2, 7, 7, 21, 3, 1, 0, 1, 7]))).toEqual([7, 6])
})

test('records are read by their headers; the last may be cut off', () => {
  const lengths = (...records: Buffer[]) => new RecordStream().next(Buffer.concat(records))
  expect(lengths(record(3), record(0), record(300))).toEqual([8, 5, 305])
  expect(lengths(record(3), record(300).subarray(0, 100))).toEqual([8, 100])
  expect(lengths(record(3), record(300).subarray(0, 2))).toEqual([8, 2])
  expect(lengths()).toEqual([])
})

test('a write that begins inside a record, or inside a header, continues that record', () => {
  const bytes = Buffer.concat([record(300), record(0), record(3)])
  const next = (stream: RecordStream, from: number, to: number) => stream.next(bytes.subarray(from, to))
  const stream = new RecordStream()
  expect([next(stream, 0, 100), next(stream, 100, 307), next(stream, 307, 318)]).toEqual([[100], [205, 2], [3, 8]])
  const single = new RecordStream()
  const parts = Array.from(bytes, (_, at) => next(single, at, at + 1))
  expect(parts).toEqual(Array.from(bytes, () => [1]))
  expect(single.next(record(3))).toEqual([8])
})

test('bytes are cut behind the first byte of a record, in its middle and behind it, but not behind all', () => {
  const parts = [8, 5]
  const cuts = Array.from({ length: placesIn(parts) }, (_, place) => cutAt(parts, place))
  expect(cuts).toEqual([
    { before: [1], behind: [7, 5] },
    { before: [4], behind: [4, 5] },
    { before: [8], behind: [5] },
    { before: [8, 1], behind: [4] },
    { before: [8, 2], behind: [3] },
  ])
})
