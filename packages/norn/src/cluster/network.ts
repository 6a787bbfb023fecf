/**
 * The network: a channel for each sender and receiver, whose messages wait until a step delivers or
 * loses them.
 *
 * Messages stay in the network while their receiver is down, and reach it if it is up again by
 * then: as with datagrams, no connection breaks. What is sent across a partition is lost; what was
 * under way when the network parted waits until it is whole again.
 */
import type { NetworkOptions } from './definition.ts'
import type { Data } from './system.ts'

export interface Message {
  readonly id: number
  readonly from: number
  readonly to: number
  readonly data: Data
  /**
   * When it arrives where nobody interferes, in microseconds; and its place among all things that
   * are due.
   */
  readonly dueUs: number
  readonly order: number
  /** Names the event that sent it and its place among what that event sent: see trace-class.ts. */
  readonly origin: number
}

const DEFAULT_LATENCY_MS = 1

/**
 * Stands for a channel on which nothing was sent yet: there are many of them, and most executions
 * are short.
 */
const NEVER_USED: Message[] = []

export class Network {
  readonly latencyUs: number
  readonly #count: number
  readonly #channels: Message[][]
  /** Channels that hold something, in the order of their numbers. */
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

  /** Messages under way. */
  get size(): number {
    return this.#size
  }

  get isParted(): boolean {
    return this.#side !== undefined
  }

  /** @param side 0 or 1 for each node; undefined heals */
  part(side: readonly number[] | undefined): void {
    this.#side = side
  }

  /** Whether what one node sends can reach the other now. */
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

  /** The messages of a channel, the oldest first. */
  channel(from: number, to: number): readonly Message[] {
    return this.#channels[from * this.#count + to]!
  }

  /** Takes the oldest message of a channel, or the one that is `behind` so many. */
  take(from: number, to: number, behind = 0): Message | undefined {
    const at = from * this.#count + to
    const channel = this.#channels[at]!
    if (behind >= channel.length) return undefined
    const [message] = behind === 0 ? [channel.shift()!] : channel.splice(behind, 1)
    if (channel.length === 0) this.#active.splice(placeOf(this.#active, at), 1)
    this.#size--
    return message
  }

  /** Keeps a message from being due; in an ordered channel what is behind it waits too. */
  hold(id: number): void {
    this.#held.add(id)
  }

  release(id: number): void {
    this.#held.delete(id)
  }

  /** The message that is due first, of those that can get through. */
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

  /** The channels that hold something which can get through, in the order of their numbers. */
  ready(): readonly (readonly [from: number, to: number])[] {
    const ready: [number, number][] = []
    this.eachReady((from, to) => ready.push([from, to]))
    return ready
  }

  /** The same, told one by one: for those who ask before every step. */
  eachReady(tell: (from: number, to: number) => void): void {
    const active = this.#active
    for (let index = 0; index < active.length; index++) {
      const at = active[index]!
      const to = at % this.#count
      const from = (at - to) / this.#count
      if (this.connects(from, to)) tell(from, to)
    }
  }

  /** All messages, the oldest first. */
  messages(): readonly Message[] {
    return this.#channels.flat().sort((a, b) => a.id - b.id || a.order - b.order)
  }
}

/** Where a number stands among ascending ones, or would. */
function placeOf(numbers: readonly number[], number: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < number) low = middle + 1
    else high = middle
  }
  return low
}
