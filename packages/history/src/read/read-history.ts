/** Reads whole histories from texts. */
import { HistoryBuilder, type Reading } from '../history/history-builder.ts'
import type { History } from '../history/operation.ts'
import { EventReader } from './event-reader.ts'
import type { HistoryFormat } from './format.ts'
import { KeyedEvents } from './keys.ts'

/** @public */
export interface ReadOptions {
  /** Recognised by the content if left out. */
  readonly format?: HistoryFormat
}

/**
 * Reads the history in a text.
 *
 * @param reading what calls and returns mean: that of a model, such as `MODELS.kv.reading`
 * @throws HistoryError with the line
 * @public
 */
export function parseHistory<Input, Output>(
  text: string,
  reading: Reading<Input, Output>,
  options: ReadOptions = {},
): History<Input, Output> {
  const reader = new HistoryReader(reading, options)
  reader.push(text)
  return reader.end()
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
  const reader = new HistoryReader(reading, options)
  for await (const chunk of chunks) reader.push(chunk)
  return reader.end()
}

/** Reads a history that comes in chunks, for callers that push. */
class HistoryReader<Input, Output> {
  readonly #events: EventReader
  readonly #keyed: KeyedEvents
  readonly #builder: HistoryBuilder<Input, Output>

  constructor(reading: Reading<Input, Output>, { format }: ReadOptions) {
    this.#builder = new HistoryBuilder(reading)
    this.#keyed = new KeyedEvents((event) => this.#builder.add(event))
    this.#events = new EventReader((event) => this.#keyed.add(event), format)
  }

  /** @throws HistoryError with the line */
  push(chunk: string | Uint8Array): void {
    this.#events.push(chunk)
  }

  /** @throws HistoryError with the line */
  end(): History<Input, Output> {
    this.#events.end()
    this.#keyed.end()
    return { operations: this.#builder.end() }
  }
}
