import assert from 'node:assert/strict'
import { cluster } from 'norn/cluster'
import { election } from './election.ts'

cluster('one leader a term', {
  system: election,
  steps: 120,
  faults: { crashes: 2, drops: 3, partitions: 1 },
  invariant: ({ nodes }) => {
    const terms = nodes.filter(({ state }) => state?.role === 'leader').map(({ state }) => state.term)
    assert.equal(new Set(terms).size, terms.length, 'two nodes lead in one term')
  },
  eventually: {
    what: 'a leader is elected',
    holds: ({ nodes }) => nodes.some(({ state }) => state?.role === 'leader'),
  },
  required: ['elected'],
})
