/** Generated transactions are at their level, and planted anomalies are found. */
import { describe, expect, test } from 'vitest'
import { checkIsolation } from '../../src/isolation/check.ts'
import { type Consistency, forbids } from '../../src/isolation/consistency.ts'
import { anomaliesOf } from './anomalies.ts'
import { isAllowedByBruteForce } from './brute-force-dependencies.ts'
import { isSerializableByBruteForce } from './brute-force-transactions.ts'
import { anomalousHistory } from './planted-anomaly.ts'
import { randomFrom } from './random.ts'
import { randomTransactions } from './random-transactions.ts'
import { LEVELS, type Level } from './simulated-database.ts'
import { transactionHistory } from './transaction-history.ts'

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed)

/** What a level is, where the name that generators have for it says less. */
const PROMISED: Readonly<Partial<Record<Level, Consistency>>> = { 'snapshot-isolation': 'strong-snapshot-isolation' }

const SMALL = { transactions: 5, processes: 3, keys: 2, length: 3, unknown: 0.1, failed: 0.1 }

const CHECKED = [
  ['read-committed', 'read-committed', 'any'],
  ['strong-session-read-committed', 'read-committed', 'process'],
  ['strong-read-committed', 'read-committed', 'realtime'],
  ['snapshot-isolation', 'snapshot-isolation', 'any'],
  ['strong-session-snapshot-isolation', 'snapshot-isolation', 'process'],
  ['strong-snapshot-isolation', 'snapshot-isolation', 'realtime'],
  ['serializable', 'serializable', 'any'],
  ['strong-session-serializable', 'serializable', 'process'],
  ['strict-serializable', 'serializable', 'realtime'],
] as const

describe.each(['list-append', 'rw-register'] as const)('%s', (workload) => {
  test.each(LEVELS)('%s is kept', (level) => {
    for (const seed of SEEDS) {
      const random = randomFrom(seed)
      const transactions = transactionHistory(random, { workload, level, transactions: 30, unknown: 0.1, failed: 0.1 })
      const { verdict } = checkIsolation(transactions, { workload, consistency: PROMISED[level] ?? level })
      expect(verdict, `seed ${seed}`).toBe('ok')
    }
  })

  test.each([
    ['read-committed', 'read-committed', 'realtime'],
    ['snapshot-isolation', 'snapshot-isolation', 'realtime'],
    ['serializable', 'serializable', 'any'],
    ['strong-session-serializable', 'serializable', 'process'],
    ['strict-serializable', 'serializable', 'realtime'],
  ] as const)('%s has an order of versions', (level, dependencies, order) => {
    for (const seed of SEEDS) {
      const transactions = transactionHistory(randomFrom(seed), { ...SMALL, workload, level })
      expect(isAllowedByBruteForce(transactions, workload, { level: dependencies, order }), `seed ${seed}`).toBe(true)
    }
  })

  test.each([
    ['read-uncommitted', 'read-committed'],
    ['read-committed', 'snapshot-isolation'],
    ['snapshot-isolation', 'serializable'],
    ['serializable', 'strong-session-serializable'],
    ['strong-session-serializable', 'strict-serializable'],
  ] as const)('some that are %s are not %s', (level, stronger) => {
    const isIllegal = (seed: number) => {
      const transactions = transactionHistory(randomFrom(seed), { workload, level, transactions: 30, readsAll: true })
      return checkIsolation(transactions, { workload, consistency: stronger }).verdict === 'illegal'
    }
    expect(SEEDS.some(isIllegal)).toBe(true)
  })

  test('the checker agrees with trying all orders of versions', () => {
    const verdicts = { ok: 0, illegal: 0 }
    for (let seed = 0; seed < 60; seed++) {
      const random = randomFrom(seed)
      const shape = { transactions: 2 + random.below(4), processes: 3, keys: 2, unknown: 0.1, failed: 0.1 }
      const transactions = randomTransactions(random, { ...shape, workload })
      for (const [consistency, level, order] of CHECKED) {
        const { verdict } = checkIsolation(transactions, { workload, consistency })
        const isAllowed = isAllowedByBruteForce(transactions, workload, { level, order })
        // Of registers the checker does not always know the order of versions; and the reference does not
        // let a transaction miss its own writes even if reads are committed.
        if (!isAllowed && (workload === 'rw-register' || level === 'read-committed')) continue
        expect(verdict, `seed ${seed}: ${consistency}`).toBe(isAllowed ? 'ok' : 'illegal')
        verdicts[isAllowed ? 'ok' : 'illegal']++
      }
    }
    expect(verdicts.ok).toBeGreaterThan(100)
    if (workload === 'list-append') expect(verdicts.illegal).toBeGreaterThan(100)
  })

  test.each([
    ['serializable', 'any'],
    ['strong-session-serializable', 'process'],
    ['strict-serializable', 'realtime'],
  ] as const)('%s has a serial order', (level, order) => {
    for (const seed of SEEDS) {
      const random = randomFrom(seed)
      const transactions = transactionHistory(random, { workload, level, transactions: 6, unknown: 0.1, failed: 0.1 })
      expect(isSerializableByBruteForce(transactions, workload, order), `seed ${seed}`).toBe(true)
    }
  })

  test.each(anomaliesOf(workload))('%s is planted, and nothing else', (anomaly) => {
    for (const seed of SEEDS.slice(0, 5)) {
      const transactions = anomalousHistory(randomFrom(seed), anomaly, { workload, transactions: seed % 3 })
      for (const [consistency, level, order] of CHECKED) {
        // The reference wants a transaction to see its own writes even here.
        if (anomaly === 'internal' && level === 'read-committed') continue
        const isAllowed = isAllowedByBruteForce(transactions, workload, { level, order })
        expect(isAllowed, `seed ${seed}: ${consistency}`).toBe(!forbids(consistency, anomaly))
      }
    }
  })

  test.each(anomaliesOf(workload))('%s is found', (anomaly) => {
    for (const seed of SEEDS) {
      const random = randomFrom(seed)
      const transactions = anomalousHistory(random, anomaly, { workload, transactions: random.below(10) })
      const { counts } = checkIsolation(transactions, { workload, consistency: 'strict-serializable' })
      expect(counts, `seed ${seed}`).toHaveProperty([anomaly])
    }
  })
})
