/**
 * Real packages on a disk that fails. What is found in them is their own: steno 0.4.4 calls back
 * without the error that its rename gave, and write-file-atomic 2.3.0 does not look at how many
 * bytes its write took.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionEvent } from '../../src/contract/events.ts'
import type { InjectedFault } from '../../src/contract/execution.ts'
import { Fixture } from './workers.ts'

const RUNS = 250

let fixture: Fixture

beforeAll(async () => {
  const aliases = ['steno', 'write-file-atomic'].map((name) => [`${name}-buggy`, `${name}-fixed`] as const)
  fixture = await Fixture.open('faults-packages', { aliases })
})

afterAll(() => fixture.close())

/** The faults of each distinct failure, as shrunk. */
async function hunted(property: string): Promise<(readonly InjectedFault[])[]> {
  const notices: SessionEvent[] = []
  const options = { seed: 1, strategy: 'portfolio', runs: RUNS, timeMs: 1e9, keepGoing: true, shrink: true, skip: 0 }
  const summary = await fixture.worker.explore(fixture.property(property), options, (notice) => notices.push(notice))
  expect(summary).toMatchObject({ executions: RUNS, voided: 0, flaky: 0 })
  expect(summary.faults).toBeGreaterThan(RUNS / 4)
  expect(summary.faults).toBeLessThan(RUNS)
  return notices.flatMap((notice) => (notice.type === 'shrunk' ? [notice.failure.result.faults ?? []] : []))
}

test.each(['by hand: old or new', 'by hand: done is new', 'steno: old or new'])(
  '%s: holds under any fault',
  async (property) => {
    expect(await hunted(property)).toEqual([])
  },
)

test('steno: a rename that fails is reported as done', async () => {
  expect(await hunted('steno: done is new')).toMatchObject([[{ operation: 'rename', fault: 'EACCES' }]])
})

test.each(['write-file-atomic: old or new', 'write-file-atomic: done is new'])(
  '%s: but for a write that is cut short',
  async (property) => {
    expect(await hunted(property)).toMatchObject([[{ operation: 'write', fault: '1 of 23 bytes' }]])
  },
)
