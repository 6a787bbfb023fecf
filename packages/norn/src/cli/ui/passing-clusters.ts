/**
 * Finds the passing executions beside failures of clusters: one after the other, in a process of its
 * own for each, since a search may use those of its property.
 */
import type { ExecutionResult } from '../../contract/execution.ts'
import type { PassingCluster } from '../../contract/explanation.ts'
import type { InputPlan } from '../../contract/plan.ts'
import type { ListedProperty } from '../../process/protocol.ts'
import { startWorker, type Worker, type WorkerOptions } from '../../process/worker.ts'
import { passingBeside } from '../../session/nearest.ts'

/** The failure of a cluster: its file, its property, its input and its result. */
interface FailedCluster {
  readonly start: WorkerOptions
  readonly property: ListedProperty
  readonly input: InputPlan
  readonly result: ExecutionResult
}

/** Settles in its turn; with undefined if there is none. */
export type FindPassing = (failed: FailedCluster) => Promise<PassingCluster | undefined>

export class PassingClusters {
  #queue: Promise<unknown> = Promise.resolve()
  #worker: Worker | undefined
  #isClosed = false

  readonly find: FindPassing = (failed) => {
    const found = this.#queue.then(() => this.#find(failed))
    this.#queue = found
    return found
  }

  async #find({ start, property, input, result }: FailedCluster): Promise<PassingCluster | undefined> {
    if (this.#isClosed) return undefined
    try {
      this.#worker = startWorker(start)
      return await passingBeside(this.#worker, property, input, result)
    } catch {
      // Closed, or the disk is full: the page says that there is none.
      return undefined
    } finally {
      this.#worker?.close()
    }
  }

  /** Ends the search under way, and those that wait. */
  close(): void {
    this.#isClosed = true
    this.#worker?.close()
  }
}
