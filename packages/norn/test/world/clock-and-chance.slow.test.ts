import { afterAll, beforeAll, expect, test } from 'vitest'
import { Fixture, NATURAL, random } from './workers.ts'

let processes: Fixture[]
beforeAll(async () => {
  processes = await Promise.all([1, 2].map(() => Fixture.open('clock-and-chance')))
})
afterAll(() => {
  for (const fixture of processes) fixture.close()
})

test('the processes are two', () => {
  const [one, two] = processes as [Fixture, Fixture]
  expect(one.worker.pid).toBeGreaterThan(0)
  expect(one.worker.pid).not.toBe(two.worker.pid)
  expect(one.worker.pid).not.toBe(process.pid)
})

test('two processes with one tape read the same of every clock and every source of chance', async () => {
  const [one, two] = processes as [Fixture, Fixture]
  for (const name of one.names) {
    for (const plan of [NATURAL, random(5), random(6)]) {
      // What was run before, and how often, makes no difference.
      await two.run(name, random(99))
      expect(await two.printed(name, plan), name).toEqual(await one.printed(name, plan))
    }
  }
})

test('another tape gives other chance', async () => {
  const [one] = processes as [Fixture, Fixture]
  const seen = new Set<string>()
  for (let seed = 0; seed < 10; seed++) seen.add(JSON.stringify(await one.printed('chance', random(seed))))
  expect(seen.size).toBeGreaterThan(2)
})

test('what is drawn while the modules load is no less random: no number comes twice, there or in the body', async () => {
  const [one] = processes as [Fixture, Fixture]
  for (const plan of [NATURAL, random(5)]) {
    const [drawn] = (await one.printed('chance while loading', plan)) as [unknown[]]
    expect(new Set(drawn).size).toBe(drawn.length)
  }
})

test('an execution begins at the epoch of the world, long after whatever lies on the disk', async () => {
  const [one] = processes as [Fixture, Fixture]
  const [dates] = (await one.printed('dates')) as [unknown[]]
  expect(dates).toEqual([
    1767225600000,
    1767225600000,
    expect.stringMatching(/^(Thu Jan 01 2026|Wed Dec 31 2025)/),
    '2026-01-01T00:00:00.000Z',
    1767225600000,
  ])
})

test('the files of the real disk have one time, before any execution began', async () => {
  const [one] = processes as [Fixture, Fixture]
  const times = (await one.printed('times of the real disk')).flat() as number[]
  expect([...new Set(times)]).toEqual([1767225600000 - 24 * 3600 * 1000])
})

test('the contents of marks do not outlive an execution', async () => {
  const [one] = processes as [Fixture, Fixture]
  const first = await one.printed('performance')
  expect(await one.printed('performance')).toEqual(first)
})
