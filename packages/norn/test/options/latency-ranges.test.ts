import { expect, test } from 'vitest'
import { parseHost, parseNetworkLatency, parseRange } from '../../src/options/latency-ranges.ts'
import { HostNames } from '../../src/world/network/host-names.ts'
import { Latencies, ways } from '../../src/world/network/latencies.ts'

test.each<[unknown, number, number]>([
  ['200ms..2s', 200_000, 1_800_000],
  ['50us..1.5ms', 50, 1450],
  ['300ms', 300_000, 0],
  ['0ms..20ms', 0, 20_000],
  [{ minMs: 0.25, maxMs: 20 }, 250, 19_750],
])('a range: %j', (given, leastUs, boundUs) => {
  expect(parseRange(given)).toEqual({ leastUs, boundUs })
})

test.each([['200'], ['200..300'], ['2s..1m'], ['1s..2s..3s'], [''], [200], [null], [{ minMs: 1 }], [{}]])(
  'no range: %j',
  (given) => {
    expect(() => parseRange(given)).toThrow("must be a range such as '200ms..2s'")
  },
)

test('a range ends after it begins, within an hour, and has no other keys', () => {
  expect(() => parseRange('2s..1s')).toThrow('must not end before it begins')
  expect(() => parseRange('1s..9000s')).toThrow('must be a range')
  expect(() => parseRange({ minMs: -1, maxMs: 1 })).toThrow('must be a range')
  expect(() => parseRange({ minMs: 1, maxMs: 2, typicalMs: 1 })).toThrow('must be a range')
})

test('a network has a name or a range', () => {
  expect(parseNetworkLatency('local')).toBeUndefined()
  expect(parseNetworkLatency('mobile')).toEqual({ leastUs: 20_000, boundUs: 980_000 })
  expect(parseNetworkLatency('1ms..2ms')).toEqual({ leastUs: 1000, boundUs: 1000 })
  expect(() => parseNetworkLatency('moon')).toThrow("must be 'local', 'datacenter', 'internet', 'mobile', or a range")
})

test.each([
  ['db.internal', 'db.internal', undefined],
  ['db.internal:5432', 'db.internal', 5432],
  ['10.0.0.5:80', '10.0.0.5', 80],
  ['::1', '::1', undefined],
  ['[::1]:80', '::1', 80],
])('a host: %s', (text, host, port) => {
  expect(parseHost(text)).toEqual({ host, port })
})

test.each([[''], ['a b'], ['db.internal:'], ['db:x'], ['http://db']])('no host: %j', (text) => {
  expect(parseHost(text)).toBeUndefined()
})

const names = new HostNames({ 'db.internal': ['10.0.0.5', '10.0.0.6'] }, 'machine')

test('the latency of a port comes before that of its host, and that of a host before that of the network', () => {
  const latencies = new Latencies()
  const hosts = { 'db.internal': '2ms', 'db.internal:5432': '3ms', '10.0.0.9': 'local' } as const
  latencies.reset({ latency: '1ms', hosts }, undefined, names)
  const leastUs = (address: string, port: number) => latencies.link({ address, port })?.leastUs
  expect([leastUs('10.0.0.5', 80), leastUs('10.0.0.6', 5432), leastUs('127.0.0.1', 80)]).toEqual([2000, 3000, 1000])
  expect(leastUs('10.0.0.9', 80)).toBeUndefined()
  expect(latencies.link({ address: '127.0.0.1', port: 40_000 }, { address: '10.0.0.6', port: 5432 })!.leastUs).toBe(
    3000,
  )
  expect([...latencies.matched]).toHaveLength(3)
  expect(ways(2, latencies.link({ address: '127.0.0.1', port: 80 }))).toEqual({ leastUs: 2000, boundUs: 0 })
})

test.each<[string, string, string, string | undefined, boolean]>([
  ['read', 'read', 'a.txt', undefined, true],
  ['read', 'readdir', '.', undefined, false],
  ['read a.txt', 'read', 'a.txt', undefined, true],
  ['read *.json', 'read', 'data/a.json', undefined, true],
  ['read *.json', 'read', 'a.json.bak', undefined, false],
  ['GET /seats', 'data', '127.0.0.1:80 GET /seats', 'GET /seats', true],
  ['GET /seats', 'data', '127.0.0.1:80 GET /seats?row=1', 'GET /seats?row=1', false],
  ['GET /seats*', 'data', '127.0.0.1:80 GET /seats?row=1', 'GET /seats?row=1', true],
  ['* /*/edit', 'data', '127.0.0.1:80 PUT /seats/edit', 'PUT /seats/edit', true],
  ['*aba*', 'read', 'ab', undefined, false],
  ['a*a', 'a', '', undefined, false],
  ['*', 'spawn', 'git', undefined, true],
])('the pattern %j and %s %s', (pattern, kind, resource, message, expected) => {
  const latencies = new Latencies()
  latencies.reset(undefined, { [pattern]: '1s' }, names)
  expect(latencies.slow(kind, resource, message) !== undefined).toBe(expected)
})

test('the first pattern that fits holds; the next execution has matched nothing', () => {
  const latencies = new Latencies()
  latencies.reset(undefined, { 'read a.txt': '1s', read: '2s' }, names)
  expect(latencies.slow('read', 'a.txt')!.leastUs).toBe(1_000_000)
  expect(latencies.slow('read', 'b.txt')!.leastUs).toBe(2_000_000)
  expect([...latencies.matched]).toEqual(["slow['read a.txt']", "slow['read']"])
  latencies.reset(undefined, undefined, names)
  expect(latencies.slow('read', 'a.txt')).toBeUndefined()
  expect(latencies.matched.size).toBe(0)
})
