/** Oracles: functions that throw if a history is not as it must be. */
import type { History, HistoryWatch, Operation } from 'norn-history'
import type { ClusterView } from '../cluster/views.ts'
import { ClusterHistory, type RequestReading } from './cluster-history.ts'
import { conclude, concludeAtOnce, type Finding } from './violation.ts'

/**
 * What an oracle checks: a history, a recording of one, or a cluster, whose history is that of its
 * requests.
 *
 * @public
 */
export type HistorySource =
  | History
  | { history(): History }
  // biome-ignore lint/suspicious/noExplicitAny: an oracle knows neither the states nor the requests.
  | ClusterView<any, any>

/**
 * Throws a `HistoryViolation` if a history is not as it must be. If a bound keeps it from a verdict,
 * the execution is inconclusive; outside of an execution it throws an `UndecidedHistory`.
 *
 * As the `invariant` of a cluster, it ends an execution at the first illegal reply.
 *
 * @public
 */
export interface HistoryOracle {
  (subject: HistorySource): void
  /** The same function: `linearizable(MODELS.kv).check(cache)`. */
  check(subject: HistorySource): void
}

/** A check of whole histories, and of histories as they grow. */
export interface Checker {
  /** What it checks, if that depends on who called an operation. */
  readonly keepsProcesses?: string
  check(history: History): Finding
  /** @param history the one that is followed, as it is now */
  follow(history: () => History): Follower
}

export interface Follower {
  called(operation: Operation, index: number): void
  ended(operation: Operation, index: number): Finding
}

interface Parts {
  readonly checker: Checker
  readonly createdAt: Error
}

const PARTS = new WeakMap<object, Parts>()

/** @param createdAt where the program asked for it */
export function oracle(checker: Checker, reading: RequestReading, createdAt: Error): HistoryOracle {
  const clusters = new WeakMap<ClusterView, ClusterHistory>()
  const readOn = (view: ClusterView) => {
    let known = clusters.get(view)
    if (known === undefined) {
      if (checker.keepsProcesses !== undefined && reading.process === undefined)
        throw new TypeError(`${checker.keepsProcesses} keeps the order of each process: pass the option \`process\``)
      const history = () => known!.history()
      const watch = watchOf(checker, history, (finding) => conclude(finding, history(), createdAt))
      clusters.set(view, (known = new ClusterHistory(view, reading, watch)))
    }
    known.readOn()
  }
  const check = (subject: HistorySource) => {
    if (typeof subject !== 'object' || subject === null)
      throw new TypeError(`an oracle checks a history, a recording or a cluster, not ${subject}`)
    if ('log' in subject) return readOn(subject)
    const history = 'history' in subject ? subject.history() : subject
    conclude(checker.check(history), history, createdAt)
  }
  const both = Object.assign(check, { check })
  PARTS.set(both, { checker, createdAt })
  return both
}

/** Checks a history while it is recorded, and ends the execution at the first illegal operation. */
export function watchWith(oracle: HistoryOracle, history: () => History): HistoryWatch {
  const parts = PARTS.get(oracle)
  if (parts === undefined)
    throw new TypeError('record: `check` must be an oracle, such as linearizable(MODELS.register)')
  return watchOf(parts.checker, history, (finding) => concludeAtOnce(finding, history(), parts.createdAt))
}

function watchOf(checker: Checker, history: () => History, concludes: (finding: Finding) => void): HistoryWatch {
  const follower = checker.follow(history)
  return {
    called: (operation, index) => follower.called(operation, index),
    ended: (operation, index) => concludes(follower.ended(operation, index)),
  }
}
