/** Reads histories in files, as streams: a file is never in memory as a whole. */
import { createReadStream } from 'node:fs'
import type { Reading } from '../history/history-builder.ts'
import type { History } from '../history/operation.ts'
import { type ReadOptions, readHistory } from '../read/read-history.ts'

const CHUNK_BYTES = 256 * 1024
/** The share of the bound on memory that may be used when a further chunk comes. */
const REACHED = 0.95

/** @public */
export interface ReadFileOptions extends ReadOptions {
  /** Memory that the process may use while it reads, in MB (2^20 bytes). Default: no bound. */
  readonly memoryMb?: number
  /** How long reading may take, in milliseconds. Default: no bound. */
  readonly budgetMs?: number
}

/**
 * Reading a history takes more memory or time than it may.
 *
 * @public
 */
export class HistoryLimitError extends Error {
  override readonly name = 'HistoryLimitError'
}

/**
 * Reads the history in a file.
 *
 * @param path of the file; `-` is standard input
 * @param reading what calls and returns mean: `readingFor('kv')`
 * @throws HistoryError with the line; HistoryLimitError; the error of Node if the file cannot be read
 * @public
 */
export async function readHistoryFile<Input, Output>(
  path: string,
  reading: Reading<Input, Output>,
  options: ReadFileOptions = {},
): Promise<History<Input, Output>> {
  const stream = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES })
  return await readHistory(bounded(stream, options), reading, options)
}

/** Bounds are looked at between chunks: a small file is read whatever they are. */
async function* bounded(stream: AsyncIterable<Uint8Array>, { memoryMb, budgetMs }: ReadFileOptions) {
  const end = performance.now() + (budgetMs ?? Number.POSITIVE_INFINITY)
  let megabytes = 0
  for await (const chunk of stream) {
    if (megabytes > 0 && memoryMb !== undefined && process.memoryUsage.rss() > memoryMb * REACHED * 2 ** 20)
      throw new HistoryLimitError(`memory: more than ${memoryMb} MB ${readSoFar(megabytes)}; raise the bound`)
    if (megabytes > 0 && performance.now() > end)
      throw new HistoryLimitError(`time: the budget is used up ${readSoFar(megabytes)}; raise the budget`)
    megabytes += chunk.length / 2 ** 20
    yield chunk
  }
}

function readSoFar(megabytes: number): string {
  return `with ${Math.round(megabytes)} MB of the history read`
}
