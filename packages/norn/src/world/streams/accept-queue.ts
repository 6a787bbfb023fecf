/**
 * Connections that a listening socket has established and that wait to be accepted, and the streams
 * that poll for them: several, if processes share the socket. Then each wakes in its own time, and
 * who comes first accepts.
 */
import type { Step } from '../loop/causality.ts'
import type { Courier, Side } from '../network/connection.ts'

/** A connection that waits to be accepted. */
export interface Accepting {
  readonly side: Side
  readonly step: Step
  /** When it is established; ahead, if its client only tries again. */
  readonly sinceUs: number
  readonly atUs: number
  readonly delayUs: number
}

/** A stream that polls. */
interface Poller {
  readonly name: string
  readonly host: Courier
  refresh(): void
}

type Seen = Pick<Accepting, 'step' | 'atUs' | 'delayUs'>

export class AcceptQueue {
  #waiting: (Accepting & { readonly seen?: ReadonlyMap<Poller, Seen> })[] = []
  #pollers: readonly Poller[] = []

  poll(stream: Poller): void {
    if (!this.#pollers.includes(stream)) this.#pollers = [...this.#pollers, stream]
  }

  leave(stream: Poller): void {
    this.#pollers = this.#pollers.filter((each) => each !== stream)
  }

  /**
   * Whether more than `length` were established by then: clients that try again are in the queue
   * ahead of their time.
   */
  exceeds(length: number, nowUs: number): boolean {
    if (this.#waiting.length <= length) return false
    let count = 0
    for (const { sinceUs } of this.#waiting) if (sinceUs <= nowUs) count++
    return count > length
  }

  /** Puts a connection into the queue, in the order in which they are established. */
  add(accepting: Accepting): void {
    let at = this.#waiting.length
    // Most come last, or nearly.
    while (at > 0 && this.#waiting[at - 1]!.atUs > accepting.atUs) at--
    const entry = { ...accepting, ...(this.#pollers.length > 1 && { seen: this.#seen(accepting) }) }
    this.#waiting.splice(at, 0, entry)
    this.#refresh()
  }

  /** When a stream finds one; infinite if none waits. */
  readyUs(stream: Poller): number {
    if (this.#pollers.length < 2) return this.#waiting[0]?.atUs ?? Number.POSITIVE_INFINITY
    return Math.min(Number.POSITIVE_INFINITY, ...this.#waiting.map((each) => (each.seen?.get(stream) ?? each).atUs))
  }

  /** The connection that a stream accepts next, as a step of its own; undefined if it finds none. */
  first(stream: Poller, nowUs: number): Accepting | undefined {
    const first = this.#waiting[0]
    if (first === undefined || this.readyUs(stream) > nowUs || first.sinceUs > nowUs) return undefined
    return { ...first, ...first.seen?.get(stream) }
  }

  /** The first is accepted. */
  take(): void {
    this.#waiting.shift()
    this.#refresh()
  }

  /** Nobody will accept: those that are established are reset. */
  close(nowUs: number): void {
    for (const { side, sinceUs } of this.#waiting) if (sinceUs <= nowUs) side.close(true)
    this.#waiting = []
  }

  #seen(accepting: Accepting): ReadonlyMap<Poller, Seen> {
    const seen = new Map<Poller, Seen>()
    for (const stream of this.#pollers.slice(1)) {
      const { step, delayUs } = stream.host.announce('accept', stream.name, 'callback')
      seen.set(stream, { step, delayUs, atUs: accepting.sinceUs + delayUs })
    }
    return seen
  }

  #refresh(): void {
    for (const stream of this.#pollers) stream.refresh()
  }
}
