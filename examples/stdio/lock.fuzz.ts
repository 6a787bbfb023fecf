/** A lock that three nodes of a Python program grant by majority. It has a bug: two nodes may hold it at once. */
import { type ClusterView, cluster, program } from 'norn/cluster'

/** The visible state of a node of lock.py. */
interface Holder {
  readonly term: number
  readonly voted: string | null
  /** The term in which it got the lock; null if it does not hold it. */
  readonly holds: number | null
  /** Clients that wait for the lock at this node. */
  readonly waiting: number
}

cluster('at most one holds the lock in a term', {
  system: () => program<Holder | undefined>(['python3', `${import.meta.dirname}/lock.py`]),
  steps: 30,
  faults: { crashes: 1, drops: 1 },
  requests: ['acquire', 'acquire', 'acquire'],
  required: ['acquired'],
  invariant: (view) => {
    for (const one of holders(view)) {
      const other = holders(view).find(({ id, term }) => id !== one.id && term === one.term)
      if (other !== undefined) throw new Error(`${one.id} and ${other.id} both hold the lock of term ${one.term}`)
    }
  },
  eventually: {
    what: 'nobody waits for the lock',
    holds: (view) => view.nodes.every(({ state }) => state?.waiting === 0),
  },
})

function holders(view: ClusterView<Holder | undefined>): { id: string; term: number }[] {
  return view.nodes.flatMap(({ id, state }) => {
    const holds = state?.holds ?? null
    return holds === null ? [] : [{ id, term: holds }]
  })
}
