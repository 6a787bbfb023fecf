/** A small part of what `npm run bench -- history --part isolation` does at length. */
import { describe, expect, test } from 'vitest'
import { checkIsolation } from '../../src/isolation/check.ts'
import { CONSISTENCIES, impossibleModels } from '../../src/isolation/consistency.ts'
import { anomaliesOf } from '../generate/anomalies.ts'
import { isSerializableByBruteForce } from '../generate/brute-force-transactions.ts'
import { expectedFindings } from '../generate/expected-findings.ts'
import { anomalousHistory } from '../generate/planted-anomaly.ts'
import { randomFrom } from '../generate/random.ts'
import { randomTransactions } from '../generate/random-transactions.ts'

const WORKLOADS = ['list-append', 'rw-register'] as const
const ORDERS = [
  ['serializable', 'any'],
  ['strong-session-serializable', 'process'],
  ['strict-serializable', 'realtime'],
] as const

describe.each(WORKLOADS)('%s', (workload) => {
  test.each(anomaliesOf(workload))('%s is found, nothing else is, and no weaker model is blamed', (anomaly) => {
    const { types, ruledOut } = expectedFindings(anomaly, workload)
    for (let seed = 0; seed < 10; seed++) {
      const random = randomFrom(seed)
      const transactions = anomalousHistory(random, anomaly, {
        ...{ workload, transactions: random.below(20), unknown: 0.1, failed: 0.1 },
      })
      const result = checkIsolation(transactions, { workload, consistency: 'strict-serializable' })
      const found = { types: Object.keys(result.counts).sort(), ruledOut: result.weakest }
      expect(found, `seed ${seed}`).toEqual({ types, ruledOut })
      for (const consistency of CONSISTENCIES)
        expect(checkIsolation(transactions, { workload, consistency }).verdict === 'illegal', consistency).toBe(
          impossibleModels(types).includes(consistency),
        )
    }
  })

  test('brute force finds no serial order where a check finds an anomaly; of lists also conversely', () => {
    const verdicts = { ok: 0, illegal: 0, unknown: 0 }
    for (let seed = 0; seed < 200; seed++) {
      const random = randomFrom(seed)
      const transactions = randomTransactions(random, {
        ...{ workload, transactions: 2 + random.below(5), processes: 3, keys: 1 + random.below(2) },
        ...{ unknown: 0.15, failed: 0.1 },
      })
      for (const [consistency, order] of ORDERS) {
        const { verdict } = checkIsolation(transactions, { workload, consistency })
        const isLegal = isSerializableByBruteForce(transactions, workload, order)
        verdicts[verdict]++
        if (workload === 'list-append' || verdict === 'illegal')
          expect(verdict, `seed ${seed}, ${consistency}`).toBe(isLegal ? 'ok' : 'illegal')
      }
    }
    expect(verdicts.unknown).toBe(0)
    expect(Math.min(verdicts.ok, verdicts.illegal)).toBeGreaterThan(50)
  })
})
