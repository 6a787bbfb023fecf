/** What is counted of the executions of a cluster, and how counts of several workers add up. */
import { expect, test } from 'vitest'
import type { Happened } from '../../../src/contract/observation.ts'
import { addVacuity, MAX_NAMES, OTHERS } from '../../../src/domains/cluster/summaries.ts'
import { Vacuity } from '../../../src/domains/cluster/vacuity.ts'
import { chanceLog, entry } from '../../report/event-logs.ts'

function happened(lines: readonly string[], more: Partial<Happened> = {}): Happened {
  return { log: lines.map(entry), faults: {}, followed: [], ...more }
}

test('entries are counted by kind, and by what they are about', () => {
  const vacuity = new Vacuity()
  vacuity.observe(
    happened([
      '0@1 send a>b #0 {"type":"Put"}',
      '0@1 deliver a>b #0 {"type":"Put"}',
      '0@1 lost a>b #1 \'drop\' {"type":"Put"}',
      "0@1 timeout a 'beat'",
      "0@1 timeout b 'beat'",
      "0@1 event a 'done'",
      '0@1 crash a',
    ]),
  )
  const once = { count: 1, mapped: 0 }
  expect(vacuity.tally().entries).toEqual({
    crash: { '': once },
    deliver: { Put: once },
    event: { done: once },
    lost: { drop: once },
    send: { Put: once },
    timeout: { beat: { count: 2, mapped: 0 } },
  })
})

test('a request is answered once, however many replies it has', () => {
  const vacuity = new Vacuity()
  vacuity.observe(happened(['0@1 request a #0 1', '0@1 request b #1 1', '0@1 reply a #0 1', '0@1 reply a #0 1']))
  expect(vacuity.tally().requests).toEqual({ made: 2, answered: 1 })
})

test('entries of executions that the model did not follow would lower the share that is mapped', () => {
  const vacuity = new Vacuity()
  const put = entry('0@1 deliver a>b #0 {"type":"Put"}')
  vacuity.observe({ log: [put], faults: { crashes: 1 }, actions: ['Put'], followed: [{ entry: put, action: 'Put' }] })
  vacuity.observe({ log: [put], faults: { crashes: 2 }, actions: ['Put'], followed: [], isUnfollowed: true })
  expect(vacuity.tally()).toMatchObject({
    counted: 1,
    executions: 2,
    entries: { deliver: { Put: { count: 1, mapped: 1 } } },
    faults: { crashes: 3 },
  })
})

test('of a model it is counted what it was told of, and what was possible in it', () => {
  const vacuity = new Vacuity()
  const [put, get, ping] = [
    '0@1 deliver a>b #0 {"type":"Put"}',
    '0@1 deliver a>b #1 {"type":"Get"}',
    '0@1 crash a',
  ].map(entry)
  const followed = [
    { entry: put!, action: 'Receive' },
    { entry: put!, action: 'Store', reason: 'it is full' },
    { entry: get!, action: 'Store', reason: 'it is shut' },
    { entry: ping! },
  ]
  vacuity.observe({ log: [put!, get!, ping!], faults: {}, actions: ['Receive', 'Store', 'Flush'], followed })
  const { actions, entries } = vacuity.tally()
  expect(actions).toEqual({
    Flush: { enabled: 0, disabled: 0 },
    Receive: { enabled: 1, disabled: 0 },
    Store: { enabled: 0, disabled: 2, reason: 'it is full' },
  })
  expect(entries.deliver).toEqual({ Get: { count: 1, mapped: 1 }, Put: { count: 1, mapped: 1 } })
  expect(entries.crash).toEqual({ '': { count: 1, mapped: 1 } })
})

test('many executions are sampled, but their faults all counted', () => {
  const vacuity = new Vacuity()
  const one = happened(['0@1 crash a'], { faults: { crashes: 1, drops: 0 } })
  for (let execution = 0; execution < 10_000; execution++) vacuity.observe(one)
  const { counted, executions, faults, entries } = vacuity.tally()
  expect({ counted, executions, faults, entries }).toEqual({
    counted: 3000,
    executions: 10_000,
    faults: { crashes: 10_000, drops: 0 },
    entries: { crash: { '': { count: 3000, mapped: 0 } } },
  })
})

test('names without end are counted together', () => {
  const names = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `0@1 event a 'n${from + index}'`)
  const one = new Vacuity()
  one.observe(happened(names(0, 1000)))
  const counts = one.tally().entries.event!
  expect(Object.keys(counts)).toHaveLength(MAX_NAMES + 1)
  expect(counts[OTHERS]).toEqual({ count: 1000 - MAX_NAMES, mapped: 0 })
  const other = new Vacuity()
  other.observe(happened(names(5000, 1000)))
  const both = addVacuity(one.tally(), other.tally())!.entries.event!
  expect(Object.keys(both)).toHaveLength(MAX_NAMES + 1)
  expect(Object.values(both).reduce((sum, { count }) => sum + count, 0)).toBe(2000)
})

test('executions that reached states without an identity are counted, also over workers', () => {
  const count = (crowded: readonly boolean[]) => {
    const vacuity = new Vacuity()
    for (const crowdedOut of crowded) vacuity.observe(happened([], { crowdedOut }))
    return vacuity.tally()
  }
  expect(count([false, false]).crowdedOut).toBeUndefined()
  expect(addVacuity(count([true, false, true]), count([false]))!.crowdedOut).toBe(2)
})

test('counts of two add up to the counts of both, in either order', () => {
  const logs = Array.from({ length: 20 }, (_, seed) => chanceLog(['a', 'b', 'c'], 200, seed))
  const of = (some: typeof logs) => {
    const vacuity = new Vacuity()
    for (const log of some) vacuity.observe({ log, faults: { crashes: 1 }, followed: [] })
    return vacuity.tally()
  }
  const [first, rest] = [of(logs.slice(0, 7)), of(logs.slice(7))]
  expect(addVacuity(first, rest)).toEqual(of(logs))
  expect(JSON.stringify(addVacuity(rest, first))).toBe(JSON.stringify(of(logs)))
  expect(addVacuity(undefined, first)).toBe(first)
  expect(addVacuity(undefined, undefined)).toBeUndefined()
})
