/** Reads histories in files, as streams: a file is never in memory as a whole. */
import { createReadStream } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import type { Reading } from '../history/history-builder.ts'
import type { History } from '../history/operation.ts'
import { type ReadOptions, readHistory } from '../read/read-history.ts'

const CHUNK_BYTES = 256 * 1024

/** @public */
export interface ReadFileOptions extends ReadOptions {
  /** Memory that the process may use while it reads, in MB (2^20 bytes). Default: no bound. */
  readonly memoryMb?: number
}

/**
 * A history takes more memory than it may.
 *
 * @public
 */
export class HistoryMemoryError extends Error {
  override readonly name = 'HistoryMemoryError'
}

/**
 * Reads the history in a file.
 *
 * @param path of the file; `-` is standard input
 * @param reading what calls and returns mean: `readingFor('kv')`
 * @throws HistoryError with the line; HistoryMemoryError; the error of Node if the file cannot be read
 * @public
 */
export async function readHistoryFile<Input, Output>(
  path: string,
  reading: Reading<Input, Output>,
  options: ReadFileOptions = {},
): Promise<History<Input, Output>> {
  const stream = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES })
  return await readHistory(bounded(stream, options.memoryMb), reading, options)
}

async function* bounded(stream: AsyncIterable<Uint8Array>, memoryMb = Number.POSITIVE_INFINITY) {
  for await (const chunk of stream) {
    yield chunk
    if (getHeapStatistics().used_heap_size > memoryMb * 2 ** 20)
      throw new HistoryMemoryError(`the history takes more than ${memoryMb} MB: raise the memory bound`)
  }
}
