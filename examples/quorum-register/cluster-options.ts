/** The options of both clusters: clients, faults, and what must hold. */
import { fc } from 'norn'
import type { ClusterOptions } from 'norn/cluster'
import { linearizable, MODELS } from 'norn/history'
import { quorumRegister, type Reads, type Request } from './quorum-register.ts'

const read = fc.constant<Request>({ f: 'read' })
const write = fc.record({ f: fc.constant('write' as const), value: fc.integer({ min: 1, max: 9 }) })

export function clusterOptions(reads: Reads): ClusterOptions<Request> {
  return {
    system: () => quorumRegister(reads),
    steps: 60,
    network: { order: 'any' },
    faults: { crashes: 1, drops: 2 },
    requests: fc.array(fc.oneof(read, write), { maxLength: 4 }),
    invariant: linearizable(MODELS.register),
  }
}
