/** The suite about norn-history, small: without shared histories and without Porcupine. */
import { describe, expect, it } from 'vitest'
import { MODEL_NAMES } from '../../packages/history/src/models/inputs.ts'
import { bench, smokeRows } from './bench.ts'

describe('agreement', () => {
  it('compares every way to check a history with brute force', async () => {
    const rows = await smokeRows('history', '--part', 'agreement', '--histories', '100')
    for (const algorithm of ['check', 'monitor', 'sequential'])
      expect(rows.filter((row) => row.algorithm === algorithm).map(({ model }) => model)).toEqual(MODEL_NAMES)
    for (const model of ['register', 'queue', 'set'])
      expect(rows).toContainEqual(expect.objectContaining({ model, algorithm: 'decide' }))
    for (const row of rows) expect(row).toMatchObject({ disagreements: 0, seeds: [] })
    for (const row of rows.filter(({ algorithm }) => algorithm === 'check'))
      expect(Math.min(row.legal, row.illegal)).toBeGreaterThan(5)
  })
})

describe('speed', () => {
  it('times generated histories, each in a process of its own', async () => {
    const rows = await smokeRows('history', '--part', 'speed', '--only', 'register')
    expect(rows.length).toBeGreaterThan(2)
    for (const row of rows)
      expect(row).toMatchObject({ operations: 10_000, verdicts: 'ok', checkMs: expect.any(Number) })
  })
})

describe('what is not at hand', () => {
  it.each(['verdicts', 'porcupine'])('is skipped with a message: %s', async (part) => {
    const { status, stdout, stderr } = await bench('history', '--part', part)
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^history: ${part}: skipped: pass --`))
  })

  it.each([
    [['--part', 'verdicts', '--data', '/nowhere'], '--data: no such folder: /nowhere'],
    [['--part', 'verdicts', '--data', import.meta.dirname], '--data: neither etcd_NNN.log nor cNN-ok.txt in '],
    [['--part', 'porcupine', '--porcupine', '/nowhere'], '--porcupine: no go.mod in /nowhere'],
  ])('is refused where it is not: %j', async (args, message) => {
    const { status, stderr } = await bench('history', ...args)
    expect(status).toBe(2)
    expect(stderr).toContain(message)
  })
})
