/**
 * Reads the text log of Jepsen (and its `history.txt`): a line has a process, a type, the name of
 * an operation and a value in EDN, separated by tabs, behind whatever the logger puts before them:
 *
 *     INFO  jepsen.util - 0⇥:invoke⇥:read⇥nil
 *
 * Some published logs have spaces in place of the tabs. Other lines of the log are passed over.
 */
import type { HistoryEvent } from '../history/event.ts'
import { HistoryError } from '../history/history-error.ts'
import { EdnReader } from './edn.ts'
import { eventOf } from './event-fields.ts'
import { MAX_LENGTH, MAX_LENGTH_TEXT } from './form-reader.ts'

/** The process, at the end of what stands before the first tab. */
const PROCESS = /(?:^|[\s:-])(\d+|:[\w-]+)\s*$/
/** A line that can only be an event. */
const EVENT = /^(?:.*\bjepsen\.util(?: -|:) *)?(?:\d+|:nemesis)(?:\t| +:)/

/** The type, where spaces separate the fields. */
const SPACED_TYPE = / (:invoke|:ok|:fail|:info) +/
/** The process before it. Spaces are in other lines, too: so it follows what a logger writes before messages. */
const SPACED_PROCESS = /(?:^| - +|\bjepsen\.util:? +)(?:\d+|:[\w-]+)$/
/** Where the process and what is before it are looked for. */
const MAX_PREFIX = 1000

const TYPES: ReadonlyMap<string, HistoryEvent['type']> = new Map([
  [':invoke', 'invoke'],
  [':ok', 'ok'],
  [':fail', 'fail'],
  [':info', 'info'],
])

export class LogReader {
  #text = ''
  #line = 1
  readonly #value = new EdnValue()
  readonly #onEvent: (event: HistoryEvent) => void

  constructor(onEvent: (event: HistoryEvent) => void) {
    this.#onEvent = onEvent
  }

  /** @throws HistoryError */
  push(text: string): void {
    this.#text += text
    let begin = 0
    // Only the new part can have the end of a line.
    let end = text.indexOf('\n')
    if (end !== -1) end += this.#text.length - text.length
    while (end !== -1) {
      if (end - begin > MAX_LENGTH) this.#failLong()
      this.#read(this.#text.slice(begin, end))
      begin = end + 1
      end = this.#text.indexOf('\n', begin)
    }
    this.#text = this.#text.slice(begin)
    if (this.#text.length > MAX_LENGTH) this.#failLong()
  }

  end(): void {
    if (this.#text !== '') this.#read(this.#text)
  }

  /** The line that the text so far ends in. */
  get lastLine(): number {
    return this.#line
  }

  #read(line: string): void {
    const number = this.#line++
    const fields = fieldsOf(line)
    const at = fields.findIndex((field) => TYPES.has(field.trim()))
    const process = at < 1 ? undefined : PROCESS.exec(fields[at - 1]!)?.[1]
    if (process === undefined) {
      if (!EVENT.test(line)) return
      throw new HistoryError(
        'an event without a process or a type: expected PROCESS, :invoke, :ok, :fail or :info, :OPERATION, and VALUE, separated by tabs or spaces',
        number,
      )
    }
    const type = TYPES.get(fields[at]!.trim())!
    const value = fields[at + 2]?.trim()
    const event = eventOf(
      {
        process: process.startsWith(':') ? process.slice(1) : Number(process),
        type,
        f: fields[at + 1]?.trim().replace(/^:/, ''),
        key: undefined,
        // Of an outcome that is unknown it is the reason.
        value:
          value === undefined || value === '' || type === 'info'
            ? null
            : this.#value.read(value, number, line.indexOf(value, fields.slice(0, at + 2).join('\t').length)),
      },
      number,
    )
    if (event !== undefined) this.#onEvent(event)
  }

  #failLong(): never {
    throw new HistoryError(`a line longer than ${MAX_LENGTH_TEXT}; expected a log, one event a line`, this.#line)
  }
}

function fieldsOf(line: string): string[] {
  const fields = line.split('\t')
  if (fields.length > 1) return fields
  const type = SPACED_TYPE.exec(line)
  if (type === null || type.index > MAX_PREFIX) return fields
  const before = line.slice(0, type.index).trimEnd()
  if (!SPACED_PROCESS.test(before)) return fields
  const rest = line.slice(type.index + type[0].length)
  const end = rest.indexOf(' ')
  if (end === -1) return [before, type[1]!, rest]
  return [before, type[1]!, rest.slice(0, end), rest.slice(end)]
}

/** Reads single values. */
class EdnValue extends EdnReader {
  constructor() {
    super(() => {})
  }

  /**
   * @param begin where it begins in its line, from 0
   * @throws HistoryError
   */
  read(text: string, line: number, begin: number): unknown {
    return this.single(text, line, begin, () => this.value())
  }
}
