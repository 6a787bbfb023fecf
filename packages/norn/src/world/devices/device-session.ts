/**
 * The far side of a connection to a device: a side like any other. What reaches it is cut into units; each is handed
 * over when its moment has come, one after the other, and what the server answers is sent back with a latency of its
 * own. A session that is blocked takes nothing more until it is released.
 */
import type { Conversation, Unit } from '../../devices/device.ts'
import type { Arrival } from '../loop/async-handles.ts'
import type { Step } from '../loop/causality.ts'
import { Descriptor, type Descriptors } from '../loop/poll-descriptors.ts'
import type { Courier, Side } from '../network/connection.ts'
import type { DatabaseFault } from './database-faults.ts'

export interface DeviceSessionHost extends Pick<Courier, 'nowUs' | 'announce'> {
  /** As of `Protocol`. */
  readonly seesLeaving: boolean
  readonly descriptors: Pick<Descriptors, 'watch' | 'close'>
  /** Does what a step is the cause of. */
  causedBy<Result>(step: Step, action: () => Result): Result
  /** Whether it matters what the server has answered. */
  readsAnswers(): boolean
  /** What a unit meets instead of being carried out, if anything. */
  fault(unit: Unit, step: Step): DatabaseFault | undefined
  hand(unit: Unit, fault: DatabaseFault | undefined): void
  /** What ends by itself in the session has its moment. */
  elapse(): void
  /** The client is gone. */
  close(): void
}

/** A unit whose moment is known. */
interface Due extends Unit {
  readonly step: Step
  readonly delayUs: number
  readonly atUs: number
  /** It is refused at that moment: this has been drawn. */
  readonly refused?: DatabaseFault
}

export class DeviceSession extends Descriptor {
  readonly device: number
  readonly #host: DeviceSessionHost
  readonly #side: Side
  readonly #conversation: Conversation
  readonly #due: Due[] = []
  /** The step that handed the last unit over: the cause of what comes back. */
  step: Step
  /** The sessions that block it; undefined while none does. */
  waitsFor: readonly number[] | undefined
  /** When something ends by itself, such as the patience of a statement, and what runs then, once that is so. */
  #end: { readonly atUs: number; step?: Step } | undefined
  #isClosed = false

  constructor(device: number, side: Side, step: Step, conversation: Conversation, host: DeviceSessionHost) {
    super(step.isolate)
    this.device = device
    this.#host = host
    this.#side = side
    this.#conversation = conversation
    this.step = step
    side.attach(this)
    host.descriptors.watch(this)
  }

  keepsAlive(): boolean {
    return false
  }

  /** The server has sent something. */
  receive(bytes: Uint8Array, isClosed: boolean): void {
    if (this.#isClosed) return
    if (bytes.length > 0) this.#side.send(bytes)
    if (bytes.length > 0 && this.#host.readsAnswers()) this.#conversation.answer(bytes)
    if (isClosed) this.#close()
  }

  /** @param atUs when something in the session ends by itself; undefined if nothing does */
  endsBy(atUs: number | undefined): void {
    if (this.#isClosed) return
    if (atUs !== this.#end?.atUs) this.#end = atUs === undefined ? undefined : { atUs }
    this.refresh()
  }

  /** The near side has changed, or the server. */
  refresh(): void {
    if (this.#isClosed) return
    const { inbound } = this.#side
    const [due] = this.#due
    const endUs = this.#isRunning ? undefined : this.#end?.atUs
    const handUs = due === undefined || this.waitsFor !== undefined ? Number.POSITIVE_INFINITY : due.atUs
    const readUs = inbound.size > 0 || this.#canLeave ? inbound.readableUs : Number.POSITIVE_INFINITY
    this.readyUs = Math.min(handUs, readUs, endUs ?? Number.POSITIVE_INFINITY)
  }

  drained(): void {}

  override next(nowUs: number): Arrival | undefined {
    if (this.#isClosed) return undefined
    const { inbound } = this.#side
    const [due] = this.#due
    const ends = this.#isRunning ? undefined : this.#end
    if (ends !== undefined && ends.atUs <= nowUs) {
      // Most have not ended when their statement has: they are no steps.
      const step = (ends.step ??= this.#host.causedBy(this.step, () =>
        this.#host.announce('timeout', this.#side.name),
      ).step)
      return this.#arrival('timeout', { step, delayUs: 0 }, () => this.#elapse(step))
    }
    if (due !== undefined && this.waitsFor === undefined && due.atUs <= nowUs)
      return this.#arrival('statement', due, () => this.#hand(this.#due.shift()!))
    const first = inbound.first(nowUs)
    if (first !== undefined) return this.#arrival('data', first, () => this.#read(first))
    if (!this.#canLeave) return undefined
    if (inbound.hasEnded(nowUs)) return this.#arrival('end', inbound.end!, () => this.#leave())
    return inbound.hasReset(nowUs) ? this.#arrival('reset', inbound.reset!, () => this.#leave()) : undefined
  }

  /** A statement that will run out of time is running until then, though the server has not been handed it. */
  get #isRunning(): boolean {
    return this.#due[0]?.refused !== undefined
  }

  /** A server carries out what it has received, also for a client that has gone. */
  get #canLeave(): boolean {
    return this.#due.length === 0 && (this.waitsFor === undefined || this.#host.seesLeaving)
  }

  #arrival(kind: string, { step, delayUs }: { step: Step; delayUs: number }, act: () => void): Arrival {
    return { step, isolate: this.isolate, kind, resource: this.#side.name, delayUs, run: act }
  }

  /** The first unit that a segment completes is due as it arrives; each further one may be late. */
  #read({ step, delayUs }: { readonly step: Step; readonly delayUs: number }): void {
    const { inbound, name } = this.#side
    const nowUs = this.#host.nowUs()
    const { size } = inbound.segments(nowUs, 1, () => 1)
    const units = this.#conversation.units(inbound.take(size))
    this.#side.hasRead()
    for (const [index, unit] of units.entries()) {
      const mark = index === 0 ? { step, delayUs } : this.#host.announce('statement', name, 'callback')
      const fromUs = Math.max(nowUs, this.#due.at(-1)?.atUs ?? 0)
      this.#due.push({ ...unit, ...mark, atUs: index === 0 ? fromUs : fromUs + mark.delayUs })
    }
    const [due] = this.#due
    if (due !== undefined && due.atUs <= nowUs && this.waitsFor === undefined) this.#hand(this.#due.shift()!)
    this.refresh()
  }

  #elapse(step: Step): void {
    this.#end = undefined
    this.step = step
    this.#host.elapse()
    this.refresh()
  }

  #hand(due: Due): void {
    const { step, refused } = due
    this.step = step
    const fault = refused ?? this.#host.fault(due, step)
    const { afterUs } = fault !== undefined && 'error' in fault ? fault.error : {}
    if (refused === undefined && afterUs !== undefined)
      this.#due.unshift({ ...due, refused: fault, atUs: this.#host.nowUs() + afterUs })
    else this.#host.hand(due, fault)
    this.refresh()
  }

  /** The client has gone. */
  #leave(): void {
    this.#close()
    this.#host.close()
  }

  #close(): void {
    this.#isClosed = true
    this.readyUs = Number.POSITIVE_INFINITY
    this.#side.end()
    this.#host.descriptors.close(this)
  }
}
