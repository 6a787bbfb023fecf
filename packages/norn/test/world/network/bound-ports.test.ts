/** Who may bind and listen on a port, as Linux with SO_REUSEADDR says, and whom a connection reaches. */
import { expect, test } from 'vitest'
import type { Family } from '../../../src/world/network/addresses.ts'
import { type Bound, Ports } from '../../../src/world/network/bound-ports.ts'

const socket = (family: Family, address: string, more: Partial<Bound> = {}): Bound => {
  return { family, address, port: 80, only6: false, reusesPort: false, isListening: true, ...more }
}

function isTaken(bound: Bound, candidate: Bound): boolean {
  const ports = new Ports()
  ports.bind(bound)
  return ports.isTaken(candidate)
}

const HERE = socket(4, '127.0.0.1')
const ANY4 = socket(4, '0.0.0.0')
const ANY6 = socket(6, '::')

test.each([
  ['the same address', HERE, { ...HERE }, true],
  ['another address', HERE, socket(4, '127.0.0.2'), false],
  ['another port', HERE, { ...HERE, port: 81 }, false],
  ['any address', HERE, ANY4, true],
  ['an address of any', ANY4, HERE, true],
  ['any of both families', HERE, ANY6, true],
  ['an IPv4 address of both families', ANY6, HERE, true],
  ['any of IPv6 alone', HERE, socket(6, '::', { only6: true }), false],
  ['one IPv6 address', ANY4, socket(6, '::1'), false],
  ['where nobody listens', { ...HERE, isListening: false }, { ...HERE, isListening: false }, false],
  ['where one listens', { ...HERE, isListening: false }, { ...HERE }, true],
  ['where both share the port', { ...HERE, reusesPort: true }, { ...HERE, reusesPort: true }, false],
  ['where one shares the port', { ...HERE, reusesPort: true }, { ...HERE }, true],
])('%s', (_, bound, candidate, taken) => {
  expect(isTaken(bound, candidate)).toBe(taken)
})

test('a socket is not in its own way, and none is once it is released', () => {
  const ports = new Ports()
  ports.bind(HERE)
  expect([ports.isTaken(HERE), ports.isTaken({ ...HERE })]).toEqual([false, true])
  ports.release(HERE)
  expect(ports.isTaken({ ...HERE })).toBe(false)
})

test('a connection reaches the one bound to its address before one bound to any', () => {
  const ports = new Ports()
  for (const each of [ANY6, HERE]) ports.bind(each)
  expect(ports.listener(4, '127.0.0.1', 80)).toBe(HERE)
  expect(ports.listener(4, '127.0.0.2', 80)).toBe(ANY6)
  expect(ports.listener(4, '127.0.0.1', 81)).toBeUndefined()
  ports.release(ANY6)
  ports.bind({ ...ANY6, only6: true })
  expect(ports.listener(4, '127.0.0.2', 80)).toBeUndefined()
})

test('the system gives ports in order, none in use, and from the first again after the last', () => {
  const ports = new Ports()
  const first = ports.free()
  ports.bind({ ...HERE, port: first + 1 })
  expect(ports.free()).toBe(first + 2)
  let last = 0
  for (let port = ports.free(); port !== first; port = ports.free()) last = port
  expect([first, last]).toEqual([32768, 60999])
})

test('an execution begins with the first port, and with none bound', () => {
  const ports = new Ports()
  const first = ports.free()
  ports.bind({ ...HERE, port: first })
  ports.reset()
  expect([ports.free(), ports.listener(4, '127.0.0.1', first)]).toEqual([first, undefined])
})
