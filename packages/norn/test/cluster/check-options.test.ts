import fc from 'fast-check'
import { expect, test } from 'vitest'
import { actors } from '../../src/cluster/actors.ts'
import { checkOptions } from '../../src/cluster/check-options.ts'
import type { ClusterOptions } from '../../src/cluster/definition.ts'

const system = () => actors({ a: () => ({}) })

test('options that make sense pass', () => {
  checkOptions('c', { system })
  checkOptions('c', {
    system,
    steps: 1,
    network: { order: 'any', perStep: 1, latencyMs: 0 },
    faults: { crashes: 0, drops: 1, duplicates: 2, partitions: 3 },
    permanentCrashes: true,
    requests: fc.array(fc.nat()),
    route: () => 'a',
    requestEveryMs: 0,
    invariant: () => {},
    check: () => {},
    eventually: { what: 'x', holds: () => true, withinMs: 1 },
    required: ['x'],
    quiet: ['y'],
  })
})

test.each<[Record<string, unknown>, string]>([
  [{ system: undefined }, '`system` must be a function that returns a system'],
  [{ invariants: () => {} }, "unknown option 'invariants'; did you mean 'invariant'?"],
  [{ steps: 0 }, '`steps` must be an integer of at least 1'],
  [{ steps: 1.5 }, '`steps` must be an integer of at least 1'],
  [{ network: { order: 'lifo' } }, "`network.order` must be 'fifo' or 'any'"],
  [{ network: { latency: 1 } }, "`network`: unknown option 'latency'; did you mean 'latencyMs'?"],
  [{ network: { latencyMs: Number.POSITIVE_INFINITY } }, '`network.latencyMs` must be a number of milliseconds'],
  [{ network: { perStep: 0 } }, '`network.perStep` must be an integer of at least 1'],
  [{ faults: { crash: 1 } }, "`faults`: unknown option 'crash'; did you mean 'crashes'?"],
  [{ faults: { drops: -1 } }, '`faults.drops` must be an integer of at least 0'],
  [{ requests: 'abc' }, '`requests` must be an array or a fast-check arbitrary of arrays'],
  [{ requestEveryMs: -1 }, '`requestEveryMs` must be a number of milliseconds'],
  [{ invariant: true }, '`invariant` must be a function'],
  [{ route: 'a' }, '`route` must be a function'],
  [{ eventually: { holds: () => true } }, '`eventually` must have `what` (a string) and `holds` (a function)'],
  [{ eventually: { what: 'x', holds: () => true, withinMs: 0 } }, '`eventually.withinMs` must be a number'],
  [{ model: {} }, '`model` must have `model` (a model) and `actions`'],
  [{ runs: 0 }, 'option runs must be an integer from 1: 0'],
  [{ timeMs: '1s' }, 'option timeMs must be a number of milliseconds from 1 to 1800000000'],
  [{ required: 'x' }, '`required` must be an array of event names'],
  [{ quiet: 'x' }, '`quiet` must be an array of event names'],
])('%o is refused', (options, why) => {
  const check = () => checkOptions('c', { system, ...options } as unknown as ClusterOptions)
  expect(check).toThrow(TypeError)
  expect(check).toThrow(`cluster('c', options): ${why}`)
})
