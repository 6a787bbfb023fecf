/** A history with a known verdict, from a folder beside the project or NORN_HISTORIES; skipped without it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkIsolation } from '../../src/isolation/check.ts'
import { parseHistory } from '../../src/read/read-history.ts'
import { transactionReading } from '../../src/read/transactions.ts'

const folder = process.env.NORN_HISTORIES ?? join(import.meta.dirname, '../../../../../shared/data/histories')
const path = join(folder, 'si-without-g-single.edn')

test.skipIf(!existsSync(path))('si-without-g-single.edn has G2-item and nothing else', () => {
  const { operations } = parseHistory(readFileSync(path, 'utf8'), transactionReading)
  const check = (consistency: 'serializable' | 'snapshot-isolation') =>
    checkIsolation(operations, { workload: 'list-append', consistency })
  expect(check('serializable')).toMatchObject({
    verdict: 'illegal',
    counts: { 'G2-item': 1 },
    weakest: ['repeatable-read'],
  })
  expect(Object.keys(check('serializable').counts)).toEqual(['G2-item'])
  expect(check('snapshot-isolation').verdict).toBe('ok')
})
