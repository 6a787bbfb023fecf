/** Sessions of a device of PostgreSQL, without a world: their time is that of the test. */
import type { PostgresTarget } from '../../src/contract/database.ts'
import type { Outcome } from '../../src/devices/device.ts'
import { postgresProtocol } from '../../src/devices/postgres/conversation.ts'
import { int32, message, query } from '../../src/devices/postgres/messages.ts'
import { PostgresDevice } from '../../src/devices/postgres/postgres-device.ts'
import { startDatabases } from '../../src/devices/servers/start.ts'
import type { PostgresOptions } from '../../src/options/databases.ts'

const EPOCH_US = Date.UTC(2026, 0, 1) * 1000

/** What a unit led to: answers by session in words, and who is blocked by whom. */
export interface Seen {
  readonly answers: Readonly<Record<number, string>>
  readonly blocked: Readonly<Record<number, readonly number[]>>
  /** In how many milliseconds something ends by itself. */
  readonly timed: Readonly<Record<number, number>>
}

export class PostgresSessions implements AsyncDisposable {
  readonly device: PostgresDevice
  readonly #conversations = new Map<number, ReturnType<typeof postgresProtocol.conversation>>()
  nowUs = EPOCH_US

  constructor(options: PostgresOptions, own: string) {
    const [target] = startDatabases({ main: { kind: 'postgres', ...options } })
    this.device = new PostgresDevice(target as PostgresTarget, `${process.pid}_${own}`)
  }

  async open(session: number, parameters: Readonly<Record<string, string>> = {}): Promise<Seen> {
    this.#conversations.set(session, postgresProtocol.conversation())
    await this.device.open(session, this.nowUs)
    const all = Object.entries({ user: 'postgres', database: 'norn', ...parameters }).flat()
    return this.send(session, message('', int32(0x30000), ...all, Buffer.from([0])))
  }

  sql(session: number, statement: string): Promise<Seen> {
    return this.send(session, query(statement))
  }

  async send(session: number, unit: Uint8Array): Promise<Seen> {
    return this.#seen(await this.device.hand(session, this.nowUs, unit))
  }

  /** Lets time pass until something in a session ends by itself. */
  async elapse(session: number, ms: number): Promise<Seen> {
    this.nowUs += ms * 1000
    return this.#seen(await this.device.elapse(session, this.nowUs))
  }

  async close(session: number): Promise<Seen> {
    return this.#seen(await this.device.close(session, this.nowUs))
  }

  /** The execution ends. */
  async end(): Promise<void> {
    await this.device.end()
    this.nowUs = EPOCH_US
  }

  /** What one statement answers in a session of its own. */
  async answer(statement: string): Promise<string> {
    await this.open(99)
    const { answers } = await this.sql(99, statement)
    await this.close(99)
    return answers[99]!
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.device.dispose()
  }

  #seen({ answers, blocked, timed }: Outcome): Seen {
    return {
      answers: Object.fromEntries(
        answers.map(({ session, bytes, isClosed }) => {
          const text = this.#conversations.get(session)!.answer(bytes)
          return [session, isClosed ? `${text} (closed)` : text]
        }),
      ),
      blocked: Object.fromEntries(blocked.map(({ session, by }) => [session, by])),
      timed: Object.fromEntries(timed.map(({ session, untilUs }) => [session, (untilUs - this.nowUs) / 1000])),
    }
  }
}
