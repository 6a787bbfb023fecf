/**
 * Redis as a device: a server of its own for each process, which carries out one unit at a time.
 *
 * Redis has one thread: once it has answered two PINGs that came behind a command, the command has been carried out,
 * and all that it caused has been sent. One without an answer by then is blocked. How long commands wait, when keys
 * expire and what is random is virtual.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RedisTarget } from '../../contract/database.ts'
import { type Answer, type Device, DeviceError, type Outcome, type ServerError, withAnswer } from '../device.ts'
import { SessionClock } from '../session-clock.ts'
import { type Blocking, blockingOf } from './blocking.ts'
import { Connection } from './connection.ts'
import { Contents } from './contents.ts'
import { Values, words } from './resp.ts'
import { asIs, type Steadying, steadying } from './steadying.ts'

/** Nothing is to survive the process, and nothing happens by itself. */
const SETTINGS = {
  port: '0',
  save: '',
  appendonly: 'no',
  activerehashing: 'no',
  'io-threads': '1',
  timeout: '0',
  'enable-debug-command': 'local',
}

interface Session {
  readonly number: number
  readonly connection: Connection
  /** Its number in the server. */
  readonly id: string
  /** Replies that it has to have for its units so far. */
  wanted: number
  /** Whether it listens to channels: then answers are not counted. */
  isListening: boolean
  blocked: (Blocking & { readonly untilUs: number | undefined }) | undefined
}

export class RedisDevice implements Device {
  readonly #target: RedisTarget
  readonly #own: string
  readonly #clock: SessionClock | undefined
  #state: State | undefined
  #isUsed = false
  readonly #sessions = new Map<number, Session>()

  /** @param own names what it makes in the folder of its servers */
  constructor(target: RedisTarget, own: string) {
    this.#target = target
    this.#own = own
    this.#clock = target.clock === undefined ? undefined : new SessionClock(target.clock)
  }

  async open(number: number, atUs: number, error?: ServerError): Promise<Outcome> {
    const { server, contents } = await this.#ready()
    if (!this.#isUsed) {
      this.#isUsed = true
      this.#clock?.begin(server.pid!, atUs, 1)
      await contents.restore()
    }
    this.#advance(atUs)
    if (error !== undefined) {
      const bytes = Buffer.from(`-${error.code} ${error.text}\r\n`)
      return withAnswer({ session: number, bytes, isClosed: true }, await this.#outcome(undefined))
    }
    const connection = await Connection.open({ path: this.#socket })
    const [id] = await connection.ask(['CLIENT', 'ID'])
    const session = { number, connection, id: id!.toString('latin1', 1).trim(), wanted: connection.replies }
    this.#sessions.set(number, { ...session, isListening: false, blocked: undefined })
    return this.#outcome(undefined)
  }

  async hand(number: number, atUs: number, unit: Uint8Array): Promise<Outcome> {
    this.#advance(atUs)
    const session = this.#sessions.get(number)
    if (session === undefined) return this.#outcome(undefined)
    const commands = new Values().take(unit).map(words)
    const [first] = commands as [Buffer[]]
    const verb = first[0]!.toString('latin1').toLowerCase()
    const refused = REFUSED[verb]
    if (refused !== undefined) throw new DeviceError(`database ${this.#target.name}: norn does not support ${refused}`)
    const blocking = commands.length === 1 ? blockingOf(first) : undefined
    if (/^[ps]?subscribe$/.test(verb)) session.isListening = true
    session.wanted += commands.length
    session.connection.send(blocking?.bytes ?? unit)
    // With nobody else who could hear of it, the answer is all there is.
    if (blocking === undefined && !this.#isHeard()) await session.connection.until(session.wanted)
    else await this.#settle()
    const isOpen = session.connection.replies < session.wanted && !session.isListening
    if (isOpen && blocking !== undefined) {
      const { patienceUs } = blocking
      session.blocked = { ...blocking, untilUs: patienceUs === undefined ? undefined : atUs + patienceUs }
    }
    if (verb === 'quit') await session.connection.closed()
    return this.#outcome(session, steadying(verb, first[1]))
  }

  /** A command has waited as long as its client wanted. */
  async elapse(number: number, atUs: number): Promise<Outcome> {
    this.#advance(atUs)
    const session = this.#sessions.get(number)
    if (session?.blocked !== undefined) {
      await this.#state!.control.ask(['CLIENT', 'UNBLOCK', session.id, 'TIMEOUT'])
      await this.#settle()
    }
    return this.#outcome(session)
  }

  async close(number: number, atUs: number): Promise<Outcome> {
    this.#advance(atUs)
    const session = this.#sessions.get(number)
    this.#sessions.delete(number)
    session?.connection.end()
    // The server notices while it serves others.
    if (session !== undefined) await this.#settle()
    return this.#outcome(undefined)
  }

  async forget(): Promise<void> {
    await this.#state?.control.ask(['SCRIPT', 'FLUSH'])
  }

  async end(): Promise<void> {
    if (!this.#isUsed) return
    this.#isUsed = false
    for (const { connection } of this.#sessions.values()) connection.end()
    this.#sessions.clear()
    if (this.#state !== undefined) this.#clock?.end(this.#state.server.pid!)
  }

  async dispose(): Promise<void> {
    const { server, control } = this.#state ?? {}
    this.#state = undefined
    control?.end()
    if (server === undefined || !isRunning(server)) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }

  get #socket(): string {
    return join(this.#target.folder, `${this.#target.name}-${this.#own}.sock`)
  }

  /** Starts a server, unless there is one. @throws DeviceError */
  async #ready(): Promise<State> {
    if (this.#state !== undefined && isRunning(this.#state.server) && !this.#state.control.isClosed) return this.#state
    const { program, library, folder, prepare, copied } = this.#target
    const settings = { ...SETTINGS, unixsocket: this.#socket, dir: folder }
    const server = spawn(program, [...Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value])], {
      stdio: 'ignore',
      env: { ...process.env, LD_PRELOAD: library, NORN_SESSIONS: this.#target.clock, NORN_STEADY: '1' },
    })
    let why: string | undefined
    server.on('error', (error) => {
      why = error.message
    })
    if (server.pid !== undefined) writeFileSync(join(folder, `${server.pid}.pid`), '')
    for (;;) {
      if (why !== undefined || !isRunning(server))
        throw new DeviceError(
          `database ${this.#target.name}: ${program} does not start: ${why ?? `it ended with ${server.exitCode ?? server.signalCode}`}`,
        )
      try {
        const control = await Connection.open({ path: this.#socket })
        // Keys expire when they are asked for, so that the moment is the same each time.
        await control.ask(['DEBUG', 'SET-ACTIVE-EXPIRE', '0'])
        const contents = await Contents.of(control, prepare, copied)
        this.#state = { server, control, contents }
        return this.#state
      } catch (error) {
        if (isRunning(server) && isNotYet(error)) await new Promise((resolve) => setTimeout(resolve, 5))
        else if (isRunning(server)) throw new DeviceError(`database ${this.#target.name}: ${(error as Error).message}`)
      }
    }
  }

  #advance(nowUs: number): void {
    const pid = this.#state?.server.pid
    if (pid !== undefined) this.#clock?.set(pid, nowUs)
  }

  /** Whether another session may hear of a command. */
  #isHeard(): boolean {
    for (const { isListening, blocked } of this.#sessions.values()) if (isListening || blocked) return true
    return false
  }

  /** Until all that was sent has been carried out, and what it caused has arrived. */
  async #settle(): Promise<void> {
    const { control } = this.#state!
    await control.ask(['PING'])
    await control.ask(['PING'])
    // What has arrived with the answer is read in the same turn.
    await new Promise((resolve) => setImmediate(resolve))
  }

  /** @param steady what the answer to the first session is as clients get it */
  async #outcome(first: Session | undefined, steady: Steadying = asIs): Promise<Outcome> {
    const others = [...this.#sessions.values()].filter((each) => each !== first).sort((a, b) => a.number - b.number)
    const all = first === undefined ? others : [first, ...others]
    const answers: Answer[] = []
    for (const session of all) {
      const { connection, number } = session
      if (connection.replies >= session.wanted) session.blocked = undefined
      const taken = connection.take()
      const [bytes, isClosed] = [session === first ? steady(taken, number) : taken, connection.isClosed]
      if (isClosed) await this.#checkServer()
      if (bytes.length > 0 || isClosed) answers.push({ session: number, bytes, isClosed })
      if (isClosed) this.#sessions.delete(number)
    }
    const blocked = all.flatMap(({ number, blocked }) => (blocked === undefined ? [] : [{ session: number, by: [] }]))
    const timed = all.flatMap(({ number, blocked }) =>
      blocked?.untilUs === undefined ? [] : [{ session: number, untilUs: blocked.untilUs }],
    )
    return { answers, blocked, timed }
  }

  /** A connection is closed: the program may have asked for it, or the server is gone. */
  async #checkServer(): Promise<void> {
    try {
      await this.#state!.control.ask(['PING'])
    } catch (error) {
      throw new DeviceError(`database ${this.#target.name}: the server is gone: ${(error as Error).message}`)
    }
  }
}

interface State {
  readonly server: ChildProcess
  readonly control: Connection
  readonly contents: Contents
}

/** What a server that takes part in executions cannot do. */
const REFUSED: Readonly<Record<string, string>> = {
  monitor: 'MONITOR',
  sync: 'replication',
  psync: 'replication',
  replicaof: 'replication',
  slaveof: 'replication',
  shutdown: 'SHUTDOWN',
  debug: 'DEBUG',
}

function isNotYet(error: unknown): boolean {
  return error instanceof DeviceError && ['ENOENT', 'ECONNREFUSED'].includes(error.code!)
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}
