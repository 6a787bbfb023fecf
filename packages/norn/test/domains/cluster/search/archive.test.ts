import { expect, test } from 'vitest'
import { quotasOf } from '../../../../src/cluster/faults/faults.ts'
import { StepCodes } from '../../../../src/cluster/steps.ts'
import { UNBOUNDED } from '../../../../src/contract/choices.ts'
import { Archive, ArchivedExecution } from '../../../../src/domains/cluster/search/archive.ts'
import { chance } from '../../../../src/tape/chance.ts'

const codes = new StepCodes({ nodes: ['a', 'b'], network: {}, quotas: quotasOf({}) })

function execution(steps: number): ArchivedExecution {
  return new ArchivedExecution({
    input: { from: 'tape' },
    base: { input: [], schedule: [], fault: [], spans: [], length: UNBOUNDED },
    steps: new Array<number>(steps).fill(codes.timeout(0)),
    others: [],
    codes,
  })
}

/** How often each feature is drawn of so many times. */
function drawn(archive: Archive, times: number): Map<number, number> {
  const draws = chance(1)
  const counts = new Map<number, number>()
  for (let n = 0; n < times; n++) {
    const { feature } = archive.pick(draws)
    counts.set(feature, (counts.get(feature) ?? 0) + 1)
  }
  return counts
}

test('a cell is reached by the execution that took fewest steps, and what leads nowhere any more is let go', () => {
  const removed: ArchivedExecution[] = []
  const archive = new Archive({ removed: (kept) => removed.push(kept) })
  const [long, short] = [execution(9), execution(4)]
  archive.reach(1, long, 9)
  archive.reach(1, short, 4)
  expect(archive.pick(chance(1))).toMatchObject({ feature: 1, kept: short, at: 4 })
  expect(removed).toEqual([long])
  expect(archive.entries).toEqual([short])
})

test('an execution is written down with all its choices', () => {
  expect(execution(2).record.schedule.map(({ label, value }) => [label, value])).toEqual([
    ['0', codes.timeout(0)],
    ['1', codes.timeout(0)],
  ])
})

test('what was reached seldom is drawn more often than what was reached in most executions', () => {
  const archive = new Archive()
  for (const feature of [1, 2]) archive.reach(feature, execution(3), 3)
  for (let n = 0; n < 98; n++) archive.hit(1)
  const counts = drawn(archive, 1000)
  // Fifty times as often in the long run.
  expect(counts.get(2)!).toBeGreaterThan(20 * (counts.get(1) ?? 0))
})

test('what was gone on from in vain is drawn less often', () => {
  const archive = new Archive()
  for (const feature of [1, 2]) archive.reach(feature, execution(3), 3)
  archive.pick(chance(1)).fruitless = 99
  const [least, most] = [...drawn(archive, 2000).values()].sort((a, b) => a - b)
  expect(most! / least!).toBeGreaterThan(3)
})

test('a phase with few cells has its turns beside one with many', () => {
  const archive = new Archive()
  for (let feature = 0; feature < 1000; feature++) archive.reach(feature, execution(3), 3)
  archive.reach(5000, execution(40), 40)
  // Half of the seven tenths in which the number of steps is drawn first.
  expect(drawn(archive, 2000).get(5000)! / 2000).toBeCloseTo(0.35, 1)
})

test('a new cell has its first turns at once, the newest first', () => {
  const archive = new Archive()
  for (const feature of [1, 2]) archive.reach(feature, execution(feature), feature)
  const turns = Array.from({ length: 7 }, () => archive.newest()?.feature)
  expect(turns).toEqual([2, 2, 2, 1, 1, 1, undefined])
})

test('cells are bounded: those with the least share are forgotten', () => {
  const archive = new Archive({ maxCells: 100 })
  for (let feature = 0; feature < 100; feature++) archive.reach(feature, execution(2), 2)
  for (let feature = 0; feature < 50; feature++) archive.hit(feature)
  archive.reach(100, execution(2), 2)
  expect(archive.size).toBeLessThanOrEqual(100)
  expect(archive.hit(0)).toBeUndefined()
  expect(archive.hit(99)).toBeDefined()
  expect(archive.hit(100)).toBeDefined()
})

test('steps are bounded, and whoever keeps the corpus elsewhere has what the archive has', () => {
  const kept = new Set<ArchivedExecution>()
  const archive = new Archive({
    maxSteps: 1000,
    added: (each) => kept.add(each),
    removed: (each) => expect(kept.delete(each)).toBe(true),
  })
  for (let feature = 0; feature < 200; feature++) archive.reach(feature, execution(feature), feature)
  const steps = archive.entries.reduce((sum, each) => sum + each.steps.length, 0)
  expect(steps).toBeLessThanOrEqual(1000)
  expect(new Set(archive.entries)).toEqual(kept)
  expect(archive.executions).toBe(kept.size)
})
