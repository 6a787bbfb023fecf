/** `isolation(workload, { consistency })`: an oracle for transactions. */
import {
  type Consistency,
  checkIsolation,
  type History,
  type IsolationOptions,
  orderOf,
  type Transaction,
  timelineText,
  type Workload,
} from 'norn-history'
import type { RequestReading } from './cluster-history.ts'
import { type Checker, type HistoryOracle, oracle } from './oracle.ts'
import type { Finding } from './violation.ts'

/**
 * The options of `isolation`, see `checkIsolation`.
 *
 * @public
 */
export interface IsolationOracleOptions extends RequestReading, Omit<IsolationOptions, 'workload' | 'budgetMs'> {
  readonly consistency: Consistency
}

/**
 * An oracle: transactions of micro-operations show no anomaly that the consistency forbids.
 *
 * @public
 */
export function isolation(workload: Workload, options: IsolationOracleOptions): HistoryOracle {
  const { input, end, process, ...bounds } = options
  return oracle(new Isolation({ ...bounds, workload }), { input, end, process }, new Error('made here'))
}

class Isolation implements Checker {
  readonly keepsProcesses: string | undefined
  readonly #options: IsolationOptions

  constructor(options: IsolationOptions) {
    this.#options = options
    this.keepsProcesses = orderOf(options.consistency) === 'process' ? options.consistency : undefined
  }

  check({ operations }: History): Finding {
    const { consistency } = this.#options
    const { verdict, reason, anomalies } = checkIsolation(operations as readonly Transaction[], this.#options)
    if (verdict === 'ok') return { verdict }
    if (verdict === 'unknown') return { verdict, why: reason! }
    const { type, explanation, transactions } = anomalies.find((anomaly) => anomaly.isForbidden)!
    const involved = new Map(transactions.map((index, at) => [operations[index]!, `T${at + 1}`]))
    const inOrder = operations.filter((operation) => involved.has(operation))
    const picture = timelineText(inOrder, (operation) => involved.get(operation)!)
    return {
      verdict,
      title: `the history is not ${consistency} (${type})`,
      lines: [...explanation.split('\n'), ...picture],
    }
  }

  /** What an implementation must allow, it must allow of each prefix: no operation need follow. */
  follow(history: () => History) {
    return { called: () => {}, ended: () => this.check(history()) }
  }
}
