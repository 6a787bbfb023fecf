/**
 * The queue of a listening TCP socket. Linux lets one more connection wait than the backlog says,
 * and drops the SYN of others (tcp_conn_request); the client sends it again after 1, 3, 7, … seconds
 * and gives up after 127 (tcp_syn_retries). Departure: a place that becomes free goes to the dropped
 * connection that tries again first, without a race against connections that begin until then.
 */
import { TRIES, tryUs } from '../network/connecting-retries.ts'
import { uv } from '../realm/uv.ts'
import { AcceptQueue } from './accept-queue.ts'
import { type Joining, join } from './connecting.ts'

/** Connections that wait for an accept are this many at most (net.core.somaxconn). */
const MAX_BACKLOG = 4096

/** How many connections wait for an accept, by the argument of `listen`: negative means the most. */
export function backlogOf(length: number): number {
  return length < 0 ? MAX_BACKLOG : Math.min(length, MAX_BACKLOG)
}

export class Backlog {
  /** Those that are established. */
  readonly queue = new AcceptQueue()
  readonly #nowUs: () => number
  #length = 0
  #dropped: Joining[] = []
  /** Have a place when they try again. */
  #returning: { readonly joining: Joining; readonly atUs: number }[] = []

  constructor(nowUs: () => number) {
    this.#nowUs = nowUs
  }

  listen(length: number): void {
    this.#length = backlogOf(length)
  }

  /** A connection is established, or dropped. */
  join(joining: Joining): void {
    const { stream, waiting, client, server, sinceUs } = joining
    if (!this.#isFull(sinceUs)) {
      join(this.queue, joining, sinceUs)
      return
    }
    this.#dropped.push(joining)
    const attempt = { ...waiting, to: server.name, side: client }
    stream.connect({ ...attempt, atUs: sinceUs + tryUs(TRIES), delayUs: 0, status: uv.UV_ETIMEDOUT! })
  }

  /** A connection was accepted. */
  accepted(): void {
    if (this.#dropped.length === 0) return
    const nowUs = this.#nowUs()
    this.#returning = this.#returning.filter(({ atUs }) => atUs > nowUs)
    this.#dropped = this.#dropped.filter(({ stream }) => stream.connecting !== undefined)
    let next: Joining | undefined
    let nextUs = Number.POSITIVE_INFINITY
    for (const each of this.#dropped) {
      const us = nextTryUs(each, nowUs)
      if (us < nextUs) [next, nextUs] = [each, us]
    }
    if (next === undefined) return
    this.#dropped.splice(this.#dropped.indexOf(next), 1)
    join(this.queue, next, nextUs)
    this.#returning.push({ joining: next, atUs: nextUs })
  }

  /** Nobody listens any more: who tries again is refused. */
  close(): void {
    const nowUs = this.#nowUs()
    const dropped = this.#dropped.map((joining) => ({ joining, atUs: nextTryUs(joining, nowUs) }))
    for (const { joining, atUs } of [...this.#returning, ...dropped]) {
      const { stream, waiting, client, server } = joining
      if (stream.connecting === undefined || atUs <= nowUs || atUs === Number.POSITIVE_INFINITY) continue
      const attempt = { ...waiting, to: server.name, side: client }
      stream.connect({ ...attempt, atUs, delayUs: 0, status: uv.UV_ECONNREFUSED! })
    }
    this.#dropped = this.#returning = []
  }

  #isFull(nowUs: number): boolean {
    return this.queue.exceeds(this.#length, nowUs)
  }
}

function nextTryUs({ sinceUs }: Joining, nowUs: number): number {
  for (let nth = 1; nth < TRIES; nth++) if (sinceUs + tryUs(nth) > nowUs) return sinceUs + tryUs(nth)
  return Number.POSITIVE_INFINITY
}
