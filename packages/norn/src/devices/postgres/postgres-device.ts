/**
 * PostgreSQL as a device: sessions of clients on backends that stay connected, one database of its own, which is put
 * back after each execution.
 */
import type { PostgresTarget } from '../../contract/database.ts'
import { type Answer, type Device, DeviceError, type Outcome, type ServerError } from '../device.ts'
import { SessionClock, type Timed } from '../session-clock.ts'
import { ANNOUNCING, Backend } from './backend.ts'
import { Connection, type Login } from './connection.ts'
import { CODES, errorMessage, int32, message, query } from './messages.ts'
import { resting, signalled } from './process-state.ts'
import { name } from './quoting.ts'
import { Restoring } from './restoring.ts'
import { errorIn, parametersOf, statementsOf } from './startup.ts'
import { type Wait, waitsOf } from './waits.ts'

/** Real time after which the server is asked what a session waits for that has said nothing, in milliseconds. */
const LOOK_MS = 25

/** What a reset of a session does, beside undoing its transaction. */
const RESET = 'discard all'

/** The type of the message by which a client leaves. */
const TERMINATE = 'X'.charCodeAt(0)

/** Functions by which one session ends another, or what it does. */
const SIGNALS = 'pg_(cancel|terminate)_backend'

class Session {
  readonly number: number
  backend: Backend | undefined
  /** The sessions that block it. */
  blockedBy: readonly number[] = []
  /** What it is sent beside the answers of its backend. */
  readonly said: Buffer[] = []
  isClosed = false

  constructor(number: number) {
    this.number = number
  }
}

export class PostgresDevice implements Device {
  readonly #target: PostgresTarget
  /** The name of the database that is this process's own. */
  readonly #own: string
  #made = 0
  #state: State | undefined
  readonly #clock: SessionClock | undefined
  /** The virtual moment, in microseconds since 1970. */
  #nowUs = 0
  readonly #sessions = new Map<number, Session>()
  #idle: Backend[] = []
  /** Whether sessions may have sent signals to others. */
  #signals = false

  /** @param own tells the databases that it makes from those of other processes */
  constructor(target: PostgresTarget, own: string) {
    this.#target = target
    this.#own = `${target.template}_${own}`
    this.#clock = target.clock === undefined ? undefined : new SessionClock(target.clock)
  }

  async open(session: number, atUs: number): Promise<Outcome> {
    await this.#ready()
    this.#advance(atUs)
    this.#sessions.set(session, new Session(session))
    return this.#outcome()
  }

  async hand(number: number, atUs: number, unit: Uint8Array, error?: ServerError): Promise<Outcome> {
    this.#advance(atUs)
    const session = this.#sessions.get(number)
    if (session === undefined) return this.#outcome()
    const { backend } = session
    if (error !== undefined) await this.#refuse(session, error)
    else if (backend === undefined) await this.#begin(session, Buffer.from(unit))
    else if (unit[0] === TERMINATE) return this.close(number, atUs)
    else {
      const text = Buffer.from(unit).toString('latin1')
      if (/\blisten\b/i.test(text)) backend.listens = true
      this.#clock?.hold(backend.pid, false)
      backend.send(unit)
      await this.#settle(backend)
      if (new RegExp(SIGNALS, 'i').test(text)) {
        this.#signals = true
        await this.#pingOthers(session)
      }
    }
    return this.#outcome(session)
  }

  async elapse(number: number, atUs: number): Promise<Outcome> {
    this.#advance(atUs)
    const session = this.#sessions.get(number)
    const { backend } = session ?? {}
    if (backend === undefined || backend.isClosed) return this.#outcome()
    this.#clock?.hold(backend.pid, false)
    process.kill(backend.pid, 'SIGALRM')
    // One that is idle may only be closed by it.
    if (backend.hasAnswered) await Promise.race([backend.closed(), later(LOOK_MS)])
    else await this.#settle(backend)
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
    if (this.#state === undefined) return
    const backends = this.#backends()
    for (const { pid } of backends) this.#clock?.end(pid)
    this.#sessions.clear()
    try {
      await this.#cancel(backends.filter(({ hasAnswered }) => !hasAnswered))
      await Promise.all(backends.map((backend) => backend.reset(RESET)))
      this.#idle.push(...backends.filter(({ isClosed }) => !isClosed))
      if (await this.#state.restoring.restore()) return
    } catch (error) {
      // A server that has ended is looked for again by the next execution.
      if (!(error instanceof DeviceError)) throw error
    }
    this.#forget()
  }

  async dispose(): Promise<void> {
    const { database } = this.#state ?? {}
    this.#forget()
    if (database !== undefined) await this.#drop(database)
  }

  #backends(): Backend[] {
    return [...this.#sessions.values()].flatMap(({ backend }) => backend ?? [])
  }

  #login(database: string, settings?: Login['settings']): Login {
    const { server, user, password } = this.#target
    return { server, user, password, database, settings: { client_encoding: 'UTF8', ...settings } }
  }

  /** Makes the database, unless there is one. @throws DeviceError that says what is wrong */
  async #ready(): Promise<State> {
    if (this.#state !== undefined) return this.#state
    try {
      const log = await Connection.open(this.#login(ADMINISTRATION))
      const database = `${this.#own}_${++this.#made}`
      await log.rows(`create database ${name(database)} template ${name(this.#target.template)}`)
      const control = await Connection.open(this.#login(database))
      const canRead = await Restoring.canRead(log)
      const restoring = await Restoring.of(control, canRead ? log : undefined)
      const [[isSuper]] = (await control.rows('select rolsuper from pg_roles where rolname = current_user')) as [
        [string],
      ]
      const sources = `select exists (select from pg_proc where oid >= 16384 and prosrc ~* '${SIGNALS}')`
      const [[signals]] = (await control.rows(sources)) as [[string]]
      this.#signals ||= signals === 't'
      this.#state = { log, control, restoring, database, announces: isSuper === 't' }
      return this.#state
    } catch (error) {
      throw new DeviceError(`database ${this.#target.name}: ${(error as Error).message}`)
    }
  }

  /** The database is made anew for the next execution. */
  #forget(): void {
    const { log, control, database } = this.#state ?? {}
    this.#state = undefined
    for (const backend of [...this.#idle, ...this.#backends()]) backend.connection.end()
    this.#idle = []
    this.#sessions.clear()
    log?.end()
    control?.end()
    if (database !== undefined && !log!.isClosed) void this.#drop(database).catch(() => {})
  }

  async #drop(database: string): Promise<void> {
    const connection = await Connection.open(this.#login(ADMINISTRATION))
    await connection.rows(`drop database if exists ${name(database)} with (force)`)
    connection.end()
  }

  /** What a client sends before it has a session: it names itself. */
  async #begin(session: Session, unit: Buffer): Promise<void> {
    const code = unit.readInt32BE(4)
    if (code === CODES.tls || code === CODES.gss) {
      session.said.push(Buffer.from('N'))
      return
    }
    if (code === CODES.cancel) {
      const other = this.#sessions.get(unit.readInt32BE(8))?.backend
      if (other !== undefined && !other.hasAnswered) {
        await this.#cancel([other])
        await resting(other)
      }
      session.isClosed = true
      return
    }
    const parameters = new Map(parametersOf(unit.subarray(4)))
    const refuse = (code: string, text: string) => {
      session.said.push(errorMessage('FATAL', code, text))
      session.isClosed = true
    }
    const { database = this.#target.database } = Object.fromEntries(parameters)
    if (parameters.has('replication')) return refuse('0A000', 'norn does not support replication connections')
    if (database !== this.#target.database) return refuse('3D000', `database "${database}" does not exist`)
    const backend = await this.#backend()
    session.backend = backend
    this.#clock?.begin(backend.pid, this.#nowUs, session.number)
    const statements = statementsOf(parameters, this.#target.user, 1 / (session.number + 1))
    backend.send(Buffer.concat(statements.map(query)))
    await this.#settle(backend)
    const error = errorIn(backend.take())
    if (error !== undefined) {
      session.said.push(errorMessage('FATAL', error.code, error.text))
      session.isClosed = true
      return
    }
    session.said.push(
      message('R', int32(0)),
      ...[...backend.connection.parameters].map((pair) => message('S', ...pair)),
      message('K', int32(session.number), int32(0)),
      message('Z', Buffer.from('I')),
    )
  }

  /** The real transaction fails, too. */
  async #refuse(session: Session, { code, text, isFinal }: ServerError): Promise<void> {
    const { said, backend } = session
    if (backend === undefined) {
      said.push(errorMessage('FATAL', code, text))
      session.isClosed = true
      return
    }
    const wrong = backend.status === 'T' ? ['norn'] : []
    backend.send(Buffer.concat([...wrong, ...(isFinal ? ['rollback'] : [])].map(query)))
    await this.#settle(backend)
    backend.take()
    said.push(errorMessage('ERROR', code, text), message('Z', Buffer.from(backend.status)))
  }

  async #backend(): Promise<Backend> {
    const idle = this.#idle.shift()
    if (idle !== undefined && !idle.isClosed) return idle
    const { database, announces } = await this.#ready()
    const sessionOf = (pid: number) => [...this.#sessions.values()].find(({ backend }) => backend?.pid === pid)?.number
    // Other processes share the server: what it lacks is not of this execution.
    const backend = await Backend.open(this.#login(database, announces ? ANNOUNCING : {}), sessionOf).catch((error) => {
      throw new DeviceError(`database ${this.#target.name}: the server refuses a session: ${error.message}`)
    })
    await backend.reset(RESET)
    return backend
  }

  async #release(backend: Backend): Promise<void> {
    if (backend.isClosed) return
    this.#clock?.end(backend.pid)
    if (!backend.hasAnswered) await this.#cancel([backend])
    await backend.reset(RESET)
    if (!backend.isClosed) this.#idle.push(backend)
  }

  async #cancel(backends: readonly Backend[]): Promise<void> {
    if (backends.length === 0) return
    await this.#state!.control.rows(...backends.map(({ pid }) => `select pg_cancel_backend(${pid})`))
  }

  /** Until a backend has answered or is blocked. */
  async #settle(backend: Backend): Promise<void> {
    const settled = backend.settled()
    let before: string | undefined
    for (;;) {
      const isSettled = await Promise.race([settled.then(() => true), later(LOOK_MS)])
      if (isSettled) break
      // What the server does not announce: then it has looked for a deadlock long since.
      const [{ lock, isBlocked }] = (await waitsOf(this.#state!.control, [backend])) as [Wait]
      if ((isBlocked && lock === before) || this.#timed(backend)?.isAsleep) backend.waits()
      before = lock
    }
    if (backend.isClosed) await this.#checkServer()
    if (backend.trouble !== undefined) throw new DeviceError(`database ${this.#target.name}: ${backend.trouble}`)
  }

  /** A backend has closed its connection: the program may have ended it, or the server. */
  async #checkServer(): Promise<void> {
    try {
      await this.#state!.control.rows('select 1')
    } catch (error) {
      throw new DeviceError(`database ${this.#target.name}: the server is gone: ${(error as Error).message}`)
    }
  }

  /** Virtual time has passed. */
  #advance(nowUs: number): void {
    this.#nowUs = nowUs
    if (this.#clock === undefined) return
    for (const { pid } of this.#backends()) this.#clock.set(pid, nowUs)
  }

  #timed({ pid }: Backend): Timed | undefined {
    return this.#clock?.timed(pid)
  }

  /** How things stand, after a unit of a session. */
  async #outcome(first?: Session): Promise<Outcome> {
    await this.#settleBlocked()
    await this.#notify(first)
    for (const { backend } of this.#sessions.values()) if (backend?.isEnding) await backend.closed()
    const answers: Answer[] = []
    const others = [...this.#sessions.values()].filter((each) => each !== first).sort((a, b) => a.number - b.number)
    for (const session of first === undefined ? others : [first, ...others]) {
      const { said, backend, number } = session
      const bytes = Buffer.concat([...said.splice(0), ...(backend === undefined ? [] : [backend.take()])])
      const isClosed = session.isClosed || backend?.isClosed === true
      if (bytes.length > 0 || isClosed) answers.push({ session: number, bytes, isClosed })
      if (!isClosed) continue
      this.#sessions.delete(number)
      if (backend !== undefined) await this.#release(backend)
    }
    const blocked = [...this.#sessions.values()].filter(({ backend }) => backend?.isBlocked)
    const timed = [...this.#sessions.values()].flatMap(({ number, backend }) => {
      // Outside of a transaction nothing is timed; an alarm that is left there does nothing.
      if (backend === undefined || (backend.hasAnswered && backend.status === 'I')) return []
      const found = this.#timed(backend)
      return found === undefined ? [] : [{ session: number, untilUs: found.untilUs }]
    })
    return { answers, blocked: blocked.map(({ number, blockedBy }) => ({ session: number, by: blockedBy })), timed }
  }

  /** What a unit releases goes on, until all have answered or are blocked again. */
  async #settleBlocked(): Promise<void> {
    for (;;) {
      const open = [...this.#sessions.values()].filter(
        ({ backend }) => backend?.hasAnswered === false && !backend.isClosed,
      )
      if (open.length === 0) return
      // A signal has its effect first: who sends one does not wait for it.
      if (this.#signals) for (const { backend } of open) await resting(backend!)
      const waits = await waitsOf(
        this.#state!.control,
        open.map(({ backend }) => backend!),
      )
      let hasChanged = false
      for (const [index, session] of open.entries()) {
        const { lock, by, isBlocked } = waits[index]!
        const backend = session.backend!
        if (this.#timed(backend)?.isAsleep) continue
        if (backend.isBlocked && isBlocked && [undefined, lock].includes(backend.waitsFor)) {
          backend.waitsFor = lock
          // Of several that a unit releases, one goes on after the other.
          this.#clock?.hold(backend.pid, true)
          session.blockedBy = [...this.#sessions.values()]
            .filter((each) => each.backend !== undefined && by.includes(each.backend.pid))
            .map(({ number }) => number)
          continue
        }
        hasChanged = true
        backend.waitsFor = undefined
        this.#clock?.hold(backend.pid, false)
        await this.#settle(backend)
      }
      if (!hasChanged) return
    }
  }

  /** Sessions that are idle hear of notifications when they next look. */
  async #notify(first: Session | undefined): Promise<void> {
    for (const session of this.#sessions.values()) {
      const { backend } = session
      if (session === first || backend === undefined || !backend.listens) continue
      if (backend.hasAnswered && backend.status === 'I' && !backend.isClosed) await backend.ping()
    }
  }

  /** A backend that another has ended says so when it is asked. */
  async #pingOthers(first: Session): Promise<void> {
    for (const { backend } of [...this.#sessions.values()].filter((each) => each !== first)) {
      if (!backend?.hasAnswered || backend.isClosed) continue
      // What is sent to one that has ended would drop what it has said.
      await signalled(backend)
      if (!backend.isClosed) await backend.ping()
    }
  }
}

interface State {
  readonly log: Connection
  readonly control: Connection
  readonly restoring: Restoring
  readonly database: string
  /** Whether backends say that they wait for a lock. */
  readonly announces: boolean
}

/** The database in which databases are made and the log is read. */
const ADMINISTRATION = 'postgres'

const later = (ms: number) => new Promise<false>((resolve) => setTimeout(resolve, ms, false))
