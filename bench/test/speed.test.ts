/** The suites that measure speed, small: every row is there. How fast it was says nothing on a busy machine. */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const MAIN = resolve(import.meta.dirname, '../main.ts')

function rows(suite: string): Record<string, unknown>[] {
  const lines = execFileSync(process.execPath, [MAIN, suite, '--smoke', '--json'], { encoding: 'utf8' })
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const ratio = expect.any(Number)

test('loop', () => {
  expect(rows('loop')).toMatchObject([
    { subject: 'immediates', ratio },
    { subject: 'timers', ratio },
    { subject: 'operations', ratio },
  ])
})

test('instrument', () => {
  const subjects = rows('instrument')
  expect(subjects.map(({ subject }) => subject)).toEqual(['acorn', 'markdown-it', 'semver'])
  for (const row of subjects) {
    expect(row).toMatchObject({ countersRatio: ratio, comparisonsRatio: ratio })
    expect(row.counters).toBeGreaterThan(500)
    expect(row.comparisons).toBeGreaterThan(500)
  }
})

test('execution', () => {
  const [memory, waiting, file, modules] = rows('execution')
  expect([memory, waiting, file]).toMatchObject([
    { subject: 'three tasks in memory', ratio },
    { subject: 'three tasks that wait', ratio },
    { subject: 'three tasks over a file', ratio },
  ])
  expect(modules).toMatchObject({ subject: 'ten modules' })
  expect(modules!.share).toBeGreaterThan(0)
  expect(modules!.share).toBeLessThan(1)
})

test('throughput', () => {
  const compared = rows('throughput').filter(({ skipped }) => skipped === undefined)
  expect(compared).toMatchObject([
    { subject: 'synchronous', ratio, reached: ratio },
    { subject: 'asynchronous', ratio, reached: ratio },
  ])
})

test('cluster', () => {
  const [large, small, memory] = rows('cluster')
  expect([large, small]).toMatchObject([
    { subject: '1,000 messages', messages: 1000, ratio },
    { subject: '20 messages', messages: 20, ratio },
  ])
  expect(memory).toMatchObject({ subject: 'memory', executions: [500, 1000, 2000], growth: ratio })
})
