/**
 * Seven nodes that pass batons around, each a number of times, and count the messages they see. The
 * handlers are the same under norn and in the baseline, a loop over a queue.
 */
export const NODES = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6'] as const

export interface Baton {
  readonly type: 'baton'
  /** Passes left. */
  readonly left: number
  readonly from: { readonly node: string; readonly seen: number }
}

/** Batons that each node starts with, and the passes of each. */
export interface Load {
  readonly batons: number
  readonly passes: number
}

export const LARGE: Load = { batons: 10, passes: 20 }
export const SMALL: Load = { batons: 1, passes: 4 }

/** Messages of one execution. */
export function messagesOf({ batons, passes }: Load): number {
  // Five nodes start with batons.
  return 5 * batons * passes
}

export type Send = (to: string, message: Baton) => void

export class Relay {
  readonly state = { seen: 0, highest: 0 }
  readonly #place: number
  readonly #node: string
  readonly #load: Load
  readonly #send: Send

  constructor(node: string, load: Load, send: Send) {
    this.#node = node
    this.#place = NODES.indexOf(node as (typeof NODES)[number])
    this.#load = load
    this.#send = send
  }

  onStart(): void {
    if (this.#place >= 5) return
    for (let baton = 0; baton < this.#load.batons; baton++) this.#pass(this.#load.passes, baton)
  }

  onMessage({ left, from }: Baton): void {
    this.state.seen++
    if (from.seen > this.state.highest) this.state.highest = from.seen
    if (left > 1) this.#pass(left - 1, from.seen)
  }

  #pass(left: number, way: number): void {
    const to = NODES[(this.#place + 1 + (way % 6)) % 7]!
    this.#send(to, { type: 'baton', left, from: { node: this.#node, seen: this.state.seen } })
  }
}

/** The baseline: every message in the order sent. Returns the number of handled messages. */
export function runInQueue(load: Load): number {
  const queue: { readonly to: number; readonly message: Baton }[] = []
  const relays = NODES.map(
    (node) => new Relay(node, load, (to, message) => queue.push({ to: NODES.indexOf(to as 'n0'), message })),
  )
  for (const relay of relays) relay.onStart()
  let handled = 0
  for (; handled < queue.length; handled++) relays[queue[handled]!.to]!.onMessage(queue[handled]!.message)
  return handled
}
