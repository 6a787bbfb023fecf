/**
 * A backend of the real server that sessions of clients use, one after the other.
 *
 * It is known by what it sends whether it has answered or is blocked: each message of a client has an answer of its
 * own, and with `log_lock_waits` and `client_min_messages = log` a backend says that it waits for a lock, once
 * `deadlock_timeout` has passed and it has looked for a deadlock. So the last that joins a circle of waits is its
 * victim, whatever the machine does.
 */
import { Connection, type Login } from './connection.ts'
import { Frames, fields, type Message, message, query } from './messages.ts'
import { isBackend } from './process-state.ts'

/** What a session needs to be announced when it waits. Only a superuser may ask for it. */
export const ANNOUNCING = { client_min_messages: 'log', log_lock_waits: 'on', deadlock_timeout: '1', lc_messages: 'C' }

/** The messages that end the answer to each message of a client. */
const ANSWERS: Readonly<Record<string, string>> = { P: '1', B: '2', C: '3', D: 'Tn', E: 'CIs', Q: 'Z', S: 'Z', F: 'Z' }

/** Deadlocks and serialization failures: their details have numbers. */
const NUMBERED = new Set(['40P01', '40001'])

/** The disk is full, or fails: of the machine, not of the execution. */
const OF_MACHINE = new Set(['53100', '58030'])

/** Of notices of these levels clients hear nothing unless they ask. */
const UNHEARD = /^(?:LOG|DEBUG)/

export class Backend {
  readonly connection: Connection
  readonly #client = new Frames(false)
  readonly #output: Buffer[] = []
  /** How much of it had been sent with the last notice. */
  #flushed = 0
  /** For each message of the client that is not yet answered, what can end its answer. */
  #expected: string[] = []
  /** After an error everything is skipped until a Sync. */
  #hasFailed = false
  /** The server wants to be sent what is copied in. */
  #isCopying = false
  #isPinging = false
  /** How often it has begun to wait for a lock, and of how many of these waits is known what came of them. */
  #waits = 0
  #known = 0
  #isWaiting = false
  #settled: (() => void) | undefined
  /** I: idle, T: in a transaction, E: in one that has failed. */
  status = 'I'
  /** Whether the client may have asked for notifications. */
  listens = false
  /** Whether its process can be seen. */
  readonly isOfMachine: boolean
  /** An error of its machine. */
  trouble: string | undefined
  /** The lock that it is known to wait for. */
  waitsFor: string | undefined

  readonly #numberOf: (pid: number) => number | undefined
  /** It has said that it ends. */
  isEnding = false

  private constructor(connection: Connection, numberOf: (pid: number) => number | undefined) {
    this.connection = connection
    this.isOfMachine = isBackend(connection.pid)
    this.#numberOf = numberOf
    connection.listen(
      (each) => this.#take(each),
      () => this.#settled?.(),
    )
  }

  /**
   * @param numberOf the session that a process serves
   * @throws DeviceError
   */
  static async open(login: Login, numberOf: (pid: number) => number | undefined): Promise<Backend> {
    return new Backend(await Connection.open(login), numberOf)
  }

  get pid(): number {
    return this.connection.pid
  }

  get isClosed(): boolean {
    return this.connection.isClosed
  }

  get isBlocked(): boolean {
    return this.#isWaiting && !this.isClosed
  }

  get hasAnswered(): boolean {
    return (this.#expected.length === 0 || this.#isCopying) && !this.isEnding
  }

  /** Sends what a client has sent. */
  send(bytes: Uint8Array): void {
    for (const { type } of this.#client.take(bytes)) {
      if (type === 'S') this.#hasFailed = false
      if (type === 'c' || type === 'f') this.#isCopying = false
      const answer = ANSWERS[type]
      if (answer !== undefined && !this.#hasFailed) this.#expected.push(answer)
    }
    this.connection.send(bytes)
  }

  /** Until it has answered, or waits for a lock in a way that is not yet known, or is closed. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#settled = () => {
        const isNew = this.#isWaiting && this.#waits > this.#known
        if (!this.isClosed && !this.hasAnswered && !isNew) return
        this.#settled = undefined
        if (isNew) this.#known = this.#waits
        resolve()
      }
      this.#settled()
    })
  }

  /** Until the server has closed it. */
  closed(): Promise<void> {
    return new Promise((resolve) => {
      this.#settled = () => {
        if (this.isClosed) resolve()
      }
      this.#settled()
    })
  }

  /** It waits for what the server does not announce. */
  waits(): void {
    this.#isWaiting = true
    this.#waits++
    this.#settled?.()
  }

  /** Lets an idle session hear of notifications. */
  async ping(): Promise<void> {
    this.#isPinging = true
    this.send(query(''))
    await this.settled()
    this.#isPinging = false
  }

  /**
   * What it has sent to its client since the last call. While it waits that is what a notice for the client has sent
   * along: other servers keep the rest until they have answered, and do not announce that they wait.
   */
  take(): Buffer {
    const isWhole = this.hasAnswered || this.isClosed || this.isEnding
    const output = this.#output.splice(0, isWhole ? this.#output.length : this.#flushed)
    this.#flushed = 0
    return Buffer.concat(output)
  }

  /** Undoes what a client has left, whatever state it is in; then it is as new. */
  async reset(...statements: readonly string[]): Promise<void> {
    const copy = this.#isCopying ? [message('f', 'the client is gone')] : []
    const all = ['rollback', ...statements].map(query)
    this.send(Buffer.concat([...copy, message('S'), ...all]))
    do await this.settled()
    while (!this.hasAnswered && !this.isClosed)
    this.take()
    this.listens = false
    this.waitsFor = undefined
    this.trouble = undefined
  }

  #take({ type, bytes, body }: Message): void {
    if (type === 'N' && this.#hears(body)) return
    if (type === 'S') this.connection.reports(body)
    const isOwn = this.#isPinging && (type === 'I' || type === 'Z')
    const said = type === 'E' ? this.#steady(bytes, body) : Buffer.from(bytes)
    // Clients know each other by the numbers of their sessions.
    if (type === 'A') said.writeInt32BE(this.#numberOf(body.readInt32BE(0)) ?? 0, 5)
    if (!isOwn) this.#output.push(said)
    if (type === 'N') this.#flushed = this.#output.length
    if (type === 'E') this.#fail(fields(body))
    if (type === 'Z') this.status = String.fromCharCode(body[0]!)
    if (type === 'G' || type === 'W') this.#isCopying = true
    if (this.#expected[0]?.includes(type)) this.#expected.shift()
    if (this.hasAnswered) this.#isWaiting = false
    this.#settled?.()
  }

  /** The rest up to the next Sync has no answers. */
  #fail({ V: severity, C: code = '', M: text }: Readonly<Record<string, string>>): void {
    if (OF_MACHINE.has(code)) this.trouble = `${text} (${code})`
    this.isEnding = severity === 'FATAL' || severity === 'PANIC'
    this.#isCopying = false
    const sync = this.#expected.indexOf('Z')
    this.#hasFailed = sync < 0
    this.#expected = sync < 0 ? [] : this.#expected.slice(sync)
  }

  /** An error that names processes, transactions or the database, whose numbers differ between executions. */
  #steady(bytes: Buffer, body: Buffer): Buffer {
    const all = fields(body)
    if (!NUMBERED.has(all.C ?? '') || all.D === undefined) return Buffer.from(bytes)
    const transactions = new Map<string, number>()
    const ordinal = (id: string) => {
      if (!transactions.has(id)) transactions.set(id, transactions.size + 1)
      return transactions.get(id)
    }
    const D = all.D.replaceAll(
      /(Process|process) (\d+)/g,
      (_, word, pid) => `${word} ${this.#numberOf(Number(pid)) ?? 0}`,
    )
      .replaceAll(/(transaction|pivot) (\d+)/g, (_, word, id) => `${word} ${ordinal(id)}`)
      .replaceAll(/(of database |advisory lock \[)\d+/g, '$11')
    const kept = Object.entries({ ...all, D }).map(([letter, text]) => `${letter}${text}`)
    return message('E', ...kept, Buffer.from([0]))
  }

  /** Takes a notice that is not for the client. Messages are in English: see ANNOUNCING. */
  #hears(body: Buffer): boolean {
    const { V: severity = '', R: routine, M: text = '' } = fields(body)
    if (!UNHEARD.test(severity)) return false
    if (routine === 'ProcSleep' && /still waiting for/.test(text)) {
      this.#isWaiting = true
      this.#waits++
      this.#settled?.()
    } else if (routine === 'ProcSleep' && /acquired/.test(text)) this.#isWaiting = false
    return true
  }
}
