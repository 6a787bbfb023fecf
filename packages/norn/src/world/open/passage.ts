/**
 * The far side of a connection to an open address: inside, a side like any other, with latencies
 * from the tape; what reaches it goes out through a real socket, and what the socket receives is
 * sent from it. So what is real is perturbed as what is virtual: bytes wait a drawn time, in both
 * directions, and may come in parts; order in a direction is kept.
 */
import type { Arrival } from '../loop/async-handles.ts'
import type { Step } from '../loop/causality.ts'
import { Descriptor } from '../loop/poll-descriptors.ts'
import type { Side } from '../network/connection.ts'
import type { Local, News, Order } from './gateway-messages.ts'

/** Bytes on their way to a reader at which the real socket stops to read, and goes on. */
const PAUSE_BYTES = 1024 * 1024
const RESUME_BYTES = 64 * 1024
/** Bytes that go out in one message. */
const CHUNK_BYTES = 1024 * 1024

type Outgoing = Order extends infer Each ? (Each extends { id: number } ? Omit<Each, 'id'> : never) : never

export interface PassageHost {
  nowUs(): number
  watch(descriptor: Descriptor): void
  close(descriptor: Descriptor): void
  send(order: Outgoing): void
  /** Nothing more comes of it. */
  closed(): void
}

export class Passage extends Descriptor {
  readonly #host: PassageHost
  readonly #side: Side
  readonly #connected: (error: string | undefined, local: Local | undefined) => void
  /** The step that last sent something out: the cause of what comes in. */
  step: Step
  /** Whether the peer owes an answer: nothing has come in since something last went out. */
  isOwed = true
  #isConnected = false
  #isPaused = false
  #hasEnded = false
  #isClosed = false

  /** @param connected called with the code of an error, or with the real local address */
  constructor(
    host: PassageHost,
    side: Side,
    step: Step,
    connected: (error: string | undefined, local: Local | undefined) => void,
  ) {
    super(step.isolate)
    this.#host = host
    this.#side = side
    this.#connected = connected
    this.step = step
    side.attach(this)
    host.watch(this)
  }

  keepsAlive(): boolean {
    return false
  }

  /** Brings in what the real socket reported. */
  receive(news: News): void {
    if (this.#isClosed) return
    this.isOwed = false
    switch (news.type) {
      case 'connected':
        this.#isConnected = true
        this.#connected(undefined, news.local)
        break
      case 'data':
        this.#side.send(news.bytes)
        this.#throttle()
        break
      case 'end':
        this.#side.end()
        break
      case 'error':
        if (this.#isConnected) this.#side.reset()
        else this.#connected(news.code, undefined)
        this.#close()
    }
  }

  /** The near side has changed. */
  refresh(): void {
    if (this.#isClosed) return
    const { inbound, peer } = this.#side
    if (this.#hasEnded && peer.isClosed) this.#close('close')
    else this.readyUs = this.#hasEnded ? Number.POSITIVE_INFINITY : inbound.readableUs
  }

  /** The near side has read. */
  drained(): void {
    if (!this.#isPaused || this.#side.outbound.size > RESUME_BYTES) return
    this.#isPaused = false
    this.#host.send({ type: 'resume' })
  }

  override next(nowUs: number): Arrival | undefined {
    if (this.#isClosed || this.#hasEnded) return undefined
    const { inbound } = this.#side
    const first = inbound.first(nowUs)
    if (first !== undefined) return this.#arrival('data', first, () => this.#forward())
    if (inbound.hasEnded(nowUs)) return this.#arrival('end', inbound.end!, () => this.#end())
    return inbound.hasReset(nowUs) ? this.#arrival('reset', inbound.reset!, () => this.#close('reset')) : undefined
  }

  #arrival(kind: string, { step, delayUs }: { step: Step; delayUs: number }, act: () => void): Arrival {
    const run = () => {
      this.step = step
      this.isOwed = true
      act()
    }
    return { step, isolate: this.isolate, kind, resource: this.#side.name, delayUs, run }
  }

  #forward(): void {
    const { inbound } = this.#side
    const bytes = inbound.take(inbound.available(this.#host.nowUs(), CHUNK_BYTES))
    // The clone of a view clones all of its buffer.
    this.#host.send({ type: 'data', bytes: bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice() })
    this.#side.hasRead()
    this.refresh()
  }

  #end(): void {
    this.#hasEnded = true
    if (!this.#side.peer.isClosed) this.#host.send({ type: 'end' })
    this.refresh()
  }

  #throttle(): void {
    if (this.#isPaused || this.#side.outbound.size <= PAUSE_BYTES) return
    this.#isPaused = true
    this.#host.send({ type: 'pause' })
  }

  #close(how?: 'close' | 'reset'): void {
    if (how !== undefined) this.#host.send({ type: how })
    this.#isClosed = true
    this.isOwed = false
    this.readyUs = Number.POSITIVE_INFINITY
    this.#host.close(this)
    this.#host.closed()
  }
}
