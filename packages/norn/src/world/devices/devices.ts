/**
 * The devices of the world: real servers that take part in executions.
 *
 * A thread owns the real connections. The main thread hands it one unit of one session and waits, while virtual time
 * stands still, until that session has answered or is blocked by others. So what the servers do is a function of the
 * order of units, which the tape decides. Invariant: without databases there is no thread; no session outlives its
 * execution.
 */
import { receiveMessageOnPort } from 'node:worker_threads'
import type { DatabaseTarget } from '../../contract/database.ts'
import type { InconclusiveReason } from '../../contract/inconclusive.ts'
import type { Conversation, Outcome } from '../../devices/device.ts'
import type { Action, DeviceReply, DeviceRequest, DevicesData } from '../../devices/messages.ts'
import { PROTOCOLS } from '../../devices/protocols.ts'
import type { Causality, Step } from '../loop/causality.ts'
import type { Descriptors } from '../loop/poll-descriptors.ts'
import type { Courier, Side, Speech } from '../network/connection.ts'
import { startThread } from '../realm/own-thread.ts'
import type { DatabaseFaults } from './database-faults.ts'
import { DeviceSession } from './device-session.ts'

export interface DevicesHost extends Courier {
  readonly causality: Causality
  readonly descriptors: Descriptors
  readonly faults: DatabaseFaults
  outside<Result>(action: () => Result): Result
  /** The wall clock, in microseconds since 1970. */
  wallUs(): number
  /** Makes the execution inconclusive. Throws. */
  refuse(reason: InconclusiveReason): never
}

/** Of a unit's name. */
const MAX_NAME = 60

const NO_BYTES = new Uint8Array()

/** Captured before any program can replace them. */
const { wait, load } = Atomics

export class Devices {
  readonly #host: DevicesHost
  readonly #targets: readonly DatabaseTarget[]
  readonly #port: import('node:worker_threads').MessagePort
  readonly #replies = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  #taken = 0
  readonly #sessions = new Map<number, DeviceSession>()
  /** Sessions are numbered within an execution. */
  #opened = 0

  constructor(targets: readonly DatabaseTarget[], patienceMs: number, host: DevicesHost) {
    this.#targets = targets
    this.#host = host
    const data = { replies: this.#replies, targets, patienceMs } satisfies Omit<DevicesData, 'port'>
    this.#port = startThread('../../devices/thread', import.meta.url, data)
  }

  /** The device at an address of the world, if there is one. */
  at(address: string, port: number): number | undefined {
    const found = this.#targets.findIndex((target) => target.port === port && target.addresses.includes(address))
    return found < 0 ? undefined : found
  }

  /**
   * A client connects.
   *
   * @param side the far side of its connection
   * @param step the cause of what happens before the client sends anything
   */
  connect(device: number, side: Side, step: Step): void {
    const number = ++this.#opened
    const { descriptors, causality, faults } = this.#host
    const protocol = PROTOCOLS[this.#targets[device]!.kind]
    const conversation = protocol.conversation()
    side.speech = side.peer.speech = speechOf(protocol.conversation())
    const ask = (request: Action): Outcome =>
      this.#call({ ...request, device, session: number, atUs: this.#host.wallUs() })
    const call = (request: Action): void => {
      const current = causality.current
      this.#deliver(device, ask(request))
      causality.begin(current)
    }
    const session = new DeviceSession(device, side, step, conversation, {
      seesLeaving: protocol.seesLeaving,
      nowUs: () => this.#host.nowUs(),
      announce: this.#host.announce,
      causedBy: (cause, action) => {
        const current = causality.current
        causality.begin(cause)
        try {
          return action()
        } finally {
          causality.begin(current)
        }
      },
      descriptors,
      readsAnswers: () => faults.mayRefuse,
      fault: (unit, cause) =>
        faults.at(unit, faults.mayRefuse ? conversation.errors(unit) : [], {
          device,
          met: { step: cause, kind: 'statement', resource: side.name },
          nowUs: this.#host.nowUs(),
          writesLate: protocol.writesLate,
        }),
      hand: ({ bytes: unit, name }, fault) => {
        const restart = fault !== undefined && 'restart' in fault ? fault.restart : undefined
        const error = fault !== undefined && 'error' in fault ? fault.error : undefined
        if (restart?.isCarriedOut !== false) faults.handed({ device, name, atUs: this.#host.nowUs() })
        if (restart === undefined) return call({ type: 'hand', unit, error })
        if (restart.isCarriedOut) ask({ type: 'hand', unit })
        this.#restart(device, restart.lost)
      },
      elapse: () => call({ type: 'elapse' }),
      close: () => {
        this.#sessions.delete(number)
        call({ type: 'close' })
      },
    })
    this.#sessions.set(number, session)
    const met = { step, kind: 'connect', resource: side.name }
    call({ type: 'open', error: faults.refused(met, protocol.openingErrors) })
  }

  /** The server ends and is there again: its connections are closed. */
  #restart(device: number, lost: number): void {
    this.#call({ type: 'restart', device, lost, atUs: this.#host.wallUs() })
    for (const [number, session] of this.#sessions) {
      if (session.device !== device) continue
      this.#sessions.delete(number)
      session.receive(NO_BYTES, true)
    }
  }

  /** The execution has ended: what its sessions left is undone while the next one begins. */
  reset(): void {
    if (this.#opened === 0) return
    this.#host.outside(() => this.#port.postMessage({ type: 'end' } satisfies DeviceRequest))
    this.#sessions.clear()
    this.#host.faults.reset()
    this.#opened = 0
  }

  /** What servers have sent goes its ways, each caused by the unit that it answers. */
  #deliver(device: number, { answers, blocked, timed }: Outcome): void {
    // It says nothing of the sessions of other devices.
    const sessions = [...this.#sessions].filter(([, session]) => session.device === device)
    const before = new Map(sessions.map(([, session]) => [session, session.waitsFor]))
    for (const session of before.keys()) session.waitsFor = undefined
    for (const { session, by } of blocked) {
      const waiting = this.#sessions.get(session)
      if (waiting === undefined) continue
      waiting.waitsFor = by
      if (before.get(waiting) === undefined) this.#host.traffic?.()?.comes(waiting.step, waitText(by))
    }
    for (const { session, bytes, isClosed } of answers) {
      const answered = this.#sessions.get(session)
      if (answered === undefined) continue
      this.#host.causality.begin(answered.step)
      answered.receive(bytes, isClosed === true)
      if (isClosed) this.#sessions.delete(session)
    }
    const shiftUs = this.#host.nowUs() - this.#host.wallUs()
    const ends = new Map(timed.map(({ session, untilUs }) => [session, untilUs + shiftUs]))
    for (const [number, session] of sessions) {
      if (!this.#sessions.has(number)) continue
      this.#host.causality.begin(session.step)
      session.endsBy(ends.get(number))
    }
  }

  #call(request: Exclude<DeviceRequest, { type: 'end' }>): Outcome {
    const reply = this.#host.outside(() => {
      this.#port.postMessage(request)
      while (load(this.#replies, 0) === this.#taken) wait(this.#replies, 0, this.#taken)
      this.#taken++
      return receiveMessageOnPort(this.#port)!.message as DeviceReply
    })
    if ('failed' in reply) return this.#host.refuse({ kind: 'database', message: reply.failed })
    return reply.outcome
  }
}

function speechOf(conversation: Conversation): Speech {
  return {
    says(bytes, to) {
      if (to === 'client') return { text: conversation.answer(bytes) }
      const units = conversation.units(bytes).filter(({ text }) => text !== '')
      const joined = (texts: readonly string[]) => texts.join('; ')
      return {
        name: units.length === 0 ? undefined : shortened(joined(units.map(({ name }) => name))),
        text: joined(units.map(({ text }) => text)),
      }
    },
  }
}

const shortened = (text: string) => (text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text)

function waitText(by: readonly number[]): string {
  return by.length === 0 ? 'waits' : `waits for ${by.map((number) => `connection ${number}`).join(' and ')}`
}
