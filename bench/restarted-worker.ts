/** A worker that is started again after it was lost, or has run many executions. */
import { Worker, WorkerLost, type WorkerOptions } from './engine.ts'

export class RestartedWorker {
  readonly #start: WorkerOptions
  readonly #most: number
  #worker: Worker | undefined
  #uses = 0

  /** @param most requests of one process */
  constructor(start: WorkerOptions, most = Number.POSITIVE_INFINITY) {
    this.#start = start
    this.#most = most
  }

  /** @throws WorkerLost what the request throws so; the next one has a new process */
  async use<Result>(ask: (worker: Worker) => Promise<Result>): Promise<Result> {
    if (this.#uses++ >= this.#most || this.#worker?.ended) this.close()
    this.#worker ??= new Worker(this.#start)
    try {
      return await ask(this.#worker)
    } catch (error) {
      if (error instanceof WorkerLost) this.close()
      throw error
    }
  }

  close(): void {
    this.#worker?.close()
    this.#worker = undefined
    this.#uses = 1
  }
}
