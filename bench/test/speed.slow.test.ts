/** The speed suite, small: every row is there. Its rates are not judged. */
import { expect, test } from 'vitest'
import { type Row, smokeRows } from './bench.ts'

function rows(part: string): Promise<Row[]> {
  return smokeRows('speed', '--part', part)
}

const ratio = expect.any(Number)

test('loop', async () => {
  expect(await rows('loop')).toMatchObject([
    { subject: 'immediates', ratio },
    { subject: 'timers', ratio },
    { subject: 'operations', ratio },
  ])
})

test('network', async () => {
  expect(await rows('network')).toMatchObject([
    { subject: 'express: a request and its response', ratio },
    { subject: 'ws: an echo', ratio },
  ])
})

test('instrument', async () => {
  const subjects = await rows('instrument')
  expect(subjects.map(({ subject }) => subject)).toEqual(['acorn', 'markdown-it', 'semver'])
  for (const row of subjects) {
    expect(row).toMatchObject({ countersRatio: ratio, comparisonsRatio: ratio })
    expect(row.counters).toBeGreaterThan(500)
    expect(row.comparisons).toBeGreaterThan(500)
  }
})

test('execution', async () => {
  const [memory, waiting, file, modules] = await rows('execution')
  expect([memory, waiting, file]).toMatchObject([
    { subject: 'three tasks in memory', ratio },
    { subject: 'three tasks that wait', ratio },
    { subject: 'three tasks over a file', ratio },
  ])
  expect(modules).toMatchObject({ subject: 'ten modules' })
  expect(modules!.share).toBeGreaterThan(0)
  expect(modules!.share).toBeLessThan(1)
})

test('throughput', async () => {
  const compared = (await rows('throughput')).filter(({ skipped }) => skipped === undefined)
  expect(compared).toMatchObject([
    { subject: 'synchronous', ratio, reached: ratio },
    { subject: 'asynchronous', ratio, reached: ratio },
  ])
})

test('against another revision', async () => {
  const rows = await smokeRows('speed', '--against', 'HEAD', '--only', 'synchronous')
  expect(rows.map(({ subject }) => subject)).toEqual([
    'trivial property, synchronous',
    'trivial property, asynchronous',
  ])
  for (const row of rows) expect(row).toMatchObject({ us: ratio, beforeUs: ratio, ratio, isSlower: false })
})

test('programs, with modules evaluated once and in each execution', async () => {
  const rows = await smokeRows('speed', '--part', 'programs', '--only', 'lru-cache')
  expect(rows).toMatchObject([{ subject: 'lru-cache', executions: 120, ratio, isSame: true }])
})

test('cluster', async () => {
  const [large, small, memory] = await rows('cluster')
  expect([large, small]).toMatchObject([
    { subject: '1,000 messages', messages: 1000, ratio },
    { subject: '20 messages', messages: 20, ratio },
  ])
  expect(memory).toMatchObject({ subject: 'memory', executions: [800, 1200, 1600], growth: ratio })
})
