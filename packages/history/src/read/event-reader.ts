/** Reads the events of a log that comes in chunks, one by one. */
import type { HistoryEvent } from '../history/event.ts'
import { HistoryError } from '../history/history-error.ts'
import { EdnReader } from './edn.ts'
import { MAX_LENGTH } from './form-reader.ts'
import { formatOf, type HistoryFormat } from './format.ts'
import { JsonReader } from './json.ts'
import { LogReader } from './log.ts'
import { EncodingError, linesIn, Utf8Decoder } from './utf8.ts'

interface FormatReader {
  push(text: string, isNow?: boolean): void
  end(): void
  readonly lastLine: number
}

const READERS: Readonly<Record<HistoryFormat, new (onEvent: (event: HistoryEvent) => void) => FormatReader>> = {
  edn: EdnReader,
  json: JsonReader,
  log: LogReader,
}

/** How much of a text without an event is kept for the message. */
const SHOWN = 200

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
    if (typeof chunk === 'string') this.#push(chunk, false)
    else this.#decode(() => this.#decoder.decode(chunk), false)
  }

  /** @throws HistoryError if the log is not complete, or has no event */
  end(): void {
    this.#decode(() => this.#decoder.end(), true)
    this.#reader?.end()
    if (this.#events > 0) return
    const begin = this.#format === 'log' ? this.#begin.slice(0, SHOWN).trim().split('\n')[0]!.slice(0, 60) : ''
    throw new HistoryError(
      `no event${begin === '' ? '' : `, found ${JSON.stringify(begin)}`}: expected a history of Jepsen in EDN, JSON lines or a log of Jepsen`,
    )
  }

  #decode(decoded: () => string, isWhole: boolean): void {
    let text: string
    try {
      text = decoded()
    } catch (error) {
      if (!(error instanceof EncodingError)) throw error
      this.#failEncoding(error)
    }
    this.#push(text, isWhole)
  }

  #failEncoding({ before, byte, message }: EncodingError): never {
    const isStart = this.#reader === undefined && this.#begin === ''
    if (isStart && before === '\x1f' && byte === 0x8b)
      throw new HistoryError('compressed with gzip: decompress it, or check the output of `gunzip -c` as the file -')
    // What comes before it may be wrong already.
    this.#push(before, false)
    this.#reader?.push('', true)
    throw new HistoryError(`${message}; expected a text in UTF-8`, this.#reader?.lastLine ?? 1 + linesIn(this.#begin))
  }

  #push(text: string, isWhole: boolean): void {
    if (this.#reader !== undefined) {
      if (this.#begin.length < SHOWN) this.#begin += text.slice(0, SHOWN)
      this.#reader.push(text)
      return
    }
    const isFirst = this.#begin === ''
    // A byte order mark.
    this.#begin += isFirst && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
    // White space decides nothing, and there may be megabytes of it.
    const isEnough = isWhole || this.#begin.length > MAX_LENGTH
    if (isEnough || /\S/.test(text)) this.#format ??= formatOf(this.#begin, isEnough)
    if (this.#format === undefined) return
    this.#reader = new READERS[this.#format](this.#onEvent)
    const begin = this.#begin
    this.#begin = begin.slice(0, SHOWN)
    this.#reader.push(begin)
  }
}
