/**
 * What is found in generated transactions: each planted anomaly, named right and no weaker model
 * blamed; nothing that a level forbids in histories at that level; and of small random ones, what
 * brute force says. Exits with 1 on a wrong verdict.
 */

import type { Transaction } from '../../packages/history/src/history/transaction.ts'
import { checkIsolation, type IsolationOptions } from '../../packages/history/src/isolation/check.ts'
import { CONSISTENCIES, type Consistency, impossibleModels } from '../../packages/history/src/isolation/consistency.ts'
import {
  anomaliesOf,
  anomalousHistory,
  expectedFindings,
  isSerializableByBruteForce,
  LEVELS,
  type Level,
  type PlantedAnomaly,
  type Random,
  randomFrom,
  randomTransactions,
  transactionHistory,
} from '../../packages/history/test/generate/index.ts'
import { printer } from '../output.ts'
import type { CommonOptions } from '../suite.ts'

type Workload = IsolationOptions['workload']

const WORKLOADS: readonly Workload[] = ['list-append', 'rw-register']

/** What a level is, where the name that generators have for it says less. */
const PROMISED: Readonly<Partial<Record<Level, Consistency>>> = { 'snapshot-isolation': 'strong-snapshot-isolation' }

const ORDERS = [
  ['serializable', 'any'],
  ['strong-session-serializable', 'process'],
  ['strict-serializable', 'realtime'],
] as const

/** So many small histories are compared with the reference for each one of the others. */
const REFERENCE_SHARE = 20

export async function run({
  histories,
  only = '',
  smoke,
  json,
}: CommonOptions & { readonly histories?: number; readonly only?: string }): Promise<void> {
  const say = printer(json)
  const count = histories ?? (smoke ? 30 : 1000)
  for (const workload of WORKLOADS) {
    const tell = (what: string, total: number, wrong: readonly number[], note = '') => {
      if (wrong.length > 0) process.exitCode = 1
      const seeds = wrong.slice(0, 5)
      const verdict = wrong.length === 0 ? 'none wrong' : `${wrong.length} WRONG: seeds ${seeds}`
      say(
        { suite: 'history-isolation', workload, what, histories: total, wrong: wrong.length, seeds },
        `${workload}  ${what.padEnd(40)} ${total} histories: ${verdict}${note}`,
      )
    }
    for (const anomaly of anomaliesOf(workload).filter((each) => each.includes(only)))
      tell(
        `found: ${anomaly}`,
        count,
        seedsWhere(count, (seed) => !isFoundRight(seed, workload, anomaly)),
      )
    for (const level of LEVELS.filter((each) => each.includes(only)))
      tell(
        `kept: ${level}`,
        count,
        seedsWhere(count, (seed) => !isQuiet(seed, workload, level)),
      )
    for (const [consistency, order] of ORDERS.filter(([name]) => name.includes(only))) {
      let missed = 0
      const wrong = seedsWhere(count * REFERENCE_SHARE, (seed) => {
        const transactions = smallTransactions(randomFrom(seed), workload)
        const { verdict } = checkIsolation(transactions, { workload, consistency })
        const isLegal = isSerializableByBruteForce(transactions, workload, order)
        if (verdict === (isLegal ? 'ok' : 'illegal')) return false
        // The order of the versions of registers is known in part only.
        if (workload === 'list-append' || isLegal) return true
        missed++
        return false
      })
      tell(`brute force: ${consistency}`, count * REFERENCE_SHARE, wrong, missed === 0 ? '' : `, ${missed} missed`)
    }
  }
}

function seedsWhere(count: number, isWrong: (seed: number) => boolean): readonly number[] {
  return Array.from({ length: count }, (_, seed) => seed).filter(isWrong)
}

function isFoundRight(seed: number, workload: Workload, anomaly: PlantedAnomaly): boolean {
  const random = randomFrom(seed)
  const transactions = anomalousHistory(random, anomaly, {
    ...{ workload, transactions: random.below(40), processes: 1 + random.below(6), keys: 1 + random.below(4) },
    ...{ unknown: 0.1, failed: 0.1 },
  })
  const { types, ruledOut } = expectedFindings(anomaly, workload)
  const { counts, weakest } = checkIsolation(transactions, { workload, consistency: 'strict-serializable' })
  if (String(Object.keys(counts).sort()) !== String(types) || String(weakest) !== String(ruledOut)) return false
  // Each model asked for by itself, in turns.
  const consistency = CONSISTENCIES[seed % CONSISTENCIES.length]!
  const { verdict } = checkIsolation(transactions, { workload, consistency })
  return (verdict === 'illegal') === impossibleModels(types).includes(consistency)
}

/** Whether nothing is found that the level forbids. */
function isQuiet(seed: number, workload: Workload, level: Level): boolean {
  const random = randomFrom(seed)
  const transactions = transactionHistory(random, {
    ...{ workload, level, transactions: random.below(80), processes: 1 + random.below(8), keys: 1 + random.below(5) },
    ...{ unknown: random.pick([0, 0.1, 0.3]), failed: random.pick([0, 0.1]), readsAll: random.coin(0.3) },
  })
  // Each key keeps the order that transactions keep.
  const isOrdered = workload === 'rw-register' && random.coin(0.5)
  const { verdict } = checkIsolation(transactions, {
    ...{ workload, consistency: PROMISED[level] ?? level },
    linearizableKeys: isOrdered && level === 'strict-serializable',
    sequentialKeys: isOrdered && level.startsWith('str'),
  })
  return verdict === 'ok'
}

/** With a last transaction that reads all keys, so that brute force and the check see the same. */
function smallTransactions(random: Random, workload: Workload): Transaction[] {
  return randomTransactions(random, {
    ...{ workload, transactions: 2 + random.below(5), processes: 3, keys: 1 + random.below(2) },
    ...{ unknown: 0.15, failed: 0.1 },
  })
}
