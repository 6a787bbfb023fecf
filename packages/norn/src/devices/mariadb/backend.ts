/**
 * A connection to a real MariaDB server, which sessions of clients use one after the other, or by which norn asks.
 */
import { connect, type Socket } from 'node:net'
import { DeviceError } from '../device.ts'
import { Answers, errorText, LOGIN } from './answers.ts'
import { changeUser, type Login, response } from './login.ts'
import { COMMAND, command, Packets, packet, Reader } from './packets.ts'

export const USER = 'root'

/** Begin packets that ask for another way to log in, or say what is wrong. */
const SWITCH = 0xfe
const ERROR = 0xff

export class Backend {
  readonly capabilities: number
  readonly #socket: Socket
  readonly #server = new Packets()
  readonly #client = new Packets()
  readonly #answers = new Answers()
  #output: Buffer[] = []
  #settled: (() => void) | undefined
  isClosed = false
  /** The first packet of the server. */
  greeting: Buffer = Buffer.alloc(0)
  /** Its numbers: of the connection in the server, and of the thread in the system. */
  id = 0
  thread = 0
  /** What it is known to wait for; undefined while it waits for nothing. */
  wait: Wait | undefined

  private constructor(socket: Socket, capabilities: number) {
    this.#socket = socket
    this.capabilities = capabilities
    this.#answers.capabilities = capabilities
  }

  /**
   * @param path of the server's socket
   * @param capabilities that a client has agreed on
   * @throws DeviceError
   */
  static async open(path: string, capabilities: number): Promise<Backend> {
    const socket = connect(path)
    const backend = new Backend(socket, capabilities)
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', resolve)
      socket.on('error', (error) => reject(new DeviceError(error.message, (error as NodeJS.ErrnoException).code)))
    })
    socket.on('data', (bytes) => backend.#take(bytes))
    socket.on('close', () => {
      backend.isClosed = true
      backend.#settled?.()
    })
    await backend.#until(() => backend.greeting.length > 0)
    const { greeting } = backend
    if (greeting.length === 0) throw new DeviceError('it closed the connection')
    if (greeting[0] === ERROR) throw new DeviceError(errorText(greeting).slice('ERROR '.length))
    backend.#answers.expect(LOGIN)
    socket.write(response(capabilities, USER))
    await backend.settled()
    backend.take()
    const [[id, thread] = []] = await backend.rows(
      'select id, tid from information_schema.processlist where id = connection_id()',
    )
    backend.id = Number(id)
    backend.thread = Number(thread)
    return backend
  }

  get hasAnswered(): boolean {
    return this.#answers.areComplete
  }

  /** Sends what a client has sent. */
  send(bytes: Uint8Array): void {
    for (const { body } of this.#client.take(bytes)) this.#answers.expect(body[0]!)
    this.#socket.write(bytes)
  }

  /**
   * Makes it as new, in a database, with a character set.
   *
   * @param sequence the number of the answer
   * @returns the answer, which may be an error; empty if the server has closed the connection
   */
  async become(session: Pick<Login, 'database' | 'charset'>, sequence: number): Promise<Buffer> {
    this.send(changeUser(USER, session))
    await this.settled()
    let answer = this.take()
    if (answer[4] === SWITCH) {
      // Norn's own user has no password, in whatever way it is asked for.
      this.#answers.expect(LOGIN)
      this.#socket.write(packet(answer[3]! + 1))
      await this.settled()
      answer = this.take()
    }
    if (answer.length > 0) answer[3] = sequence
    return answer
  }

  /** Until it has answered, or the server has closed it. */
  settled(): Promise<void> {
    return this.#until(() => this.hasAnswered)
  }

  /** Until the server has closed it. */
  closed(): Promise<void> {
    return this.#until(() => false)
  }

  /** What it has sent since the last call. */
  take(): Buffer {
    const output = Buffer.concat(this.#output)
    this.#output = []
    return output
  }

  /** Carries out a command. @returns the packets of its answer @throws DeviceError for an error, or if it is closed */
  async ask(bytes: Uint8Array): Promise<Buffer[]> {
    this.send(bytes)
    await this.settled()
    if (this.isClosed) throw new DeviceError('it closed the connection')
    const bodies = [...new Packets().take(this.take())].map(({ body }) => body)
    const error = bodies.find((body) => body[0] === ERROR)
    if (error !== undefined) throw new DeviceError(errorText(error).slice('ERROR '.length))
    return bodies
  }

  /** The rows of a statement as texts; that of NULL is empty. @throws DeviceError as `ask` */
  async rows(sql: string): Promise<string[][]> {
    const [first, ...rest] = await this.ask(command(COMMAND.query, sql))
    const columns = first![0] === 0 ? 0 : new Reader(first!).length()!
    const rows = rest.slice(columns + 1).filter((body) => body[0] !== 0xfe)
    return rows.map((body) => {
      const reader = new Reader(body)
      return Array.from({ length: columns }, () => reader.value()?.toString('utf8') ?? '')
    })
  }

  /** Carries out statements that have no rows. @throws DeviceError as `ask` */
  async run(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.ask(command(COMMAND.query, statement))
  }

  end(): void {
    this.#socket.destroy()
  }

  #until(isThere: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#settled = () => {
        if (!this.isClosed && !isThere()) return
        this.#settled = undefined
        resolve()
      }
      this.#settled()
    })
  }

  #take(bytes: Uint8Array): void {
    for (const { bytes: all, body } of this.#server.take(bytes)) {
      if (this.greeting.length === 0) this.greeting = Buffer.from(body)
      else {
        this.#answers.take(body)
        this.#output.push(Buffer.from(all))
      }
    }
    this.#settled?.()
  }
}

/** Why a session does nothing. */
export interface Wait {
  /** The connections that have what it waits for, as far as the server says. */
  readonly by: readonly number[]
}
