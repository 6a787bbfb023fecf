/**
 * One connection of a client of MariaDB or MySQL, read beside the program. A unit is a command, which the server
 * answers, or which needs no answer. Pure.
 */
import { CONNECTS, type Conversation, LEAVES, type Protocol, type ServerError, type Unit } from '../device.ts'
import { Answers, GREETING, LOGIN } from './answers.ts'
import { loginOf } from './login.ts'
import { COMMAND, Packets, Reader } from './packets.ts'
import { binaryValue } from './values.ts'

export const mariadbProtocol: Protocol = {
  conversation: () => new MariadbConversation(),
  openingErrors: [{ code: '1040', text: 'Too many connections' }],
  writesLate: false,
  seesLeaving: false,
}

/** Statements that lock rows. */
const LOCKING = /^(?:insert|update|delete|replace)\b|^select\b.*\b(?:for update|lock in share mode)\b/i
/** Any of them may meet it: what InnoDB locks follows from how it finds rows. */
const DEADLOCK: ServerError = {
  code: '1213',
  text: 'Deadlock found when trying to get lock; try restarting transaction',
}

/** Of texts and statements that are kept. */
const MAX_STATEMENT = 200
const MAX_STATEMENTS = 1000
/** Names the statement that was prepared last. */
const LAST = 0xffff_ffff

interface Statement {
  readonly sql: string
  readonly parameters: number
  types: readonly number[]
}

class MariadbConversation implements Conversation {
  readonly #client = new Packets()
  readonly #server = new Packets()
  readonly #answers = new Answers()
  readonly #statements = new Map<number, Statement>()
  /** Statements that are being prepared. */
  readonly #preparing: string[] = []
  #hasBegun = false

  constructor() {
    this.#answers.expect(GREETING)
  }

  units(bytes: Uint8Array): Unit[] {
    const units: Unit[] = []
    for (const { sequence, bytes: all, body } of this.#client.take(bytes)) {
      const { name, text = name } = this.#hasBegun ? this.#says(body) : this.#begins(body)
      if (sequence === 0) this.#answers.expect(body[0]!)
      units.push({ bytes: all, name, text })
    }
    return units
  }

  errors({ name }: Unit): readonly ServerError[] {
    return LOCKING.test(name) ? [DEADLOCK] : []
  }

  answer(bytes: Uint8Array): string {
    const texts: string[] = []
    for (const { body } of this.#server.take(bytes)) {
      const { prepared } = this.#answers
      const text = this.#answers.take(body)
      if (text !== undefined && text !== '') texts.push(text)
      if (this.#answers.prepared === prepared) continue
      const { id, parameters } = this.#answers.prepared!
      const sql = this.#preparing.shift() ?? ''
      if (this.#statements.size < MAX_STATEMENTS) {
        this.#statements.set(id, { sql, parameters, types: [] })
        this.#statements.set(LAST, this.#statements.get(id)!)
      }
    }
    return texts.join('; ')
  }

  #begins(body: Buffer): Said {
    this.#hasBegun = true
    this.#answers.capabilities = loginOf(body)?.capabilities ?? 0
    this.#answers.expect(LOGIN)
    return { name: CONNECTS }
  }

  #says(body: Buffer): Said {
    const reader = new Reader(body, 1)
    switch (body[0]) {
      case COMMAND.query:
        return { name: statementText(reader.rest()) }
      case COMMAND.prepare: {
        const sql = statementText(reader.rest())
        this.#preparing.push(sql)
        return { name: `prepare ${sql}` }
      }
      case COMMAND.execute:
      case COMMAND.bulkExecute:
        return this.#executes(reader)
      case COMMAND.initDb:
        return { name: `use ${reader.rest()}` }
      default:
        return { name: NAMES[body[0]!] ?? `command ${body[0]}` }
    }
  }

  #executes(reader: Reader): Said {
    const statement = this.#statements.get(reader.number(4))
    if (statement === undefined) return { name: 'execute' }
    const { sql, parameters } = statement
    if (parameters === 0) return { name: sql }
    reader.bytes(5)
    const nulls = reader.bytes((parameters + 7) >> 3)
    if (reader.number(1) === 1) statement.types = Array.from({ length: parameters }, () => reader.number(2) & 0xff)
    const values = statement.types.map((type, at) =>
      ((nulls[at >> 3]! >> (at & 7)) & 1) === 1 ? 'NULL' : reader.isAtEnd ? '?' : binaryValue(type, reader),
    )
    return { name: sql, text: sql.replaceAll('?', () => values.shift() ?? '?') }
  }
}

interface Said {
  readonly name: string
  readonly text?: string
}

/** What needs no more words; empty for what only the protocol needs. */
const NAMES: Readonly<Record<number, string>> = {
  [COMMAND.quit]: LEAVES,
  [COMMAND.fieldList]: 'list fields',
  [COMMAND.statistics]: 'statistics',
  [COMMAND.kill]: 'kill',
  [COMMAND.ping]: 'ping',
  [COMMAND.changeUser]: 'change user',
  [COMMAND.longData]: '',
  [COMMAND.closeStatement]: '',
  [COMMAND.fetch]: 'fetch',
  [COMMAND.resetConnection]: 'reset connection',
}

/** A statement in one line. */
function statementText(sql: Buffer): string {
  const line = sql.toString('utf8').trim().replace(/\s+/g, ' ').replace(/;$/, '')
  return line.length > MAX_STATEMENT ? `${line.slice(0, MAX_STATEMENT)}…` : line
}
