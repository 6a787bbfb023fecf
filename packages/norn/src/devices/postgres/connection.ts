/** A real connection to a PostgreSQL server, by which norn asks; `Backend` is one that clients use. */
import { connect, type Socket } from 'node:net'
import type { ServerAddress } from '../../contract/database.ts'
import { DeviceError } from '../device.ts'
import { Authentication } from './authentication.ts'
import { Frames, fields, int32, type Message, message, query, strings, values } from './messages.ts'

const VERSION = 0x0003_0000

export interface Login {
  readonly server: ServerAddress
  readonly user: string
  readonly password?: string | undefined
  readonly database: string
  /** Settings of the session that a reset leaves. */
  readonly settings?: Readonly<Record<string, string>>
}

/** The server refuses. */
export class Refusal extends DeviceError {
  constructor(body: Buffer) {
    const { C: code = '', M: text = '' } = fields(body)
    super(`${text} (${code})`, code)
  }
}

export class Connection {
  readonly #socket: Socket
  readonly #frames = new Frames(false)
  #take: (message: Message) => void = () => {}
  /** Called once, when the server has closed the connection. */
  #closed: () => void = () => {}
  isClosed = false
  pid = 0
  /** What the server says of its settings, by their names. */
  readonly parameters = new Map<string, string>()

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  /** @throws DeviceError */
  static async open({ server, user, password, database, settings = {} }: Login): Promise<Connection> {
    const socket = connect('path' in server ? server : { ...server, noDelay: true })
    const connection = new Connection(socket)
    const authentication = new Authentication(user, password)
    const parameters = Object.entries({ user, database, ...settings }).flat()
    await new Promise<void>((resolve, reject) => {
      socket.on('error', (error) => reject(new DeviceError(error.message)))
      socket.on('close', () => {
        connection.isClosed = true
        reject(new DeviceError('it closed the connection'))
        connection.#closed()
      })
      socket.on('data', (bytes) => {
        try {
          for (const each of connection.#frames.take(bytes)) connection.#take(each)
        } catch (error) {
          reject(error)
          socket.destroy()
        }
      })
      connection.#take = ({ type, body }) => {
        if (type === 'E') reject(new Refusal(body))
        if (type === 'K') connection.pid = body.readInt32BE(0)
        if (type === 'S') connection.reports(body)
        if (type === 'Z') resolve()
        const answer = type === 'R' ? authentication.answer(body) : undefined
        if (answer !== undefined) socket.write(answer)
      }
      socket.write(message('', int32(VERSION), ...parameters, Buffer.from([0])))
    })
    return connection
  }

  /** Gives messages to others from now on. */
  listen(take: (message: Message) => void, closed: () => void): void {
    this.#take = take
    this.#closed = closed
  }

  /** Takes a ParameterStatus. */
  reports(body: Buffer): void {
    const [key = '', value = ''] = strings(body)
    this.parameters.set(key, value)
  }

  send(bytes: Uint8Array): void {
    this.#socket.write(bytes)
  }

  end(): void {
    if (!this.isClosed) this.#socket.end(message('X'))
  }

  /**
   * Carries out statements, in one message each, and what is copied in behind them.
   *
   * @returns the rows of all, as texts
   * @throws Refusal with the first error, DeviceError if the connection is lost
   */
  async rows(
    ...statements: readonly (string | { readonly copy: string; readonly data: Buffer })[]
  ): Promise<string[][]> {
    const rows: string[][] = []
    let left = statements.length
    let error: Refusal | undefined
    await new Promise<void>((resolve, reject) => {
      const closed = () => reject(new DeviceError('it closed the connection'))
      if (this.isClosed) closed()
      this.listen(({ type, body }) => {
        if (type === 'D') rows.push(textsOf(body))
        if (type === 'E') error ??= new Refusal(body)
        if (type === 'Z' && --left === 0) resolve()
      }, closed)
      this.send(
        Buffer.concat(
          statements.flatMap((each) =>
            typeof each === 'string' ? [query(each)] : [query(each.copy), message('d', each.data), message('c')],
          ),
        ),
      )
    })
    if (error !== undefined) throw error
    return rows
  }

  /** What a `COPY … TO STDOUT` sends. @throws as `rows` */
  async copied(statement: string): Promise<Buffer> {
    const parts: Buffer[] = []
    let error: Refusal | undefined
    await new Promise<void>((resolve, reject) => {
      this.listen(
        ({ type, body }) => {
          if (type === 'd') parts.push(Buffer.from(body))
          if (type === 'E') error ??= new Refusal(body)
          if (type === 'Z') resolve()
        },
        () => reject(new DeviceError('it closed the connection')),
      )
      this.send(query(statement))
    })
    if (error !== undefined) throw error
    return Buffer.concat(parts)
  }
}

/** The values of a row as texts; that of NULL is empty. */
export function textsOf(row: Buffer): string[] {
  return values(row, 0).map((value) => value?.toString('utf8') ?? '')
}
