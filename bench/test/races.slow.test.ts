/** The races suite, small: every bug is found and no fixed version fails. */
import { beforeAll, describe, expect, test } from 'vitest'
import { smokeRows } from './bench.ts'

interface Row {
  subject: string
  variant: 'buggy' | 'fixed'
  strategy: string
  trials: number
  found: number
  choices: number | null
  falseAlarms: number
}

const NEED_THE_SCHEDULE = [
  ...['cinovo-logger-file', 'lockfile', 'rotating-file-stream', 'write-file-atomic'],
  ...['agentkeepalive', 'ioredis-pipeline', 'tarn', 'undici', 'ws', 'ws-close-frame'],
]
const OTHERS = [
  ...['fastq', 'generic-pool', 'mkdirp', 'p-queue', 'sonic-boom', 'steno'],
  ...['engine.io', 'generic-pool-destroy', 'get-port', 'ioredis'],
]

let rows: Row[]

beforeAll(async () => {
  rows = await smokeRows('races')
})

const find = (subject: string, variant: string, strategy: string) =>
  rows.find((row) => row.subject === subject && row.variant === variant && row.strategy === strategy)!

describe('the races suite', () => {
  test('has the twenty subjects', () => {
    expect([...new Set(rows.map(({ subject }) => subject))].sort()).toEqual([...NEED_THE_SCHEDULE, ...OTHERS].sort())
  })

  test.each([...NEED_THE_SCHEDULE, ...OTHERS])(
    'the portfolio finds %s and shrinks it to at most 3 delayed operations',
    (subject) => {
      const { trials, found, choices } = find(subject, 'buggy', 'portfolio')
      expect(found).toBe(trials)
      expect(choices).toBeLessThanOrEqual(3)
    },
  )

  test.each([...NEED_THE_SCHEDULE, ...OTHERS])('nothing is found in the fixed version of %s', (subject) => {
    expect(find(subject, 'fixed', 'portfolio')).toMatchObject({ found: 0, falseAlarms: 0 })
  })

  test.each(NEED_THE_SCHEDULE)('%s never fails under the strategy natural', (subject) => {
    expect(find(subject, 'buggy', 'natural').found).toBe(0)
  })
})
