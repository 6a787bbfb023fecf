/**
 * The network: one channel for each sender and receiver, whose messages wait until a step delivers
 * or drops them.
 *
 * Messages are datagrams: those in flight survive a crash of their sender or receiver. Messages sent
 * across a partition are lost; those in flight when it begins wait until the network heals.
 */
import type { Data } from './system.ts'

/**
 * How messages travel.
 *
 * @public
 */
export interface NetworkOptions {
  /** Whether the messages of a channel arrive in order (`fifo`) or in any order. Default: `fifo`. */
  readonly order?: 'fifo' | 'any'
  /** The maximum number of messages that one step delivers from a channel. Default: 5. */
  readonly perStep?: number
  /** Latency under the default schedule, in milliseconds of virtual time. Default: 1. */
  readonly latencyMs?: number
}

export interface Message {
  readonly id: number
  readonly from: number
  readonly to: number
  readonly data: Data
  /** Virtual time at which it arrives under the default schedule, in microseconds. */
  readonly dueUs: number
  /** Decides between messages and timers that are due at the same time. */
  readonly order: number
  /** A hash of the event that sent it and its index among that event's messages: trace-class.ts. */
  readonly origin: number
}

const DEFAULT_LATENCY_MS = 1

/** Shared by all channels on which nothing was sent, because there are many of them. */
const NEVER_USED: Message[] = []

export class Network {
  readonly latencyUs: number
  readonly #count: number
  readonly #channels: Message[][]
  /** The numbers of non-empty channels, ascending. */
  readonly #active: number[] = []
  #side: readonly number[] | undefined
  #size = 0
  readonly #held = new Set<number>()
  readonly #isOrdered: boolean

  constructor(nodes: number, { latencyMs = DEFAULT_LATENCY_MS, order = 'fifo' }: NetworkOptions) {
    this.#count = nodes
    this.#isOrdered = order === 'fifo'
    this.latencyUs = Math.round(latencyMs * 1000)
    this.#channels = new Array<Message[]>(nodes * nodes).fill(NEVER_USED)
  }

  /** The number of messages in flight. */
  get size(): number {
    return this.#size
  }

  get isPartitioned(): boolean {
    return this.#side !== undefined
  }

  /** @param side 0 or 1 for each node; undefined heals the network */
  partition(side: readonly number[] | undefined): void {
    this.#side = side
  }

  /** Whether messages between two nodes can get through. */
  connects(from: number, to: number): boolean {
    return this.#side === undefined || this.#side[from] === this.#side[to]
  }

  push(message: Message): void {
    const at = message.from * this.#count + message.to
    const channel = this.#channels[at]!
    if (channel.length === 0) this.#active.splice(placeOf(this.#active, at), 0, at)
    if (channel === NEVER_USED) this.#channels[at] = [message]
    else channel.push(message)
    this.#size++
  }

  /** The messages of a channel, oldest first. */
  channel(from: number, to: number): readonly Message[] {
    return this.#channels[from * this.#count + to]!
  }

  /** Removes a message from a channel. @param behind the number of older messages in the channel */
  take(from: number, to: number, behind = 0): Message | undefined {
    const at = from * this.#count + to
    const channel = this.#channels[at]!
    if (behind >= channel.length) return undefined
    const [message] = behind === 0 ? [channel.shift()!] : channel.splice(behind, 1)
    if (channel.length === 0) this.#active.splice(placeOf(this.#active, at), 1)
    this.#size--
    return message
  }

  /** Keeps a message from becoming due; in an ordered channel later messages wait too. */
  hold(id: number): void {
    this.#held.add(id)
  }

  release(id: number): void {
    this.#held.delete(id)
  }

  /** The message that is due first among those that can get through. */
  first(): Message | undefined {
    let first: Message | undefined
    for (const at of this.#active) {
      const head = this.#held.size === 0 ? this.#channels[at]![0]! : this.#headOf(this.#channels[at]!)
      if (head === undefined) continue
      if (first !== undefined && (head.dueUs > first.dueUs || (head.dueUs === first.dueUs && head.order > first.order)))
        continue
      if (this.connects(head.from, head.to)) first = head
    }
    return first
  }

  #headOf(channel: readonly Message[]): Message | undefined {
    if (!this.#isOrdered) return channel.find(({ id }) => !this.#held.has(id))
    return this.#held.has(channel[0]!.id) ? undefined : channel[0]
  }

  /** Visits the channels with messages that can get through, in the order of their numbers. */
  eachReady(visit: (from: number, to: number) => void): void {
    const active = this.#active
    for (let index = 0; index < active.length; index++) {
      const at = active[index]!
      const to = at % this.#count
      const from = (at - to) / this.#count
      if (this.connects(from, to)) visit(from, to)
    }
  }

  /** All messages, oldest first. */
  messages(): readonly Message[] {
    return this.#channels.flat().sort((a, b) => a.id - b.id || a.order - b.order)
  }
}

/** The index of a number in an ascending array, or where to insert it. */
function placeOf(numbers: readonly number[], number: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < number) low = middle + 1
    else high = middle
  }
  return low
}
