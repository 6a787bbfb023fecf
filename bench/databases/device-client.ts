/**
 * Sessions of a device as a client with the whole of time in its hand sees them: a query is handed over, and what the
 * server waits for ends when this client lets virtual time pass.
 */
import { createHash } from 'node:crypto'
import type { Device, Outcome } from '../../packages/norn/src/devices/device.ts'
import { Frames, int32, type Message, message, query } from '../../packages/norn/src/devices/postgres/messages.ts'

const BEGIN_US = Date.UTC(2026, 0, 1) * 1000
/** Between two queries. */
const STEP_US = 10
const VERSION = 0x0003_0000

export class DeviceSession {
  readonly #frames = new Frames(false)
  /** What has arrived. */
  readonly messages: Message[] = []
  /** As the server told it. */
  pid = 0
  /** A query is not answered yet. */
  isBusy = false
  isClosed = false
  /** It waits for a lock, not for time. */
  isBlocked = false
  untilUs = Number.POSITIVE_INFINITY

  receive(bytes: Uint8Array): void {
    for (const each of this.#frames.take(bytes)) {
      const kept = { ...each, body: Buffer.from(each.body) }
      if (kept.type === 'K') this.pid = kept.body.readInt32BE(0)
      if (kept.type === 'Z') this.isBusy = false
      this.messages.push(kept)
    }
  }
}

export class DeviceClient {
  readonly #device: Device
  readonly #sessions = new Map<number, DeviceSession>()
  #nowUs = BEGIN_US
  #digest = createHash('sha256')

  constructor(device: Device) {
    this.#device = device
  }

  async open(number: number, parameters: Readonly<Record<string, string>>): Promise<DeviceSession> {
    const session = new DeviceSession()
    this.#sessions.set(number, session)
    this.#take(await this.#device.open(number, this.#nowUs))
    const pairs = Object.entries(parameters).flat()
    session.isBusy = true
    this.#take(await this.#device.hand(number, this.#nowUs, message('', int32(VERSION), ...pairs, Buffer.from([0]))))
    session.messages.length = 0
    return session
  }

  /** Until the session has answered or waits. */
  async query(number: number, sql: string): Promise<void> {
    this.#sessions.get(number)!.isBusy = true
    this.#nowUs += STEP_US
    this.#take(await this.#device.hand(number, this.#nowUs, query(sql)))
  }

  /** What ends first by itself ends. Returns false if nothing does. */
  async elapse(): Promise<boolean> {
    const [[number, session] = []] = [...this.#sessions].sort(([, a], [, b]) => a.untilUs - b.untilUs)
    if (number === undefined || session === undefined || session.untilUs === Number.POSITIVE_INFINITY) return false
    this.#nowUs = Math.max(this.#nowUs, session.untilUs)
    this.#take(await this.#device.elapse(number, this.#nowUs))
    return true
  }

  /** All sessions end, and the database is as before. Returns a digest of all that the device has said. */
  async end(): Promise<string> {
    this.#sessions.clear()
    await this.#device.end()
    const digest = this.#digest.digest('hex')
    this.#digest = createHash('sha256')
    this.#nowUs = BEGIN_US
    return digest
  }

  #take({ answers, blocked, timed }: Outcome): void {
    const said = answers.map((answer) => ({ ...answer, bytes: withoutTables(answer.bytes) }))
    this.#digest.update(JSON.stringify({ answers: said, blocked, timed }))
    for (const { session, bytes, isClosed } of answers) {
      const answered = this.#sessions.get(session)!
      answered.receive(bytes)
      if (!isClosed) continue
      answered.isClosed = true
      answered.isBusy = false
    }
    const waits = new Map(blocked.map(({ session, by }) => [session, by]))
    const ends = new Map(timed.map(({ session, untilUs }) => [session, untilUs]))
    for (const [number, session] of this.#sessions) {
      session.isBlocked = (waits.get(number)?.length ?? 0) > 0
      session.untilUs = ends.get(number) ?? Number.POSITIVE_INFINITY
    }
  }
}

/** What the server sent, without the numbers of tables in descriptions of rows: each execution makes them anew. */
function withoutTables(bytes: Uint8Array): Buffer {
  return Buffer.concat(
    [...new Frames(false).take(bytes)].map((each) => {
      const copy = Buffer.from(each.bytes)
      if (each.type !== 'T') return copy
      for (let at = copy.indexOf(0, 7); at >= 0 && at < copy.length; at = copy.indexOf(0, at + 19))
        copy.fill(0, at, at + 5)
      return copy
    }),
  )
}
