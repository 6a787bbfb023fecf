import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { election } from '../../../../../examples/leader-election/election.ts'
import { livelock } from '../../../../../examples/leader-election/livelock.ts'
import { scenario } from '../../../src/cluster.ts'

const electsLeader = {
  what: 'a leader is elected',
  holds: ({ nodes }: { nodes: readonly { state: { role: string } }[] }) =>
    nodes.some(({ state }) => state.role === 'leader'),
}

test('left alone, the election ends within a second, whatever the seed', () => {
  for (let seed = 0; seed < 50; seed++) {
    const s = scenario({ system: election, seed })
    s.until(electsLeader.holds, { withinMs: 1000 })
    s.end()
  }
})

test('a scenario of at most 15 lines livelocks it for a hundred terms', () => {
  livelock(100)
  const text = readFileSync(resolve(import.meta.dirname, '../../../../../examples/leader-election/livelock.ts'), 'utf8')
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  expect(lines.length).toBeLessThanOrEqual(15)
})

test.each([1, 2, 3, 4, 5])('a leader that comes back follows (seed %i): the scenario of docs/clusters.md', (seed) => {
  const s = scenario({ system: election, seed })
  s.until(({ nodes }) => nodes.some(({ state }) => state.role === 'leader'))
  const leader = s.view.nodes.find(({ state }) => state.role === 'leader')!.id
  s.partition([leader])
  s.until(({ nodes }) => nodes.some(({ id, state }) => id !== leader && state.role === 'leader'))
  s.heal()
  s.until((cluster) => cluster.node(leader).state.role === 'follower')
  s.never((cluster) => cluster.node(leader).state.role === 'leader', 5_000)
  s.end()
})
