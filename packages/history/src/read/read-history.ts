/** Reads whole histories from texts. */
import { HistoryBuilder, type Reading } from '../history/history-builder.ts'
import type { History } from '../history/operation.ts'
import { EventReader } from './event-reader.ts'
import type { HistoryFormat } from './format.ts'

/** @public */
export interface ReadOptions {
  /** Recognised by the content if left out. */
  readonly format?: HistoryFormat
}

/**
 * Reads the history in a text.
 *
 * @param reading what calls and returns mean: `readingFor('kv')`
 * @throws HistoryError with the line
 * @public
 */
export function parseHistory<Input, Output>(
  text: string,
  reading: Reading<Input, Output>,
  options: ReadOptions = {},
): History<Input, Output> {
  const { reader, builder } = readerOf(reading, options)
  reader.push(text)
  reader.end()
  return { operations: builder.end() }
}

/**
 * Reads a history that comes in chunks of text or of bytes (UTF-8), such as the body of a response.
 *
 * @throws HistoryError with the line
 * @public
 */
export async function readHistory<Input, Output>(
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  reading: Reading<Input, Output>,
  options: ReadOptions = {},
): Promise<History<Input, Output>> {
  const { reader, builder } = readerOf(reading, options)
  for await (const chunk of chunks) reader.push(chunk)
  reader.end()
  return { operations: builder.end() }
}

function readerOf<Input, Output>(reading: Reading<Input, Output>, { format }: ReadOptions) {
  const builder = new HistoryBuilder(reading)
  return { builder, reader: new EventReader((event) => builder.add(event), format) }
}
