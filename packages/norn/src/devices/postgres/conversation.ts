/**
 * One connection of a client of PostgreSQL, read beside the program: where its units end, and what both sides say.
 *
 * A unit ends where the server answers: behind a simple query, a Sync, a Flush, a call of a function, the end of what
 * is copied in. Pure.
 */
import { CONNECTS, type Conversation, LEAVES, type Protocol, type ServerError, type Unit } from '../device.ts'
import { CODES, Frames, fields, type Message, strings, values } from './messages.ts'
import { parametersOf as parametersOfStartup, settingsOf } from './startup.ts'
import { TOO_MANY, TransactionState } from './transaction-state.ts'

/** Messages behind which the server answers. */
const ENDS = new Set(['Q', 'S', 'H', 'F', 'c', 'f', 'X'])

const QUERY = 'Q'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)

/** Of values, statements and texts of errors that are shown. */
const MAX_VALUE = 40
const MAX_STATEMENT = 200
const MAX_NAMES = 1000

export const postgresProtocol: Protocol = {
  conversation: () => new PostgresConversation(),
  openingErrors: [],
  writesLate: false,
  seesLeaving: false,
}

class PostgresConversation implements Conversation {
  readonly #client = new Frames(true)
  readonly #server = new Frames(false)
  /** Statements by their names, and what is bound to each portal. */
  readonly #statements = new Map<string, string>()
  readonly #portals = new Map<string, Said>()
  #unit: Buffer[] = []
  #said: Said[] = []
  /** Answers to requests for encryption have no frame. */
  #refusals = 0
  readonly #state = new TransactionState()

  units(bytes: Uint8Array): Unit[] {
    const units: Unit[] = []
    for (const message of this.#client.take(bytes)) {
      this.#unit.push(message.bytes)
      const said = message.type === '' ? this.#begins(message) : this.#says(message)
      if (said !== undefined) this.#said.push(said)
      if (message.type !== '' && !ENDS.has(message.type)) continue
      const [names, texts] = [this.#said.map(({ name }) => name), this.#said.map(({ text }) => text)]
      units.push({ bytes: Buffer.concat(this.#unit), name: names.join('; '), text: texts.join('; ') })
      this.#unit = []
      this.#said = []
    }
    return units
  }

  answer(bytes: Uint8Array): string {
    if (this.#refusals > 0) {
      this.#refusals--
      return 'no encryption'
    }
    const texts: string[] = []
    let rows: string[] = []
    for (const { type, body } of this.#server.take(bytes)) {
      if (type === 'D') rows.push(values(body, 0).map(valueText).join(', '))
      if (type === 'Z') this.#state.status = String.fromCharCode(body[0]!)
      const text = answerText(type, body, rows)
      if (type === 'C') rows = []
      if (text !== '') texts.push(text)
    }
    return texts.join('; ')
  }

  errors({ name, bytes }: Unit): readonly ServerError[] {
    if (name === CONNECTS) {
      this.#state.begins(new Map(settingsOf(new Map(parametersOfStartup(Buffer.from(bytes).subarray(4))))))
      return [TOO_MANY]
    }
    // Behind a Flush an answer has no end.
    const isWhole = bytes[0] === QUERY || bytes.at(-5) === SYNC
    const errors = this.#state.errors(name)
    return isWhole ? errors : []
  }

  #begins({ body }: Message): Said | undefined {
    const code = body.readUInt32BE(0)
    if (code === CODES.cancel) return said('cancel')
    if (code === CODES.tls || code === CODES.gss) {
      this.#refusals++
      return said('asks for encryption')
    }
    this.#client.isUntyped = false
    return said(CONNECTS)
  }

  #says({ type, body }: Message): Said | undefined {
    switch (type) {
      case 'Q':
        return said(statementText(strings(body)[0] ?? ''))
      case 'P': {
        const [name = '', statement = ''] = strings(body)
        if (this.#statements.size < MAX_NAMES) this.#statements.set(name, statementText(statement))
        return undefined
      }
      case 'B': {
        const [portal = '', statement = ''] = strings(body)
        const name = this.#statements.get(statement) ?? statement
        const parameters = parametersOf(body)
        const text = name.replaceAll(/\$(\d+)/g, (place, number) => parameters[Number(number) - 1] ?? place)
        if (this.#portals.size < MAX_NAMES) this.#portals.set(portal, { name, text })
        return undefined
      }
      case 'E':
        return this.#portals.get(strings(body)[0] ?? '')
      case 'c':
        return said('end of the copy')
      case 'f':
        return said('the copy fails')
      case 'X':
        return said(LEAVES)
      default:
        return undefined
    }
  }
}

interface Said {
  readonly name: string
  readonly text: string
}

const said = (text: string): Said => ({ name: text, text })

/** A statement in one line. */
function statementText(sql: string): string {
  const line = sql.trim().replace(/\s+/g, ' ').replace(/;$/, '')
  return line.length > MAX_STATEMENT ? `${line.slice(0, MAX_STATEMENT)}…` : line
}

/** The parameters of a Bind, as SQL would have them. */
function parametersOf(body: Buffer): string[] {
  const start = body.indexOf(0, body.indexOf(0) + 1) + 1
  const formats = body.readUInt16BE(start)
  const isBinary = (index: number) =>
    formats > 0 && body.readUInt16BE(start + 2 + 2 * (formats === 1 ? 0 : index)) === 1
  return values(body, start + 2 + 2 * formats).map((value, index) =>
    value !== undefined && isBinary(index) ? `${value.length} bytes` : valueText(value),
  )
}

function valueText(value: Buffer | undefined): string {
  if (value === undefined) return 'NULL'
  const text = value.toString('utf8', 0, 4 * MAX_VALUE)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these make bytes no text
  if (/[\0-\x08\x0e-\x1f\ufffd]/.test(text)) return `${value.length} bytes`
  const shown = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
  return /^-?\d+(?:\.\d+)?$/.test(shown) ? shown : `'${shown}'`
}

function answerText(type: string, body: Buffer, rows: readonly string[]): string {
  switch (type) {
    case 'C': {
      const [tag = ''] = strings(body)
      if (rows.length === 0) return tag
      return rows.length === 1 ? `(${rows[0]})` : `${rows.length} rows: (${rows[0]}), …`
    }
    case 'E': {
      const { C: code, M: text } = fields(body)
      return `ERROR ${code} ${text}`
    }
    case 'N': {
      const { V: severity, M: text } = fields(body)
      return `${severity} ${text}`
    }
    case 'R':
      return 'connected'
    case 'I':
      return 'nothing to do'
    case 'G':
      return 'ready to copy'
    case 'A':
      return `NOTIFY ${strings(body, 4).join(' ')}`
    default:
      return ''
  }
}
