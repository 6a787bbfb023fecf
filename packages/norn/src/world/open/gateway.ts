/**
 * The way out of the world in open mode: real sockets to the addresses that the call names.
 *
 * The sockets live in a thread. So an execution stays one synchronous macrotask: where nothing
 * virtual is due, the main thread blocks until a socket reports something, and the virtual clock
 * follows the real one meanwhile, as far as `patienceUs`. Reports come in between two steps of the
 * loop. Invariant: without open addresses there is no gateway; no connection outlives its execution.
 */
import { performance } from 'node:perf_hooks'
import { receiveMessageOnPort } from 'node:worker_threads'
import { type OpenAddress, openNames } from '../../contract/open-address.ts'
import type { Causality, Step } from '../loop/causality.ts'
import type { Descriptors } from '../loop/poll-descriptors.ts'
import type { Side } from '../network/connection.ts'
import { startThread } from '../realm/own-thread.ts'
import type { GatewayData, Local, News, Order, Target } from './gateway-messages.ts'
import { Passage } from './passage.ts'

/** Real time without any event, in microseconds, after which an execution is inconclusive. */
const SILENCE_US = 10_000_000
/** Real time for answers that are due when the body has settled. */
const LINGER_US = 500_000
/** Real time in which events may overtake one that norn holds back. */
const OVERTAKEN_US = 1_000

export interface GatewayHost {
  readonly causality: Causality
  readonly descriptors: Descriptors
  nowUs(): number
  outside<Result>(action: () => Result): Result
}

/** Captured before any program can replace them. */
const { wait, load } = Atomics

export class Gateway {
  readonly #host: GatewayHost
  readonly #addresses: readonly OpenAddress[]
  readonly #port: import('node:worker_threads').MessagePort
  readonly #sent = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  /** How many messages the thread had sent when they were last taken. */
  #taken = 0
  readonly #passages = new Map<number, Passage>()
  #lastId = 0
  #hasSettled = false

  constructor(addresses: readonly OpenAddress[], host: GatewayHost) {
    this.#addresses = addresses
    this.#host = host
    const data = { sent: this.#sent } satisfies Omit<GatewayData, 'port'>
    this.#port = startThread('./gateway-thread', import.meta.url, data)
  }

  get names(): string {
    return openNames(this.#addresses)
  }

  /** Whether real sockets are let through to a port. */
  reaches(address: string, port: number): boolean {
    return this.#addresses.some((each) => 'port' in each && each.port === port && each.addresses.includes(address))
  }

  /** Whether real sockets are let through to a Unix socket. */
  reachesPath(path: string): boolean {
    return this.#addresses.some((each) => 'path' in each && each.path === path)
  }

  /**
   * Opens a real connection for the far side of a virtual one.
   *
   * @param step the cause of what happens before anything is sent
   */
  dial(
    target: Target,
    side: Side,
    step: Step,
    connected: (error: string | undefined, local: Local | undefined) => void,
  ): void {
    const id = ++this.#lastId
    const { descriptors, nowUs } = this.#host
    const send: (order: Record<string, unknown>) => void = (order) => this.#send({ ...order, id } as unknown as Order)
    const host = {
      nowUs,
      send,
      watch: descriptors.watch.bind(descriptors),
      close: descriptors.close.bind(descriptors),
      closed: () => this.#passages.delete(id),
    }
    this.#passages.set(id, new Passage(host, side, step, connected))
    send({ type: 'dial', target })
  }

  /** The body has settled: from now on only answers that are due are waited for. */
  settled(): void {
    this.#hasSettled = true
  }

  /** Whether real events are to be waited for. */
  get isAwaited(): boolean {
    if (!this.#hasSettled) return this.#passages.size > 0
    for (const { isOwed } of this.#passages.values()) if (isOwed) return true
    return false
  }

  /**
   * How long to wait for a real event before virtual time moves on, in microseconds of real time.
   *
   * @param dueInUs until the next virtual event
   * @param isOwnDelay whether norn delays that event; otherwise it is a timer of the program
   */
  patienceUs(dueInUs: number, isOwnDelay: boolean): number {
    const most = isOwnDelay ? OVERTAKEN_US : this.#hasSettled ? LINGER_US : SILENCE_US
    return Math.min(dueInUs, most)
  }

  /** Waits for a real event; returns the real time that passed, in microseconds. */
  wait(atMostUs: number): number {
    return this.#host.outside(() => {
      const began = performance.now()
      wait(this.#sent, 0, this.#taken, atMostUs / 1000)
      return Math.round((performance.now() - began) * 1000)
    })
  }

  /** Brings in the real events that have arrived; returns whether there were any. */
  collect(): boolean {
    const sent = load(this.#sent, 0)
    if (sent === this.#taken) return false
    const { causality, outside } = this.#host
    const { current, isolate } = causality
    this.#taken = sent
    const next = () => outside(() => receiveMessageOnPort(this.#port))?.message as News | undefined
    for (let news = next(); news !== undefined; news = next()) {
      const passage = this.#passages.get(news.id)
      if (passage === undefined) continue
      causality.begin(passage.step)
      passage.receive(news)
    }
    causality.begin(current, isolate)
    return true
  }

  /** Ends the connections that an execution left. */
  reset(): void {
    for (const id of this.#passages.keys()) this.#send({ id, type: 'destroy' })
    this.#passages.clear()
    this.#hasSettled = false
  }

  #send(order: Order): void {
    this.#host.outside(() => this.#port.postMessage(order))
  }
}
