/**
 * The worker process of one file of properties: lists them, replays saved failures and searches.
 *
 * Invariant: one process at a time, with one request at a time. It starts when first needed, and
 * again after it was lost or its memory has filled. Every execution starts clean, so one process
 * serves the whole file, and may go on with another one.
 */
import { relative } from 'node:path'
import { indented } from '../contract/text.ts'
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
  /** Starts another process of the same file, for confirmation. */
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

  /** The process, started if need be. */
  worker(): Worker {
    if (this.#worker !== undefined && (this.#worker.ended || this.#worker.isFilling)) this.close()
    this.#worker ??= this.fresh(this.start)
    return this.#worker
  }

  /**
   * The properties of the file, listed once.
   *
   * @throws UsageError or UndecidedError if it does not load
   */
  properties(): Promise<readonly ListedProperty[]> {
    this.#properties ??= listWith(this.worker(), this.start)
    return this.#properties
  }

  /** Takes over a process that has this file open. */
  adopt(worker: Worker): void {
    this.close()
    this.#worker = worker
  }

  /** Gives up the process, if there is one that can go on with another file. */
  release(): Worker | undefined {
    const worker = this.#worker
    if (worker === undefined || worker.ended || worker.isFilling) this.close()
    this.#worker = undefined
    return worker?.ended ? undefined : worker
  }

  /** Ends the process; the next request starts another. */
  close(): void {
    this.#worker?.close()
    this.#worker = undefined
  }
}

/** The properties of a worker's file. @throws UsageError or UndecidedError if it does not load */
export async function listWith(worker: Worker, start: WorkerOptions): Promise<readonly ListedProperty[]> {
  const file = relative(start.root, start.file)
  try {
    return await worker.list()
  } catch (error) {
    if (error instanceof RequestRefused && error.why === 'loading') {
      throw new UsageError(`cannot load ${file}\n${below(error)}`)
    }
    if (error instanceof RequestRefused && error.why === 'void') {
      throw new UndecidedError(
        `inconclusive: loading ${file} leaves norn's control, so no property was run\n${below(error)}`,
      )
    }
    if (!(error instanceof WorkerLost)) throw error
    const [, ...frames] = error.message.split('\n')
    const where = 'Look for an endless loop at its top level, or in a module it imports'
    const why = {
      hang: error.frames.length === 0 ? `timed out. ${where}` : ['timed out', ...frames].join('\n'),
      crash: 'ended the process',
      'out of memory': `failed: ${error.message}`,
    }
    throw new UsageError(`loading ${file} ${why[error.how]}`)
  }
}

function below({ message }: Error): string {
  return indented(message.split('\n'), '  ').join('\n')
}
