/** Legality, small: every promise holds under norn and on stock Node, and can be broken. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { MUTATIONS } from '../fidelity/legality/mutations.ts'
import { atTheEnd, promises } from '../fidelity/legality/promises.ts'
import { smokeRows } from './bench.ts'

const ROOT = resolve(import.meta.dirname, '../..')

const ALL = Object.keys({ ...promises, ...atTheEnd })

test('there is a mutation for every promise, and each is meant to break one', () => {
  const broken = new Set(MUTATIONS.flatMap(({ breaks }) => breaks))
  expect(ALL.filter((promise) => !broken.has(promise))).toEqual([])
  expect(MUTATIONS.filter(({ breaks }) => breaks.length === 0)).toEqual([])
  expect([...broken].filter((promise) => !ALL.includes(promise))).toEqual([])
})

test.each(MUTATIONS)('the text that "$name" replaces stands in the sources once', ({ file, find }) => {
  expect(readFileSync(join(ROOT, file), 'utf8').split(find).length - 1).toBe(1)
})

test('no promise is broken, and each can be', async () => {
  const rows = await smokeRows('fidelity', '--part', 'legality')
  expect(rows.map(({ promise }) => promise)).toEqual(ALL)
  for (const { promise, broken, voided, stockBroken, bitten } of rows) {
    expect({ promise, broken, voided, stockBroken }).toEqual({ promise, broken: 0, voided: 0, stockBroken: 0 })
    const meant = MUTATIONS.filter(({ breaks }) => breaks.includes(promise)).map(({ name }) => name)
    expect(bitten).toEqual(meant)
  }
})
