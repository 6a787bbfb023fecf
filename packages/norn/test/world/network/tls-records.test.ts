import { expect, test } from 'vitest'
import { cutAt, placesIn, recordsOf } from '../../../src/world/network/tls-records.ts'

/** A record with a body of some bytes. */
const record = (size: number) => Buffer.concat([Buffer.from([23, 3, 3, size >> 8, size & 255]), Buffer.alloc(size)])

test('records are read by their headers; the last may be cut off', () => {
  expect(recordsOf(Buffer.concat([record(3), record(0), record(300)]))).toEqual([8, 5, 305])
  expect(recordsOf(Buffer.concat([record(3), record(300).subarray(0, 100)]))).toEqual([8, 100])
  expect(recordsOf(Buffer.concat([record(3), record(300).subarray(0, 2)]))).toEqual([8, 2])
  expect(recordsOf(Buffer.alloc(0))).toEqual([])
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
