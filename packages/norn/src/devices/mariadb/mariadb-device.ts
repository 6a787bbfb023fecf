/**
 * MariaDB as a device: a server of its own for each process, whose connections sessions of clients use one after the
 * other.
 *
 * A session of the server is a thread, of which a preloaded library says whether it does nothing but wait, and what it
 * waits for on the clock; the server says whether that is a lock. What releases a thread writes that down before it
 * answers its own client.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { MariadbTarget } from '../../contract/database.ts'
import { type Answer, type Device, DeviceError, type Outcome, type ServerError, withAnswer } from '../device.ts'
import { SessionClock } from '../session-clock.ts'
import { Backend } from './backend.ts'
import { capabilitiesFor, changed, greeting, type Login, loginOf } from './login.ts'
import { CAPABILITY, COMMAND, command, number, Packets, packet } from './packets.ts'
import { Restoring } from './restoring.ts'
import { serverFlags } from './settings.ts'
import { waitOf } from './waits.ts'

/** What norn itself agrees on. */
const OWN = CAPABILITY.protocol41 | CAPABILITY.secureConnection | CAPABILITY.pluginAuthentication

/** Commands that have a statement in clear. */
const WITH_SQL = new Set<number>([COMMAND.query, COMMAND.prepare])
/** What a server that takes part in executions cannot do. */
const REFUSED: Readonly<Record<number, string>> = {
  [COMMAND.shutdown]: 'shutdown',
  [COMMAND.binlogDump]: 'replication',
  [COMMAND.registerSlave]: 'replication',
}
const REFUSED_SQL: readonly (readonly [RegExp, string])[] = [
  [/^\s*shutdown\b/i, 'shutdown'],
  [/\bmax_statement_time\s*=\s*(?!0\b)[\d.]/i, 'max_statement_time'],
]

/** What the first byte of an answer says. */
const OK = 0
const ERROR = 0xff

const KILL = /^(\s*kill\s+(?:hard\s+|soft\s+)?(?:connection\s+|(query)\s+)?)(\d+)/i
/** Of RAND(): below the bound that it has for them, and far apart for sessions in a row. */
const MAX_SEED = 0x3fff_ffff
const SEEDS = [268_435_399, 715_827_883] as const
/** Added to the number of a session that there is not. */
const NOBODY = 1_000_000
const SECOND_US = 1_000_000

interface Session {
  readonly number: number
  backend: Backend | undefined
  readonly said: Buffer[]
  isClosed: boolean
}

interface State {
  readonly server: ChildProcess
  readonly control: Backend
  readonly restoring: Restoring
}

export class MariadbDevice implements Device {
  readonly #target: MariadbTarget
  readonly #own: string
  readonly #clock: SessionClock
  #state: State | undefined
  #isUsed = false
  #nowUs = 0
  /** The clock of the connection that asks: what the server remembers of waits is old at each look. */
  #askedUs = 1
  readonly #sessions = new Map<number, Session>()
  #idle: Backend[] = []

  /** @param own names what it makes in the folder of its servers */
  constructor(target: MariadbTarget, own: string) {
    this.#target = target
    this.#own = own
    this.#clock = new SessionClock(target.clock)
  }

  async open(number: number, atUs: number, error?: ServerError): Promise<Outcome> {
    const { control } = await this.#begin()
    this.#advance(atUs)
    if (error !== undefined) {
      const bytes = errorPacket(0, error)
      return withAnswer({ session: number, bytes, isClosed: true }, await this.#outcome())
    }
    this.#sessions.set(number, { number, backend: undefined, said: [], isClosed: false })
    return withAnswer({ session: number, bytes: greeting(control.greeting, number) }, await this.#outcome())
  }

  async hand(number: number, atUs: number, unit: Uint8Array, error?: ServerError): Promise<Outcome> {
    this.#advance(atUs)
    const session = this.#sessions.get(number)
    if (session === undefined) return this.#outcome()
    if (error !== undefined && session.backend !== undefined) {
      // A deadlock undoes the whole transaction.
      await session.backend.run('rollback')
      session.said.push(errorPacket(1, error, '#40001'))
      return this.#outcome(session)
    }
    const { body } = new Packets().take(unit).next().value!
    if (session.backend === undefined) await this.#logIn(session, loginOf(body))
    // Clients leave it to the server to close the connection.
    else if (body[0] === COMMAND.quit) session.isClosed = true
    else await this.#carryOut(session, session.backend, body, unit)
    return this.#outcome(session)
  }

  async elapse(number: number, atUs: number): Promise<Outcome> {
    this.#advance(atUs)
    const session = this.#sessions.get(number)
    const { backend } = session ?? {}
    if (backend === undefined || backend.hasAnswered) return this.#outcome()
    this.#clock.ring(backend.thread)
    await this.#goOn(backend)
    return this.#outcome(session)
  }

  async close(number: number, atUs: number): Promise<Outcome> {
    this.#advance(atUs)
    const session = this.#sessions.get(number)
    this.#sessions.delete(number)
    if (session?.backend !== undefined) await this.#release(session.backend)
    return this.#outcome()
  }

  async end(): Promise<void> {
    if (!this.#isUsed || this.#state === undefined) return
    this.#isUsed = false
    const backends = [...this.#sessions.values()].flatMap(({ backend }) => backend ?? [])
    this.#sessions.clear()
    try {
      for (const backend of backends) await this.#release(backend)
      await this.#state.control.run('commit')
      if (await this.#state.restoring.restore()) return
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error
    }
    await this.dispose()
  }

  async dispose(): Promise<void> {
    const { server, control } = this.#state ?? {}
    this.#state = undefined
    this.#isUsed = false
    for (const backend of this.#idle) backend.end()
    this.#idle = []
    this.#sessions.clear()
    control?.end()
    if (server === undefined || !isRunning(server)) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }

  /** An execution begins: what is deleted in it is not purged before its end, which would free gaps that are locked. */
  async #begin(): Promise<State> {
    const state = await this.#ready()
    if (this.#isUsed) return state
    await this.#asking().run('start transaction with consistent snapshot')
    this.#isUsed = true
    return state
  }

  /** Starts a server, unless there is one. @throws DeviceError */
  async #ready(): Promise<State> {
    if (this.#state !== undefined && isRunning(this.#state.server) && !this.#state.control.isClosed) return this.#state
    await this.dispose()
    const { program, library, clock, folder, data, as } = this.#target
    const [own, socket] = [this.#folder, this.#socket]
    await promisify(execFile)('/bin/sh', ['-c', `rm -rf "$0" && cp -a "$1" "$0"`, own, data])
    const server = spawn(program, serverFlags(own, socket), {
      ...as,
      stdio: 'ignore',
      env: { ...process.env, LD_PRELOAD: library, NORN_SESSIONS: clock, NORN_THREADED: '1' },
    })
    let why: string | undefined
    server.on('error', (error) => {
      why = error.message
    })
    if (server.pid !== undefined) writeFileSync(join(folder, `${server.pid}.pid`), '')
    for (;;) {
      if (why !== undefined || !isRunning(server)) throw this.#error(`${program} does not start: ${why ?? logOf(own)}`)
      try {
        const control = await Backend.open(socket, OWN)
        const restoring = await Restoring.of(control)
        this.#state = { server, control, restoring }
        return this.#state
      } catch (error) {
        if (isRunning(server) && isNotYet(error)) await later(5)
        else if (isRunning(server)) throw this.#error((error as Error).message)
      }
    }
  }

  /** The connection by which norn asks. */
  #asking(): Backend {
    const { control } = this.#state!
    this.#clock.begin(control.thread, (this.#askedUs += SECOND_US), 0)
    return control
  }

  async #logIn(session: Session, login: Login | undefined): Promise<void> {
    const refuse = (error: Buffer) => {
      session.said.push(error)
      session.isClosed = true
    }
    if (login === undefined) return refuse(packet(2, Buffer.from('\xff\x28\x04', 'latin1'), '#08S01Bad handshake'))
    const capabilities = capabilitiesFor(login)
    const at = this.#idle.findIndex((each) => each.capabilities === capabilities && !each.isClosed)
    const backend = at < 0 ? await this.#connect(capabilities) : this.#idle.splice(at, 1)[0]!
    session.backend = backend
    // No two statements of a connection begin at one moment: the second is a microsecond late, unless time steps back.
    this.#clock.begin(backend.thread, SECOND_US, session.number)
    // It answers the second packet of a client that begins.
    const answer = await backend.become(login, 2)
    this.#clock.set(backend.thread, this.#nowUs)
    if (answer[4] === ERROR) return refuse(answer)
    session.said.push(answer)
    await this.#steady(session)
  }

  async #connect(capabilities: number): Promise<Backend> {
    return Backend.open(this.#socket, capabilities).catch((error) => {
      throw this.#error(`the server refuses a session: ${error.message}`)
    })
  }

  /** A session counts within its execution, and its randomness follows from that. */
  async #steady({ backend, number }: Session): Promise<void> {
    const seeds = `rand_seed1 = ${(number * SEEDS[0]) % MAX_SEED}, rand_seed2 = ${(number * SEEDS[1]) % MAX_SEED}`
    await backend!.run(`set pseudo_thread_id = ${number}, ${seeds}`)
  }

  async #carryOut(session: Session, backend: Backend, body: Buffer, unit: Uint8Array): Promise<void> {
    const number = body[0]!
    const sql = WITH_SQL.has(number) ? body.toString('utf8', 1) : ''
    const refused = REFUSED[number] ?? REFUSED_SQL.find(([pattern]) => pattern.test(sql))?.[1]
    if (refused !== undefined) throw this.#error(`norn does not support ${refused}`)
    this.#state!.restoring.sees(sql)
    if (number === COMMAND.changeUser) return this.#restart(session, await backend.become(changed(body), 1))
    const kill = killOf(body)
    if (kill === undefined) backend.send(unit)
    else backend.send(command(COMMAND.query, `${kill.verb}${this.#idOf(kill.session)}`))
    await this.#settle(backend)
    if (number === COMMAND.resetConnection) await this.#restart(session, backend.take())
    if (kill?.isOfQuery !== false) return
    const killed = this.#sessions.get(kill.session)?.backend
    if (killed?.hasAnswered) await killed.closed()
  }

  /** A client has made its session as new. */
  async #restart(session: Session, answer: Buffer): Promise<void> {
    session.said.push(answer)
    if (answer[4] === OK) await this.#steady(session)
  }

  /** The number of a session's connection in the server; one that there is not stays as it is. */
  #idOf(session: number): number {
    return this.#sessions.get(session)?.backend?.id ?? NOBODY + session
  }

  /** What a session has left open is undone. */
  async #release(backend: Backend): Promise<void> {
    if (!backend.hasAnswered && !backend.isClosed) {
      await this.#asking().run(`kill query ${backend.id}`)
      this.#clock.hold(backend.thread, false)
      await backend.settled()
    }
    if (!backend.isClosed) await backend.ask(command(COMMAND.resetConnection)).catch(() => backend.end())
    backend.take()
    backend.wait = undefined
    this.#clock.end(backend.thread)
    if (!backend.isClosed) this.#idle.push(backend)
  }

  /** Until a backend has answered, or waits for others or for time. */
  async #settle(backend: Backend): Promise<void> {
    const settled = backend.settled().then(() => true)
    while (!(await Promise.race([settled, later(1)]))) {
      if (!this.#clock.isAsleep(backend.thread)) continue
      const wait = await waitOf(this.#asking(), backend)
      if (wait === undefined || !this.#clock.isAsleep(backend.thread)) continue
      backend.wait = wait
      // Of several that a unit releases, one goes on after the other.
      this.#clock.hold(backend.thread, true)
      return
    }
    backend.wait = undefined
    if (backend.isClosed) await this.#checkServer()
  }

  /** What waited does so no longer. */
  async #goOn(backend: Backend): Promise<void> {
    this.#clock.hold(backend.thread, false)
    await this.#settle(backend)
  }

  /** How things stand, after a unit of a session. */
  async #outcome(first?: Session): Promise<Outcome> {
    await this.#settleReleased()
    const others = [...this.#sessions.values()].filter((each) => each !== first).sort((a, b) => a.number - b.number)
    const all = first === undefined ? others : [first, ...others]
    const answers: Answer[] = []
    for (const session of all) {
      const { said, backend, number } = session
      const bytes = Buffer.concat([...said.splice(0), ...(backend === undefined ? [] : [backend.take()])])
      const isClosed = session.isClosed || backend?.isClosed === true
      if (bytes.length > 0 || isClosed) answers.push({ session: number, bytes, isClosed })
      if (!isClosed) continue
      this.#sessions.delete(number)
      if (backend !== undefined) await this.#release(backend)
    }
    const numbers = new Map([...this.#sessions.values()].map(({ number, backend }) => [backend?.id, number]))
    const waiting = [...this.#sessions.values()].filter(({ backend }) => backend?.wait !== undefined)
    return {
      answers,
      blocked: waiting.map(({ number, backend }) => ({
        session: number,
        by: backend!.wait!.by.flatMap((id) => numbers.get(id) ?? []),
      })),
      timed: waiting.flatMap(({ number, backend }) => {
        const timed = this.#clock.timed(backend!.thread)
        return timed === undefined ? [] : [{ session: number, untilUs: timed.untilUs }]
      }),
    }
  }

  /** What a unit releases goes on, until all have answered or wait again. */
  async #settleReleased(): Promise<void> {
    for (let isStill = false; !isStill; ) {
      isStill = true
      for (const { backend } of [...this.#sessions.values()].sort((a, b) => a.number - b.number)) {
        if (backend?.wait === undefined || this.#clock.isAsleep(backend.thread)) continue
        isStill = false
        await this.#goOn(backend)
      }
    }
  }

  /** A connection is closed: the program may have asked for it, or the server is gone. */
  async #checkServer(): Promise<void> {
    try {
      await this.#state!.control.run('select 1')
    } catch (error) {
      throw this.#error(`the server is gone: ${(error as Error).message}: ${logOf(this.#folder)}`)
    }
  }

  #advance(nowUs: number): void {
    this.#nowUs = nowUs
    for (const { backend } of this.#sessions.values()) if (backend !== undefined) this.#clock.set(backend.thread, nowUs)
  }

  /** Of the server's data. */
  get #folder(): string {
    return join(this.#target.folder, `${this.#target.name}-${this.#own}`)
  }

  get #socket(): string {
    return `${this.#folder}.sock`
  }

  #error(text: string): DeviceError {
    return new DeviceError(`database ${this.#target.name}: ${text}`)
  }
}

/** @param state what stands before the text, once both sides have agreed on a protocol that has it */
function errorPacket(sequence: number, { code, text }: ServerError, state = ''): Buffer {
  return packet(sequence, Buffer.from([ERROR]), number(Number(code), 2), Buffer.from(state + text))
}

interface Kill {
  /** The statement up to the number of the session. */
  readonly verb: string
  readonly session: number
  /** It ends a statement, not the session. */
  readonly isOfQuery: boolean
}

/** Reads a command by which a client ends another, or its statement. */
function killOf(body: Buffer): Kill | undefined {
  if (body[0] === COMMAND.kill) return { verb: 'kill ', session: body.readUInt32LE(1), isOfQuery: false }
  const found = body[0] === COMMAND.query ? KILL.exec(body.toString('utf8', 1)) : null
  return found === null ? undefined : { verb: found[1]!, session: Number(found[3]), isOfQuery: found[2] !== undefined }
}

const later = (ms: number): Promise<false> => new Promise((resolve) => setTimeout(resolve, ms, false))

function logOf(data: string): string {
  try {
    return readFileSync(join(data, 'log.err'), 'utf8').trim().split('\n').slice(-5).join('\n')
  } catch {
    return 'it ended'
  }
}

function isNotYet(error: unknown): boolean {
  return error instanceof DeviceError && ['ENOENT', 'ECONNREFUSED'].includes(error.code!)
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}
