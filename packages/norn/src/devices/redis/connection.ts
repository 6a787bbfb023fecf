/** A real connection to a Redis server. */
import { connect, type Socket } from 'node:net'
import type { ServerAddress } from '../../contract/database.ts'
import { DeviceError } from '../device.ts'
import { command, Values, valueText } from './resp.ts'

export class Connection {
  readonly #socket: Socket
  readonly #values = new Values()
  #output: Buffer[] = []
  #changed: (() => void) | undefined
  /** Values that have come, but for what the server sends by itself in RESP 3. */
  #replies = 0
  isClosed = false

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  /** @throws DeviceError */
  static async open(server: ServerAddress): Promise<Connection> {
    const socket = connect('path' in server ? server : { ...server, noDelay: true })
    const connection = new Connection(socket)
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', resolve)
      socket.on('error', (error) => reject(new DeviceError(error.message, (error as NodeJS.ErrnoException).code)))
    })
    socket.on('data', (bytes) => {
      for (const value of connection.#values.take(bytes)) {
        connection.#output.push(value)
        if (value[0] !== 62) connection.#replies++
      }
      connection.#changed?.()
    })
    socket.on('close', () => {
      connection.isClosed = true
      connection.#changed?.()
    })
    return connection
  }

  get replies(): number {
    return this.#replies
  }

  send(bytes: Uint8Array): void {
    this.#socket.write(bytes)
  }

  /** Until so many replies have come in all, or the server closes. */
  async until(replies: number): Promise<void> {
    while (this.#replies < replies && !this.isClosed) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve
      })
    }
  }

  /** Until the server has closed it. */
  closed(): Promise<void> {
    return this.until(Number.POSITIVE_INFINITY)
  }

  /** What has come since the last call. */
  take(): Buffer {
    const output = Buffer.concat(this.#output)
    this.#output = []
    return output
  }

  /**
   * Carries out commands.
   *
   * @returns their replies
   * @throws DeviceError for an error, or if the connection is lost
   */
  async ask(...commands: readonly (readonly (string | Buffer)[])[]): Promise<Buffer[]> {
    const wanted = this.#replies + commands.length
    this.send(Buffer.concat(commands.map((words) => command(...words))))
    await this.until(wanted)
    const replies = this.#output
    this.#output = []
    if (this.#replies < wanted) throw new DeviceError('it closed the connection')
    const error = replies.find((reply) => reply[0] === 45)
    if (error !== undefined) throw new DeviceError(valueText(error))
    return replies
  }

  end(): void {
    this.#socket.destroy()
  }
}
