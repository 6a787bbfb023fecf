/**
 * The worker process of one file of properties: it lists them, replays their saved failures and
 * searches them.
 *
 * Invariant: one process at a time, which takes one request at a time. It is started when it is
 * first needed, and again after it was lost or has filled its memory. Executions start clean in it,
 * so one process serves all of its file.
 */
import { relative } from 'node:path'
import type { ListedProperty } from '../process/protocol.ts'
import {
  RequestRefused,
  type StartWorker,
  startWorker,
  type Worker,
  WorkerLost,
  type WorkerOptions,
} from '../process/worker.ts'
import { UndecidedError, UsageError } from './errors.ts'

export class FileProcess {
  readonly start: WorkerOptions
  /** Starts another process of the same file, as confirmation needs. */
  readonly fresh: StartWorker
  #worker: Worker | undefined
  #properties: Promise<readonly ListedProperty[]> | undefined

  constructor(start: WorkerOptions, fresh: StartWorker = startWorker) {
    this.start = start
    this.fresh = fresh
  }

  /** The file, relative to the root. */
  get file(): string {
    return relative(this.start.root, this.start.file)
  }

  /** A process that takes requests. */
  worker(): Worker {
    if (this.#worker !== undefined && (this.#worker.ended || this.#worker.isFilling)) this.close()
    this.#worker ??= this.fresh(this.start)
    return this.#worker
  }

  /**
   * The properties of the file; asked for once.
   *
   * @throws UsageError or UndecidedError if it does not load
   */
  properties(): Promise<readonly ListedProperty[]> {
    this.#properties ??= listWith(this.worker(), this.start)
    return this.#properties
  }

  /** Ends the process; the next request starts another. */
  close(): void {
    this.#worker?.close()
    this.#worker = undefined
  }
}

/** The properties of a worker's file; throws errors that say what is wrong with the file. */
export async function listWith(worker: Worker, start: WorkerOptions): Promise<readonly ListedProperty[]> {
  const file = relative(start.root, start.file)
  try {
    return await worker.list()
  } catch (error) {
    if (error instanceof RequestRefused && error.why === 'loading') {
      throw new UsageError(`cannot load ${file}\n${indented(error.message)}`)
    }
    if (error instanceof RequestRefused && error.why === 'void') {
      throw new UndecidedError(
        `control was lost while ${file} was loaded, so nothing was run\n${indented(error.message)}`,
      )
    }
    if (!(error instanceof WorkerLost)) throw error
    const hint =
      error.how === 'hang' ? 'is there an endless loop at its top level, or in a module it imports?' : error.message
    if (error.how === 'crash') throw new UsageError(`${file} ended its process while it was loaded`)
    throw new UsageError(`${file} did not finish loading: ${hint}`)
  }
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
}
