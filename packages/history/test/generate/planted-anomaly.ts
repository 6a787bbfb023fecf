/** Histories that are strictly serializable but for one anomaly, which is planted on keys of its own. */
import type { MicroOperation, Transaction } from '../../src/history/transaction.ts'
import type { Workload } from '../../src/isolation/workload.ts'
import { ANOMALIES, type PlantedAnomaly } from './anomalies.ts'
import type { Random } from './random.ts'
import { type TransactionOptions, transactionHistory } from './transaction-history.ts'

/** Keys that other transactions do not reach. */
const FIRST_KEY = 2 ** 30

/**
 * A history in which the transactions of an anomaly run at some moment among others.
 *
 * @param options how the others are generated
 */
export function anomalousHistory(
  random: Random,
  anomaly: PlantedAnomaly,
  options: Omit<TransactionOptions, 'level'>,
): Transaction[] {
  const others = transactionHistory(random, { ...options, level: 'strict-serializable' })
  const end = others.reduce(
    (latest, { call, outcome, return: at }) => Math.max(latest, call, outcome === 'unknown' ? 0 : at),
    0,
  )
  const at = random.below(end + 2)
  const planted = plantedTransactions(random, anomaly, options.workload)
  const length = 1 + Math.max(0, ...planted.map((each) => each.return))
  const later = (time: number) => (time >= at ? time + length : time)
  return [
    ...others.map((each) => ({ ...each, call: later(each.call), return: later(each.return) })),
    ...planted.map((each) => ({ ...each, call: at + each.call, return: at + each.return })),
  ].sort((a, b) => a.call - b.call)
}

interface Planned {
  readonly process: number
  readonly first: number
  readonly last: number
  readonly fails: boolean
  readonly micros: readonly string[]
}

/** The transactions of an anomaly alone, with times from 0; calls and returns of a stage are in random order. */
function plantedTransactions(random: Random, anomaly: PlantedAnomaly, workload: Workload): Transaction[] {
  const plans = ANOMALIES[anomaly][workload].map(parsePlan)
  const keys = random.below(1000)
  const stages = 1 + Math.max(...plans.map(({ last }) => last))
  const calls = new Map<Planned, number>()
  const returns = new Map<Planned, number>()
  let clock = 0
  for (let stage = 0; stage < stages; stage++) {
    const called = plans.filter(({ first }) => first === stage)
    for (const plan of shuffled(random, called)) calls.set(plan, clock++)
    const returned = plans.filter(({ last }) => last === stage)
    for (const plan of shuffled(random, returned)) returns.set(plan, clock++)
  }
  return plans.map((plan) => {
    const output = plan.micros.map((micro) => parseMicro(micro, workload, FIRST_KEY + 8 * keys))
    return {
      process: FIRST_KEY + plan.process,
      input: output.map(([f, key, value]): MicroOperation => [f, key, f === 'r' ? null : value]),
      output: plan.fails ? undefined : output,
      outcome: plan.fails ? 'fail' : 'ok',
      call: calls.get(plan)!,
      return: returns.get(plan)!,
    }
  })
}

/** `p@0-1! x+1 y=12`: process p, called in stage 0 and returned in stage 1, failed; see anomalies.ts. */
function parsePlan(text: string): Planned {
  const [head, ...micros] = text.split(' ')
  const [, process, first, last, fails] = /^(\w)@(\d)-(\d)(!?)$/.exec(head!)!
  return { process: process!.charCodeAt(0), first: Number(first), last: Number(last), fails: fails === '!', micros }
}

function parseMicro(text: string, workload: Workload, firstKey: number): MicroOperation {
  const key = firstKey + 'xyz'.indexOf(text[0]!)
  const values = [...text.slice(2)].map(Number)
  const isList = workload === 'list-append'
  if (text[1] === '=') return ['r', key, isList ? values : (values.at(-1) ?? null)]
  return [isList ? 'append' : 'w', key, values[0]!]
}

function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const left = [...items]
  return items.map(() => left.splice(random.below(left.length), 1)[0]!)
}
