import assert from 'node:assert/strict'
import { type ActorFactory, actors, type ClusterView, cluster } from 'norn/cluster'
import { LARGE, type Load, NODES, Relay, SMALL } from './relay.ts'

const system = (load: Load) => () =>
  actors(
    Object.fromEntries(NODES.map((node): [string, ActorFactory] => [node, ({ send }) => new Relay(node, load, send)])),
  )

cluster('1,000 messages', {
  system: system(LARGE),
  // Enough to deliver all messages in every execution.
  steps: 1500,
  check: ({ messages }: ClusterView) => assert.equal(messages.length, 0),
})

cluster('20 messages, checked after each event', {
  system: system(SMALL),
  steps: 30,
  faults: { crashes: 1, drops: 2 },
  invariant: ({ nodes }: ClusterView) => {
    for (const { up, state } of nodes) assert(!up || (state as { seen: number }).seen <= 20)
  },
})
