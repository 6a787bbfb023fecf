import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compare, type Row } from '../compare.ts'
import { bench } from './bench.ts'

const RACE: Row = {
  ...{ suite: 'races', subject: 'steno', variant: 'buggy', strategy: 'pct', trials: 10 },
  ...{ found: 10, medianRuns: 3, medianMs: 17 },
}
const MODEL: Row = {
  ...{ suite: 'microbenchmark', m: 5, n: 10, guide: 'model', policy: 'norn', trials: 20, executions: 10_000 },
  ...{ found: 20, medianRuns: 131, meanStates: 762 },
}

test('equal results are one line a row, whatever the times', () => {
  const { lines, compared, differences } = compare([RACE, MODEL], [MODEL, { ...RACE, medianMs: 99 }])
  expect({ compared, differences }).toEqual({ compared: 2, differences: 0 })
  expect(lines).toEqual([
    'races, steno, buggy, pct, trials 10: found 10, medianRuns 3',
    'microbenchmark, m 5, n 10, model, norn, trials 20, executions 10000: found 20, medianRuns 131',
  ])
})

test.each([{ found: 9 }, { medianRuns: 4 }, { medianRuns: null }])('a difference in %j is reported', (changed) => {
  const { lines, differences } = compare([RACE, MODEL], [{ ...RACE, ...changed }, MODEL])
  expect(differences).toBe(1)
  expect(lines[0]).toMatch(/: DIFFERENT: found 10, medianRuns 3 -> found (9|10), medianRuns (3|4|null)$/)
})

test('a row that one side lacks is a difference', () => {
  expect(compare([RACE, MODEL], [RACE]).lines[1]).toMatch(/: DIFFERENT: .* -> no row$/)
  expect(compare([RACE], [RACE, MODEL])).toMatchObject({ differences: 1 })
})

test('rows that are not a function of their seeds are not compared', () => {
  const stress = { ...RACE, strategy: 'stress' }
  const late = { ...RACE, suite: 'confuzz', found: 9, outOfTime: 1 }
  const { lines, compared, differences } = compare(
    [stress, late],
    [
      { ...stress, found: 1 },
      { ...late, found: 8 },
    ],
  )
  expect({ compared, differences }).toEqual({ compared: 0, differences: 0 })
  expect(lines).toEqual([
    'races, steno, buggy, stress, trials 10: not compared (runs on the real loop)',
    'confuzz, steno, buggy, pct, trials 10: not compared (1 trials ended at the time limit)',
  ])
})

test('the command exits with 0, 1 on a difference, and 2 on files without comparable rows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'norn-compare-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = (name: string, rows: readonly Row[]) => {
    writeFileSync(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    return join(folder, name)
  }
  const before = file('before', [RACE, { suite: 'confuzz', summary: {} }, MODEL])
  const slower = file('slower', [{ ...RACE, medianMs: 99 }, MODEL])
  const changed = file('changed', [{ ...RACE, medianRuns: 4 }, MODEL])
  expect(await bench('compare', before, slower)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/\n2 rows compared, 0 different\n$/),
  })
  expect(await bench('compare', before, changed)).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/\n2 rows compared, 1 different\n$/),
  })
  expect(await bench('compare', file('empty', []), file('none', []))).toMatchObject({ status: 2 })
  expect(await bench('compare', before)).toMatchObject({ status: 2, stderr: expect.stringContaining('got 1') })
})
