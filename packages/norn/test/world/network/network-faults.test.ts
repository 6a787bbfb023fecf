import { expect, test } from 'vitest'
import type { FaultKind } from '../../../src/contract/execution.ts'
import { NETWORK_FAULTS, type NetworkFaultTable } from '../../../src/contract/network-faults.ts'
import { Causality } from '../../../src/world/loop/causality.ts'
import { Faults } from '../../../src/world/loop/faults.ts'
import { NetworkFaults } from '../../../src/world/network/network-faults.ts'

/** A fault of each point and of connections, as one entry each. */
const TABLE: NetworkFaultTable = {
  ...NETWORK_FAULTS,
  unreachable: { meets: { connect: ['ENETUNREACH'], message: ['lost'] } },
  cuts: { severs: { call: 'cut', did: 'cut', isReset: true } },
}

function network(kind: string, drawn: number) {
  const faults = new Faults({ draw: (_, max) => Math.min(drawn, max), relative: (path) => path, injected: () => {} })
  faults.reset({ [kind as FaultKind]: 1 })
  return { faults, network: new NetworkFaults(faults, () => false, TABLE) }
}
const met = { step: new Causality().child(), kind: 'connect', resource: 'server' }

test('a network fault is one entry: what may meet it, what it does, and its text in the report', () => {
  const { faults, network: unreachable } = network('unreachable', 1)
  expect(unreachable.at('lookup', met)).toBeUndefined()
  expect(unreachable.maySever).toBe(false)
  expect(unreachable.at('connect', met)).toBe('ENETUNREACH')
  expect(faults.injected).toMatchObject([{ kind: 'unreachable', resource: 'server', fault: 'ENETUNREACH' }])
  // The budget is spent.
  expect(unreachable.at('message', met)).toBeUndefined()
})

test('a fault that severs connections is one entry too', () => {
  const { faults, network: cuts } = network('cuts', 3)
  expect(cuts.maySever).toBe(true)
  expect(cuts.severed(met.step, 'server', 1, () => '3 of 10 bytes')).toEqual({ isReset: true, arrives: { place: 0 } })
  expect(faults.injected).toMatchObject([{ kind: 'cuts', operation: 'data', fault: 'cut after 3 of 10 bytes' }])
})

test('nothing is drawn for a kind without a budget, nor by default', () => {
  const { network: none } = network('fs', 1)
  expect(['connect', 'message', 'lookup', 'query'].map((point) => none.at(point as 'connect', met))).toEqual(
    Array(4).fill(undefined),
  )
  expect(none.at('lookup')).toBeUndefined()
})
