/** The suite about databases, small. Specifications are those of the fixtures. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isSkipped as lacksMariadb } from '../../systems/mariadb/server.ts'
import { isSkipped } from '../../systems/postgres/server.ts'
import { bench, smokeRows } from './bench.ts'

const ROOT = join(import.meta.dirname, 'fixtures/isolation')

describe.skipIf(isSkipped || lacksMariadb)('anomalies', () => {
  it('are found where a level allows them, and only there', async () => {
    const rows = await smokeRows('databases', '--part', 'anomalies')
    const found = rows.map(({ server, anomaly, level, found }) => [server, anomaly, level, found])
    expect(found).toEqual([
      ['postgres', 'G1a', 'no transaction', 2],
      ['postgres', 'G1a', 'read committed', 0],
      ['postgres', 'G1a', 'repeatable read', 0],
      ['postgres', 'G1a', 'serializable', 0],
      ['postgres', 'P4', 'no transaction', 2],
      ['postgres', 'P4', 'read committed', 2],
      ['postgres', 'P4', 'repeatable read', 0],
      ['postgres', 'P4', 'serializable', 0],
      ['postgres', 'G2-item', 'no transaction', 2],
      ['postgres', 'G2-item', 'read committed', 2],
      ['postgres', 'G2-item', 'repeatable read', 2],
      ['postgres', 'G2-item', 'serializable', 0],
      ['mariadb', 'G1a', 'no transaction', 2],
      ['mariadb', 'G1a', 'read uncommitted', 2],
      ['mariadb', 'G1a', 'read committed', 0],
      ['mariadb', 'G1a', 'repeatable read', 0],
      ['mariadb', 'G1a', 'serializable', 0],
      ['mariadb', 'P4', 'no transaction', 2],
      ['mariadb', 'P4', 'read uncommitted', 2],
      ['mariadb', 'P4', 'read committed', 2],
      ['mariadb', 'P4', 'repeatable read', 2],
      ['mariadb', 'P4', 'serializable', 0],
      ['mariadb', 'G2-item', 'no transaction', 2],
      ['mariadb', 'G2-item', 'read uncommitted', 2],
      ['mariadb', 'G2-item', 'read committed', 2],
      ['mariadb', 'G2-item', 'repeatable read', 2],
      ['mariadb', 'G2-item', 'serializable', 0],
    ])
  })
})

describe.skipIf(isSkipped)('tapes', () => {
  it('show the same in other processes', async () => {
    const rows = await smokeRows('databases', '--part', 'traces')
    expect(rows.map(({ replays, sameTrace, sameAnswers }) => [replays, sameTrace, sameAnswers])).toEqual(
      Array.from({ length: 10 }, () => [2, 2, 2]),
    )
  })
})

describe('isolation specifications', () => {
  const specifications = ['databases', '--part', 'isolation-specs'] as const

  it.skipIf(isSkipped)('print what is published, or differ with status 1', async () => {
    const { status, stdout } = await bench(...specifications, '--rest', '--root', ROOT, '--json')
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows.map(({ suite, part, ...row }) => row)).toEqual([
      { specification: 'waits', permutations: 4, same: 4 },
      { specification: 'orders', permutations: 3, same: 3 },
      { specification: 'wrong', permutations: 1, same: 0, printed: '1', published: '2' },
    ])
    expect(status).toBe(1)
  })

  it('are skipped with a message without the source of PostgreSQL', async () => {
    const { status, stdout, stderr } = await bench(...specifications)
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(stderr).toContain('skipped: pass --root DIR')
  })
})
