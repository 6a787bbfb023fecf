/**
 * What shrinking leaves of clusters with a known bug: the least that shows it, whichever way it was
 * found.
 */
import { describe, expect, test } from 'vitest'
import { fingerprint } from '../../../src/contract/fingerprint.ts'
import { decodeChoices, encodeChoices } from '../../../src/tape/codec.ts'
import { raft } from '../../cluster/raft.ts'
import { firstFailure, SimulatedExecutor, type SimulatedOptions, shrunkFrom } from '../../cluster/simulated.ts'
import * as subjects from '../../cluster/subjects.ts'

const SEEDS = [1, 2, 3]

interface Least {
  /** Each of them is as simple as it gets, up to which node is which. */
  readonly steps: readonly (readonly string[])[]
  readonly requests: readonly unknown[]
}

const CASES: readonly (readonly [what: string, subject: SimulatedOptions, least: Least])[] = [
  [
    'an update is lost with its message: one loss of one message, or one partition that it does not get across',
    subjects.lostUpdate,
    { steps: [['1: drop primary → replica'], ['0: part primary from replica']], requests: [1] },
  ],
  [
    'a message that comes twice counts twice: one duplicate of the one message',
    subjects.duplicateDelivery,
    { steps: [['1: duplicate primary → replica']], requests: [1] },
  ],
  [
    'the last value is overtaken: a second write while the first is under way, and the second one delivered first',
    subjects.reordering,
    { steps: [['1: request to writer', '2: deliver message 2 of writer → reader']], requests: [0, 1] },
  ],
  [
    'a vote is forgotten: a second candidate, and who has voted crashes between the two',
    subjects.forgottenVote,
    {
      steps: [
        ['0: timeout b', '4: crash c', '5: restart c'],
        ['3: timeout c', '8: crash a', '9: restart a'],
        ['2: crash b', '3: restart b', '4: timeout c'],
        ['1: timeout c', '3: crash b', '4: restart b'],
      ],
      requests: [],
    },
  ],
  [
    'two lead on the two sides of a partition',
    subjects.splitBrain,
    {
      steps: [
        ['0: partition a, c | b', '1: request to b'],
        ['0: partition a, b | c', '1: request to c'],
      ],
      requests: ['lead', 'lead'],
    },
  ],
  [
    'a token that is sent once is lost: nothing comes true in a calm world any more',
    subjects.lostToken,
    { steps: [['0: drop a → b']], requests: [] },
  ],
  [
    'of two increments one is lost: the second client asks before the first has written',
    subjects.lostIncrement,
    { steps: [['1: request to left']], requests: [1, 0] },
  ],
]

describe.each(CASES)('%s', (_, subject, least) => {
  test.each(SEEDS)('from seed %i', async (seed) => {
    const { steps, requests, summary } = await shrunkFrom(subject, seed)
    expect(least.steps).toContainEqual(steps)
    expect(requests).toEqual(least.requests)
    expect(summary.complete).toBe(true)
  })
})

test('what is left replays, and is what shrinking it again leaves', async () => {
  for (const subject of [subjects.lostUpdate, subjects.forgottenVote, subjects.lostIncrement]) {
    const { result } = await shrunkFrom(subject, 1)
    const executor = new SimulatedExecutor(subject)
    const again = await executor.execute({
      input: { from: 'tape' },
      choices: { from: 'record', choices: result.choices! },
    })
    expect(again.cluster).toEqual(result.cluster)
    expect(fingerprint(again.failure!)).toBe(fingerprint((await firstFailure(executor, 1)).failure!))
  }
})

test('fixed requests that do not matter are left out, and a replay leaves them out too', async () => {
  const subject = { ...subjects.lostIncrement, requests: [1, 1, 1, 1] }
  const { result, requests } = await shrunkFrom(subject, 1)
  expect(requests).toEqual([1, 1])
  expect(result.cluster!.leftOut).toHaveLength(2)
  const choices = decodeChoices(JSON.parse(JSON.stringify(encodeChoices(result.choices!))))
  const again = await new SimulatedExecutor(subject).execute({
    input: { from: 'tape' },
    choices: { from: 'record', choices },
  })
  expect(again.cluster).toEqual(result.cluster)
})

describe('a failure of a Raft, of many steps in a certain order', () => {
  test.each([
    ['a vote that a restart forgets', 'forgotten vote', 5],
    ['votes for candidates whose log is behind', 'unchecked log', 13],
  ] as const)('%s', async (_, bug, steps) => {
    for (const seed of SEEDS.slice(0, 2)) {
      const { result, summary } = await shrunkFrom(raft(bug), seed)
      expect(result.cluster!.steps.length).toBeLessThanOrEqual(steps)
      expect(summary.executions).toBeLessThan(4000)
    }
  })
})

test('a single fault is explained in few executions: no latencies are tried on steps', async () => {
  for (const seed of SEEDS) expect((await shrunkFrom(subjects.lostToken, seed)).summary.executions).toBeLessThan(500)
})
