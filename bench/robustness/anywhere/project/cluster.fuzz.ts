import assert from 'node:assert/strict'
import { fc } from 'norn'
import { actors, cluster } from 'norn/cluster'
import { Client, Counter } from './counter.ts'

cluster('cluster', {
  system: () => actors({ client: (node) => new Client(node), counter: (node) => new Counter(node) }),
  requests: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
  route: () => 'client',
  faults: { drops: 1 },
  check: ({ node, requests }) => {
    const total = requests.reduce((sum, { request }) => sum + request, 0)
    assert.equal((node('counter').state as Counter).value, total)
  },
})
