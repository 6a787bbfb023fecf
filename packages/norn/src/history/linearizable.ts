/** `linearizable(model)`: an oracle for objects. */
import {
  checkLinearizable,
  type History,
  LinearizabilityMonitor,
  type LinearizabilityOptions,
  type LinearizabilityResult,
  type ObjectModel,
  windowText,
} from 'norn-history'
import type { RequestReading } from './cluster-history.ts'
import { type Checker, type Follower, type HistoryOracle, oracle } from './oracle.ts'
import type { Finding } from './violation.ts'

/**
 * The options of `linearizable`.
 *
 * @public
 */
export interface LinearizableOptions extends RequestReading, Pick<LinearizabilityOptions, 'consistency' | 'memoryMb'> {
  /** At most this many steps of a search; past it the execution is inconclusive. Default: 1,000,000. */
  readonly steps?: number
}

const DEFAULT_STEPS = 1_000_000
const DEFAULT_MEMORY_MB = 256

/**
 * An oracle: the operations of a history can be put in an order that keeps the order of time and that
 * the model allows. With `consistency: 'sequential'`, one that keeps the order of each process.
 *
 * @public
 */
// biome-ignore lint/suspicious/noExplicitAny: models have types of their own.
export function linearizable(model: ObjectModel<any, any, any>, options: LinearizableOptions = {}): HistoryOracle {
  if (typeof model?.step !== 'function')
    throw new TypeError('linearizable(model): model must be an ObjectModel, such as MODELS.register')
  return oracle(new Linearizability(model, options), options, new Error('made here'))
}

class Linearizability implements Checker {
  readonly keepsProcesses: string | undefined
  readonly #model: ObjectModel
  readonly #options: LinearizabilityOptions

  constructor(
    model: ObjectModel,
    { steps = DEFAULT_STEPS, memoryMb = DEFAULT_MEMORY_MB, consistency }: LinearizableOptions,
  ) {
    this.#model = model
    this.keepsProcesses = consistency === 'sequential' ? 'sequential consistency' : undefined
    this.#options = { steps, memoryMb, consistency }
  }

  check(history: History): Finding {
    return this.#finding(checkLinearizable(history, this.#model, this.#options), history)
  }

  follow(history: () => History): Follower {
    // Sequential consistency: what an implementation must allow, it must allow of each prefix.
    if (this.keepsProcesses !== undefined) return { called: () => {}, ended: () => this.check(history()) }
    const monitor = new LinearizabilityMonitor(this.#model, this.#options)
    return {
      called: ({ process, input }, index) => monitor.call(index, process, input),
      ended: ({ output, outcome }, index) => {
        const illegal = monitor.return(index, output, outcome)
        if (illegal !== undefined) return this.#finding(illegal, history())
        return monitor.undecided === undefined ? { verdict: 'ok' } : { verdict: 'unknown', why: monitor.undecided }
      },
    }
  }

  #finding(result: LinearizabilityResult, history: History): Finding {
    if (result.verdict === 'ok') return result
    if (result.verdict === 'unknown') return { verdict: 'unknown', why: result.reason }
    const kind = this.#options.consistency === 'sequential' ? 'sequentially consistent' : 'linearizable'
    const title = `the history is not ${kind} (model ${this.#model.name})`
    const picture = windowText(history, result, this.#model)
    return { verdict: 'illegal', title, lines: [...result.explanation.split('\n'), ...picture] }
  }
}
