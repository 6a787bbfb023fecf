/**
 * The network: one channel for each sender and receiver, whose messages wait until a step delivers
 * or drops them.
 *
 * Messages are datagrams: those in flight survive a crash of their sender or receiver. Messages sent
 * across a partition are lost; those in flight when it begins wait until the network heals.
 */
import { Stale } from './stale.ts'
import type { Data } from './system.ts'
import { isDueBefore } from './timers.ts'

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
  /** The channels whose oldest message is another one than its reader has seen. */
  readonly changed: Stale
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
    this.changed = new Stale(nodes * nodes)
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
    if (channel.length === 0) {
      insert(this.#active, at)
      this.changed.add(at)
    }
    if (channel === NEVER_USED) this.#channels[at] = [message]
    else channel.push(message)
    this.#size++
  }

  /** The numbers of the channels that hold messages, ascending: `from * nodes + to`. */
  get active(): readonly number[] {
    return this.#active
  }

  /** Whether messages of a channel can get through, by its number. */
  isOpen(channel: number): boolean {
    if (this.#side === undefined) return true
    const to = channel % this.#count
    return this.connects((channel - to) / this.#count, to)
  }

  /** The oldest message of a channel, by its number. */
  head(channel: number): Message | undefined {
    return this.#channels[channel]![0]
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
    const message = behind === 0 ? channel.shift()! : channel.splice(behind, 1)[0]!
    if (behind === 0) this.changed.add(at)
    if (channel.length === 0) remove(this.#active, at)
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
    const isCalm = this.#side === undefined && this.#held.size === 0
    let first: Message | undefined
    for (let index = 0; index < this.#active.length; index++) {
      const channel = this.#channels[this.#active[index]!]!
      const head = isCalm ? channel[0]! : this.#headOf(channel)
      if (head !== undefined && (first === undefined || isDueBefore(head, first))) first = head
    }
    return first
  }

  /** The message of a channel that becomes due first, if it can get through. */
  #headOf(channel: readonly Message[]): Message | undefined {
    if (!this.connects(channel[0]!.from, channel[0]!.to)) return undefined
    if (!this.#isOrdered) return channel.find(({ id }) => !this.#held.has(id))
    return this.#held.has(channel[0]!.id) ? undefined : channel[0]
  }

  /** All messages, oldest first. */
  messages(): readonly Message[] {
    return this.#channels.flat().sort((a, b) => a.id - b.id || a.order - b.order)
  }
}

/** Inserts a number into an ascending array. By hand, as `splice` makes an array each time. */
function insert(numbers: number[], number: number): void {
  let at = numbers.length
  numbers.push(number)
  for (; at > 0 && numbers[at - 1]! > number; at--) numbers[at] = numbers[at - 1]!
  numbers[at] = number
}

function remove(numbers: number[], number: number): void {
  for (let at = numbers.indexOf(number) + 1; at < numbers.length; at++) numbers[at - 1] = numbers[at]!
  numbers.pop()
}
