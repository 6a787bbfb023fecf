/** Generated transactions are at their level, and planted anomalies are found. */
import { describe, expect, test } from 'vitest'
import { anomaliesOf } from '../../src/generate/anomalies.ts'
import { isSerializableByBruteForce } from '../../src/generate/brute-force-transactions.ts'
import { anomalousHistory } from '../../src/generate/planted-anomaly.ts'
import { randomFrom } from '../../src/generate/random.ts'
import { LEVELS, type Level } from '../../src/generate/simulated-database.ts'
import { transactionHistory } from '../../src/generate/transaction-history.ts'
import { checkIsolation } from '../../src/isolation/check.ts'
import type { Consistency } from '../../src/isolation/consistency.ts'

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed)

/** What a level is, where the name that generators have for it says less. */
const PROMISED: Readonly<Partial<Record<Level, Consistency>>> = { 'snapshot-isolation': 'strong-snapshot-isolation' }

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

  test.each(anomaliesOf(workload))('%s is found', (anomaly) => {
    for (const seed of SEEDS) {
      const random = randomFrom(seed)
      const transactions = anomalousHistory(random, anomaly, { workload, transactions: random.below(10) })
      const { counts } = checkIsolation(transactions, { workload, consistency: 'strict-serializable' })
      expect(counts, `seed ${seed}`).toHaveProperty([anomaly])
    }
  })
})
