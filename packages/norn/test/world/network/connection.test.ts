import { expect, test } from 'vitest'
import { Causality } from '../../../src/world/loop/causality.ts'
import { Side, type Transport } from '../../../src/world/network/connection.ts'

/** Two connected sides, where all that is sent takes `delayUs`, and the rest of what can be torn 10 more. */
function connection(transport: Transport, delayUs: number, isLocal = false) {
  const causality = new Causality()
  let now = 0
  const announce = (_kind: string, _resource: string, _point?: 'callback', places = 0) => {
    const tear = places === 0 ? undefined : { us: 10, place: 0 }
    return { step: causality.child(), delayUs, tear }
  }
  const courier = { nowUs: () => now, announce, writesWhole: () => isLocal }
  const [one, two] = [new Side('one', transport, courier), new Side('two', transport, courier)]
  Side.pair(one!, two!)
  const advanceTo = (us: number) => {
    now = us
  }
  return { one: one!, two: two!, advanceTo }
}

const BYTES = Buffer.from('text')

test('a side that has read all ends when it closes', () => {
  const { one, two } = connection('tcp', 10)
  one.close()
  expect([two.inbound.end?.atUs, two.inbound.reset]).toEqual([10, undefined])
})

test('a side that closes with unread bytes resets the connection instead', () => {
  const { one, two, advanceTo } = connection('tcp', 10)
  two.send(BYTES)
  advanceTo(10)
  one.close()
  expect([two.inbound.end, two.inbound.reset?.atUs]).toEqual([undefined, 20])
  expect(two.writeError(19)).toBeUndefined()
  expect(two.writeError(20)).toBe('ECONNRESET')
})

test('bytes on their way to a side that closes are answered with a reset behind its end', () => {
  const { one, two } = connection('tcp', 10)
  two.send(BYTES)
  one.close()
  expect([two.inbound.end?.atUs, two.inbound.reset?.atUs]).toEqual([10, 10])
  expect(two.writeError(10)).toBe('EPIPE')
})

test('bytes sent to a closed side are answered with a reset', () => {
  const { one, two } = connection('tcp', 10)
  one.close()
  two.send(BYTES)
  expect([one.inbound.size, two.inbound.reset?.atUs]).toEqual([0, 10])
})

test('on a Unix socket the writer learns at once that the other side is closed', () => {
  const { one, two } = connection('pipe', 10)
  one.close()
  expect([two.writeError(0), two.hasEnded]).toEqual(['EPIPE', true])
})

test('bytes on a TCP connection may come in two parts', () => {
  const { one, two } = connection('tcp', 10)
  two.send(BYTES)
  expect([one.inbound.available(10, 100), one.inbound.available(20, 100)]).toEqual([1, 4])
})

test("bytes on a Unix socket come whole, but for the borders of the kernel's buffers", () => {
  const { one, two } = connection('pipe', 10)
  two.send(Buffer.alloc(48_640))
  two.send(Buffer.alloc(48_641))
  const lengths = []
  for (const step = one.inbound.first(10)?.step; one.inbound.size > 0; ) {
    const { size } = one.inbound.segments(10, 0, (length) => length)
    lengths.push(one.inbound.take(size).length)
    expect(step).toBeDefined()
  }
  expect(lengths).toEqual([48_640, 48_640, 1])
})

test('after a reset nothing is sent any more', () => {
  const { one, two } = connection('tcp', 0)
  one.reset()
  two.end()
  two.close()
  expect([one.inbound.end, one.inbound.reset]).toEqual([undefined, undefined])
})

test('small writes behind a thousand unread ones join the last, and arrive in order with it', () => {
  const { one, two, advanceTo } = connection('tcp', 10)
  const texts = Array.from({ length: 5000 }, (_, index) => `${index}.`)
  for (const text of texts) one.send(Buffer.from(text))
  advanceTo(100_000)
  const flow = two.inbound
  expect(flow.steps(flow.size).length).toBeLessThan(2200)
  expect(Buffer.from(flow.take(flow.size)).toString()).toBe(texts.join(''))
  one.send(BYTES)
  expect([flow.size, flow.steps(4).length]).toEqual([4, 2])
})

test('what is written at once comes in parts, but whole over the loopback of Linux up to 64 KiB unread', () => {
  const arrived = (isLocal: boolean, ...sizes: readonly number[]) => {
    const { one, two, advanceTo } = connection('tcp', 10, isLocal)
    for (const size of sizes) one.send(Buffer.alloc(size))
    advanceTo(10)
    return two.inbound.available(10, 1_000_000)
  }
  expect(arrived(false, 4)).toBe(1)
  expect(arrived(true, 4)).toBe(4)
  expect(arrived(true, 65_536)).toBe(65_536)
  expect(arrived(true, 65_537)).toBe(1)
  expect(arrived(true, 65_536, 4)).toBe(65_537)
})
