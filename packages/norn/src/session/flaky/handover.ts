/**
 * Processes that go on from one file to the next: starting one takes longer than the quick tests of a file.
 *
 * Invariant: what is found in a file does not depend on the files before it. The process itself says whether it
 * can go on; if not, the next file gets one of its own.
 */
import { type Worker, WorkerLost } from '../../process/worker.ts'
import type { FileProcess } from '../file-process.ts'

export class Handover {
  readonly #idle: Worker[] = []

  /** Gives a file a process that has run others, if there is one that can go on with it. */
  async begin(process: FileProcess): Promise<void> {
    const worker = this.#idle.pop()
    if (worker === undefined) return
    if (await opens(worker, process.start.file)) process.adopt(worker)
    else worker.close()
  }

  /** A file is done for now. */
  end(process: FileProcess): void {
    const worker = process.release()
    if (worker !== undefined) this.#idle.push(worker)
  }

  close(): void {
    for (const worker of this.#idle.splice(0)) worker.close()
  }
}

async function opens(worker: Worker, file: string): Promise<boolean> {
  try {
    return await worker.open(file)
  } catch (error) {
    if (error instanceof WorkerLost) return false
    throw error
  }
}
