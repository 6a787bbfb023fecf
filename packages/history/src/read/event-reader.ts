/** Reads the events of a log that comes in chunks, one by one. */
import type { HistoryEvent } from '../history/event.ts'
import { HistoryError } from '../history/history-error.ts'
import { EdnReader } from './edn.ts'
import { MAX_LENGTH } from './form-reader.ts'
import { formatOf, type HistoryFormat } from './format.ts'
import { JsonReader } from './json.ts'
import { LogReader } from './log.ts'
import { Utf8Decoder } from './utf8.ts'

interface FormatReader {
  push(text: string): void
  end(): void
}

const READERS: Readonly<Record<HistoryFormat, new (onEvent: (event: HistoryEvent) => void) => FormatReader>> = {
  edn: EdnReader,
  json: JsonReader,
  log: LogReader,
}

/**
 * Memory is bounded: by twice the longest event, which may have 16 MB, and what the receiver keeps.
 * Events of the nemesis are passed over.
 *
 * @public
 */
export class EventReader {
  #format: HistoryFormat | undefined
  #reader: FormatReader | undefined
  /** Read before the format was known. */
  #begin = ''
  #events = 0
  readonly #decoder = new Utf8Decoder()
  readonly #onEvent: (event: HistoryEvent) => void

  /** @param format recognised by the content if undefined */
  constructor(onEvent: (event: HistoryEvent) => void, format?: HistoryFormat) {
    this.#format = format
    this.#onEvent = (event) => {
      this.#events++
      onEvent(event)
    }
  }

  /** The format; undefined while too little has been read to tell. */
  get format(): HistoryFormat | undefined {
    return this.#format
  }

  /**
   * @param chunk text, or bytes of UTF-8
   * @throws HistoryError with the line
   */
  push(chunk: string | Uint8Array): void {
    this.#push(typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk), false)
  }

  /** @throws HistoryError if the log is not complete, or has no event */
  end(): void {
    this.#push(this.#decoder.end(), true)
    this.#reader?.end()
    if (this.#events > 0) return
    const begin = this.#format === 'log' ? this.#begin.trim().slice(0, 60) : ''
    throw new HistoryError(
      `no event${begin === '' ? '' : `, found ${JSON.stringify(begin)}`}: expected a history of Jepsen in EDN, JSON lines or a log of Jepsen`,
    )
  }

  #push(text: string, isWhole: boolean): void {
    if (this.#reader !== undefined) {
      this.#reader.push(text)
      return
    }
    this.#begin += text
    // A byte order mark.
    if (this.#begin.charCodeAt(0) === 0xfeff) this.#begin = this.#begin.slice(1)
    this.#format ??= formatOf(this.#begin, isWhole || this.#begin.length > MAX_LENGTH)
    if (this.#format === undefined) return
    this.#reader = new READERS[this.#format](this.#onEvent)
    const begin = this.#begin
    this.#begin = begin.slice(0, 200)
    this.#reader.push(begin)
  }
}
