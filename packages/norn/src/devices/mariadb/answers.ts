/** What a server answers to the commands of a client: where each answer ends, and what it says. */
import { CAPABILITY, COMMAND, Reader } from './packets.ts'
import { binaryValue, textOfValue } from './values.ts'

/** What comes before commands, in the place of one. */
export const GREETING = -1
export const LOGIN = -2

/** Of the status of a server: another result follows; the rows are fetched later. */
const MORE_RESULTS = 1 << 3
const CURSOR_EXISTS = 1 << 6

const OK = 0
const EOF = 0xfe
const ERROR = 0xff

const SILENT = new Set<number>([COMMAND.quit, COMMAND.longData, COMMAND.closeStatement])
const WITH_RESULTS = new Set<number>([COMMAND.query, COMMAND.execute, COMMAND.bulkExecute])

/** What of an answer is next. */
type Next = 'begin' | 'parameters' | 'columns' | 'rows'

/** A statement that the server has prepared. */
export interface Prepared {
  readonly id: number
  readonly parameters: number
}

export class Answers {
  /** As client and server have agreed. */
  capabilities = 0
  /** Of commands that are not yet answered. */
  readonly #expected: number[] = []
  #next: Next = 'begin'
  /** Definitions that are to come. */
  #parameters = 0
  #columns = 0
  /** The types of the columns of a result. */
  #types: number[] = []
  #rows = 0
  #firstRow = ''
  prepared: Prepared | undefined

  /** A client sends a command. */
  expect(command: number): void {
    if (!SILENT.has(command)) this.#expected.push(command)
  }

  get areComplete(): boolean {
    return this.#expected.length === 0
  }

  /**
   * Takes the body of a packet of the server.
   *
   * @returns for people, what ends with it; undefined if nothing does
   */
  take(body: Buffer): string | undefined {
    const [command] = this.#expected
    if (command === undefined) return undefined
    if (body[0] === ERROR) return this.#done(errorText(body))
    switch (this.#next) {
      case 'begin':
        return this.#begin(command, body)
      case 'parameters':
      case 'columns':
        return this.#define(command, body)
      case 'rows':
        return this.#row(command, body)
    }
  }

  #begin(command: number, body: Buffer): string | undefined {
    if (command === LOGIN) return this.#done('connected')
    if (command === COMMAND.prepare) {
      const reader = new Reader(body, 1)
      const [id, columns, parameters] = [reader.number(4), reader.number(2), reader.number(2)]
      this.prepared = { id, parameters }
      return this.#definitions(parameters, columns) ? undefined : this.#done('')
    }
    if (command === COMMAND.fieldList || command === COMMAND.fetch) {
      this.#next = command === COMMAND.fetch ? 'rows' : 'columns'
      this.#columns = Number.POSITIVE_INFINITY
      this.#rows = 0
      return this.take(body)
    }
    if (!WITH_RESULTS.has(command)) return this.#done('')
    if (body[0] === OK) {
      const reader = new Reader(body, 1)
      const affected = reader.length()!
      reader.length()
      return this.#result(affected > 0 ? `${affected} changed` : 'OK', reader.number(2))
    }
    this.#types = []
    this.#rows = 0
    this.#definitions(0, new Reader(body).length()!)
    return undefined
  }

  /** Whether any come. */
  #definitions(parameters: number, columns: number): boolean {
    this.#parameters = parameters
    this.#columns = columns
    this.#next = parameters > 0 ? 'parameters' : 'columns'
    return parameters + columns > 0
  }

  #define(command: number, body: Buffer): string | undefined {
    const hasEof = (this.capabilities & CAPABILITY.noEofPackets) === 0
    const isEof = body[0] === EOF && body.length < 9
    if (!isEof) {
      if (this.#next === 'parameters') this.#parameters--
      else {
        this.#columns--
        this.#types.push(columnType(body))
      }
    }
    // Each list ends with a packet of its own, unless both sides do without.
    if (!isEof && (hasEof || (this.#next === 'parameters' ? this.#parameters : this.#columns) > 0)) return undefined
    if (this.#next === 'parameters' && this.#columns > 0) {
      this.#next = 'columns'
      return undefined
    }
    if (command === COMMAND.prepare || command === COMMAND.fieldList) return this.#done('')
    // The rows of a cursor come when the client fetches them.
    const status = isEof ? new Reader(body, 3).number(2) : 0
    if ((status & CURSOR_EXISTS) !== 0) return this.#done('')
    this.#next = 'rows'
    return undefined
  }

  #row(command: number, body: Buffer): string | undefined {
    if (body[0] === EOF && body.length < 0xff_ffff) {
      const reader = new Reader(body, 1)
      const hasEof = (this.capabilities & CAPABILITY.noEofPackets) === 0
      if (hasEof) reader.number(2)
      else for (let count = 0; count < 2; count++) reader.length()
      return this.#result(rowsText(this.#rows, this.#firstRow), reader.number(2))
    }
    if (this.#rows++ === 0) this.#firstRow = this.#rowText(body, command !== COMMAND.query)
    return undefined
  }

  #result(text: string, status: number): string {
    if ((status & MORE_RESULTS) === 0) return this.#done(text)
    this.#next = 'begin'
    return text
  }

  #done(text: string): string {
    this.#expected.shift()
    this.#next = 'begin'
    return text
  }

  #rowText(body: Buffer, isBinary: boolean): string {
    if (!isBinary) {
      const reader = new Reader(body)
      return this.#types.map((type) => textOfValue(type, reader.value())).join(', ')
    }
    // The bitmap of NULLs begins with two bits that mean nothing.
    const reader = new Reader(body, 1)
    const nulls = reader.bytes((this.#types.length + 9) >> 3)
    const isNull = (at: number) => ((nulls[(at + 2) >> 3]! >> ((at + 2) & 7)) & 1) === 1
    return this.#types.map((type, at) => (isNull(at) ? 'NULL' : binaryValue(type, reader))).join(', ')
  }
}

function columnType(definition: Buffer): number {
  const reader = new Reader(definition)
  for (let count = 0; count < 6; count++) reader.value()
  reader.length()
  reader.number(2)
  reader.number(4)
  return reader.number(1)
}

/** An ERR packet as `ERROR 1213 (40001) Deadlock found`. */
export function errorText(body: Buffer): string {
  const reader = new Reader(body, 1)
  const code = reader.number(2)
  const state = body[3] === 35 ? ` (${reader.bytes(6).toString('latin1', 1)})` : ''
  return `ERROR ${code}${state} ${reader.rest().toString('utf8')}`
}

function rowsText(rows: number, first: string): string {
  if (rows === 0) return 'no rows'
  return rows === 1 ? `(${first})` : `${rows} rows: (${first}), …`
}
