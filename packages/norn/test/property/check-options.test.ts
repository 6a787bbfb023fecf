import { expect, test } from 'vitest'
import { checkOptions } from '../../src/property/check-options.ts'

test.each([[undefined], [{}], [{ fs: 0 }], [{ fs: 1 }], [{ fs: 1000 }], [{ fs: undefined }]])(
  'faults: %j is allowed',
  (faults) => {
    expect(() => checkOptions('p', { faults })).not.toThrow()
  },
)

test.each<[unknown, string]>([
  [{ net: 1 }, "fuzz('p'): option faults has an unknown kind of fault: 'net'. Known kinds: fs"],
  [{ fs: -1 }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: -1"],
  [{ fs: 1001 }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: 1001"],
  [{ fs: 1.5 }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: 1.5"],
  [{ fs: Number.NaN }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: NaN"],
  [{ fs: Infinity }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: Infinity"],
  [{ fs: '2' }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: '2'"],
  [{ fs: null }, "fuzz('p'): option faults.fs must be an integer from 0 to 1000: null"],
  [2, "fuzz('p'): option faults must be an object: 2. Write an object such as { fs: 2 }"],
  [null, "fuzz('p'): option faults must be an object: null. Write an object such as { fs: 2 }"],
  [['fs'], "fuzz('p'): option faults must be an object: an array. Write an object such as { fs: 2 }"],
])('faults: %j is refused', (faults, message) => {
  expect(() => checkOptions('p', { faults })).toThrow(message)
})

test('all options together are allowed', () => {
  const times = { runs: 1, timeMs: 0.5 + 0.5, seed: 0xffff_ffff }
  const bounds = { maxLatencyMs: 0, maxSteps: 1, maxVirtualMs: 1 }
  const network = { latency: 'mobile', hosts: { 'db:5432': '5ms..50ms', '::1': { minMs: 0, maxMs: 0 } } }
  const latencies = { network, slow: { 'GET /seats': '200ms..2s' } }
  expect(() =>
    checkOptions('p', { ...times, ...bounds, ...latencies, examples: [], required: [], faults: {} }),
  ).not.toThrow()
})

test.each<[unknown, string]>([
  [{ latenessMs: 5 }, "fuzz('p'): option latenessMs is now maxLatencyMs. Rename it"],
  [{ maxLatency: 5 }, "fuzz('p'): unknown option 'maxLatency'; did you mean 'maxLatencyMs'?"],
  [{ numRuns: 5 }, "fuzz('p'): unknown option 'numRuns'; did you mean 'runs'?"],
  [{ time: 5 }, "fuzz('p'): unknown option 'time'; did you mean 'timeMs'?"],
  [{ sed: 5 }, "fuzz('p'): unknown option 'sed'; did you mean 'seed'?"],
  [{ verbose: true }, "fuzz('p'): unknown option 'verbose'; known: timeMs, runs, seed, examples"],
  [{ runs: 0 }, "fuzz('p'): option runs must be an integer from 1: 0"],
  [{ runs: 1.5 }, "fuzz('p'): option runs must be an integer from 1: 1.5"],
  [{ timeMs: '30s' }, "fuzz('p'): option timeMs must be a number of milliseconds from 1 to 1800000000: '30s'"],
  [{ timeMs: 0 }, "fuzz('p'): option timeMs must be a number of milliseconds from 1 to 1800000000: 0"],
  [{ seed: -1 }, "fuzz('p'): option seed must be an integer from 0 to 4294967295: -1"],
  [{ seed: 2 ** 32 }, "fuzz('p'): option seed must be an integer from 0 to 4294967295: 4294967296"],
  [{ maxLatencyMs: '5' }, "fuzz('p'): option maxLatencyMs must be a number of milliseconds: '5'"],
  [{ maxVirtualMs: -1 }, "fuzz('p'): option maxVirtualMs must be a number of milliseconds: -1"],
  [{ maxSteps: 0 }, "fuzz('p'): option maxSteps must be an integer from 1: 0"],
  [{ network: 'mobile' }, "option network must be an object such as { latency: 'datacenter' }: 'mobile'"],
  [{ network: { latenz: 'mobile' } }, "option network: unknown option 'latenz'; did you mean 'latency'?"],
  [{ network: { latency: 'modem' } }, "option network.latency must be 'local', 'datacenter', 'internet', 'mobile', or"],
  [{ network: { latency: { minMs: 2, maxMs: 1 } } }, 'must not end before it begins: {"minMs":2,"maxMs":1}'],
  [
    { network: { hosts: { 'a b': 'mobile' } } },
    "option network.hosts['a b']: the key must be a host name or an address",
  ],
  [{ network: { hosts: { db: 5 } } }, "option network.hosts['db'] must be 'local', 'datacenter', "],
  [{ slow: 'GET /' }, "option slow must be an object such as { 'GET /seats': '200ms..2s' }: 'GET /'"],
  [{ slow: { 'GET /': '200' } }, "fuzz('p'): option slow['GET /'] must be a range such as '200ms..2s' or { minMs:"],
  [{ slow: { 'GET /': 'mobile' } }, "option slow['GET /'] must be a range such as"],
  [{ slow: { '': '200ms' } }, "option slow: a pattern must not be empty. Write '*' for every operation"],
  [5, "fuzz('p'): options must be an object: 5"],
])('%j is refused', (options, message) => {
  expect(() => checkOptions('p', options)).toThrow(message)
})
