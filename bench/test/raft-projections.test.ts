import { describe, expect, test } from 'vitest'
import type { RaftState } from '../../systems/etcd-raft/events.ts'
import { type Nodes, PROJECTION_NAMES, PROJECTIONS } from '../raft/projections.ts'

function node(changes: Partial<RaftState> = {}): RaftState {
  const log = changes.log ?? [1, 1, 1]
  return {
    role: 'follower',
    term: 1,
    vote: 'a',
    lead: 'a',
    commit: 1,
    applied: 1,
    index: log.length,
    logTerm: log.at(-1) ?? 0,
    log,
    snapshot: { index: 0, term: 0 },
    configuration: { voters: ['a', 'b', 'c'] },
    ...changes,
  }
}

const LED: Nodes = [node({ role: 'leader' }), node(), node()]

describe.each(PROJECTION_NAMES)('the projection %s', (name) => {
  const of = PROJECTIONS[name]

  test('does not tell terms and indices apart that are later for all nodes', () => {
    const later = LED.map((each) => ({ ...each!, term: 4, commit: 2, index: 4, log: [1, 1, 1, 4], logTerm: 4 }))
    const earlier = LED.map((each) => ({ ...each!, term: 1 }))
    expect(of(later)).toBe(of(earlier))
  })

  test.each([
    ['a node that is down', [LED[0], undefined, LED[2]]],
    ['another leader', [LED[0], LED[1], node({ role: 'leader', term: 2 })]],
    ['a log that is behind', [LED[0], LED[1], node({ log: [1] })]],
    ['logs that conflict', [LED[0], LED[1], node({ log: [1, 1, 2] })]],
    ['a commit index that is higher', [node({ role: 'leader', commit: 2 }), LED[1], LED[2]]],
    ['a snapshot', [LED[0], LED[1], node({ snapshot: { index: 1, term: 1 }, log: [1, 1], index: 3 })]],
  ] as const)('tells %s', (_, nodes) => {
    expect(of(nodes)).not.toBe(of(LED))
  })

  test('knows the state in which all are down', () => {
    expect(of([undefined, undefined, undefined])).not.toBe(of([node(), undefined, undefined]))
  })
})

test('only the symmetric one does not tell nodes apart', () => {
  const turned = [LED[1], LED[2], LED[0]]
  expect(PROJECTIONS.symmetric(turned)).toBe(PROJECTIONS.symmetric(LED))
  expect(PROJECTIONS.relative(turned)).not.toBe(PROJECTIONS.relative(LED))
})
