/** What counts against norn among the outcomes of hostile programs. */
import { expect, test } from 'vitest'
import { generate } from '../robustness/hostile/generate.ts'
import { BROKEN } from '../robustness/hostile/norn.ts'
import { isRefuted, rowOf } from '../robustness/hostile/rows.ts'

const PROGRAMS = Array.from({ length: 200 }, (_, index) => generate(1, index))

/** The row of all programs, of which each shows one more outcome under some schedule. */
function rowWith(outcomes: readonly string[], unseen: readonly number[] = []) {
  const shown = PROGRAMS.map((_, at) => {
    return { natural: 'ends', random: new Set(['ends', outcomes[at] ?? 'ends']), executions: 3 }
  })
  return rowOf('all', PROGRAMS, shown, new Set(unseen))
}

test('programs that end are not broken', () => {
  const row = rowWith(['closes'])
  expect(row).toMatchObject({ programs: 200, executions: 600, broken: 0, unseen: 0 })
  expect(isRefuted(row)).toBe(false)
})

test.each(['crash: the process died', 'hang: no end', 'inconclusive: uncontrolled', 'error: wrong'])(
  'one program that shows this under one schedule fails the suite: %s',
  (what) => {
    const row = rowWith(['closes', `${BROKEN} ${what}`])
    expect([row.broken, isRefuted(row)]).toEqual([1, true])
  },
)

test('of a hundred programs, one may show by default what stock Node did not', () => {
  expect(isRefuted(rowWith([], [1, 2]))).toBe(false)
  expect(isRefuted(rowWith([], [1, 2, 3]))).toBe(true)
})

test('a family counts its own programs', () => {
  const [{ family }] = PROGRAMS as [(typeof PROGRAMS)[number]]
  const shown = PROGRAMS.map((program) => {
    return { natural: '', random: new Set(program.family === family ? [] : [BROKEN]), executions: 1 }
  })
  const programs = PROGRAMS.filter((program) => program.family === family).length
  expect(rowOf(family, PROGRAMS, shown, new Set())).toMatchObject({ programs, broken: 0 })
})
