/** The sentence suite, small: no sentence is wrong. */
import { describe, expect, test } from 'vitest'
import { smokeRows } from './bench.ts'

describe('the sentence suite', () => {
  test('judges the sentence on top of the reports of races', async () => {
    const rows = await smokeRows('sentence')
    expect(rows.map(({ subject, is }) => [subject, is])).toEqual([
      ['mkdirp', 'right'],
      ['p-queue', 'right'],
      ['job-attempts', 'silent'],
    ])
  })
})
