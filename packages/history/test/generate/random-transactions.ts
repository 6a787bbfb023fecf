/** Small histories of transactions at random, for a reference to judge: most are at no level at all. */
import type { MicroOperation, Transaction } from '../../src/history/transaction.ts'
import type { Workload } from '../../src/isolation/workload.ts'
import type { Random } from './random.ts'

/**
 * What transactions `randomTransactions` generates.
 */
export interface RandomTransactionOptions {
  readonly workload: Workload
  readonly transactions: number
  readonly processes: number
  readonly keys: number
  /** The probability that an outcome is unknown, and that a transaction fails. */
  readonly unknown: number
  readonly failed: number
}

/**
 * Random transactions, of which nothing is promised. Each key has some order of its versions; each
 * read returns one of them, mostly a late one. A last transaction reads all keys, so that the order
 * of all versions of a list is seen.
 */
export function randomTransactions(random: Random, options: RandomTransactionOptions): Transaction[] {
  const { workload, keys, unknown, failed } = options
  const isList = workload === 'list-append'
  const written: number[][] = Array.from({ length: keys }, () => [])
  let value = 0
  const plans = Array.from({ length: options.transactions }, () => {
    const outcome: Transaction['outcome'] = random.coin(unknown) ? 'unknown' : random.coin(failed) ? 'fail' : 'ok'
    const input = Array.from({ length: 1 + random.below(3) }, (): MicroOperation => {
      const key = random.below(keys)
      if (random.coin(0.5)) return ['r', key, null]
      value++
      // What has failed is seen by few; what is unknown by some.
      if (random.coin(outcome === 'ok' ? 1 : outcome === 'fail' ? 0.1 : 0.5))
        written[key]!.splice(random.coin(0.8) ? written[key]!.length : random.below(written[key]!.length + 1), 0, value)
      return [isList ? 'append' : 'w', key, value]
    })
    return { outcome, input }
  })
  const free = new Map<number, number>()
  let processes = options.processes
  let end = 0
  const done = plans.map(({ outcome, input }, index): Transaction => {
    let process = random.below(options.processes)
    // A process whose transaction is unknown does not go on.
    if (free.get(process) === Number.POSITIVE_INFINITY) process = processes++
    const call = (free.get(process) ?? 0) + random.below(4)
    const returned = call + 1 + random.below(6)
    free.set(process, outcome === 'unknown' ? Number.POSITIVE_INFINITY : returned + 1)
    end = Math.max(end, returned)
    const seen = (key: number): unknown => {
      const versions = written[key]!
      const guess = Math.round((versions.length * index) / plans.length) + random.below(3) - 1
      const length = Math.min(versions.length, Math.max(0, guess))
      return isList ? versions.slice(0, length) : (versions[length - 1] ?? null)
    }
    const own = new Map<unknown, unknown>()
    const output = input.map((micro): MicroOperation => {
      const [f, key, element] = micro
      const before = own.has(key) ? own.get(key) : f === 'r' || random.coin(0.5) ? seen(key as number) : undefined
      if (f === 'r') {
        own.set(key, before)
        return ['r', key, before]
      }
      if (!isList) own.set(key, element)
      else if (own.has(key)) own.set(key, [...(before as readonly unknown[]), element])
      return micro
    })
    return {
      ...{ process, input, outcome, call },
      output: outcome === 'ok' ? output : undefined,
      return: outcome === 'unknown' ? Number.POSITIVE_INFINITY : returned,
    }
  })
  const reads = written.map(
    (versions, key): MicroOperation => ['r', key, isList ? versions : (versions.at(-1) ?? null)],
  )
  const last: Transaction = {
    ...{ process: processes, outcome: 'ok', call: end + 1, return: end + 2 },
    input: reads.map(([f, key]): MicroOperation => [f, key, null]),
    output: reads,
  }
  return [...done, last].sort((a, b) => a.call - b.call)
}
