/** The effects of a node's reaction to an event: checked, copied, and passed to the simulation. */
import { copyData } from './plain-data.ts'
import type { Data, Effects, NodeId } from './system.ts'

/** What effects need of the simulation. Nodes are indices into the system's list. */
export interface EffectsHost {
  readonly nodes: readonly NodeId[]
  readonly nowUs: number
  /** @throws Error if there is no such node */
  indexOf(id: NodeId): number
  random(): number
  /** @param ordinal the index of the message among those that the current event sends */
  sent(from: number, ordinal: number, to: number, message: Data): void
  timerSet(node: number, timer: string, delayUs: number): void
  timerCleared(node: number, timer: string): void
  replied(node: number, request: number, reply: Data): void
  happened(node: number, name: string, data: Data): void
}

/** A reaction that sends more is taken for an endless loop. */
const MAX_SENDS = 10_000

/** The longest delay that Node's timers support: 25 days. */
const MAX_DELAY_MS = 2 ** 31 - 1

export class NodeEffects implements Effects {
  readonly #host: EffectsHost
  readonly #copies: boolean
  #node = -1
  #sent = 0

  /** @param copies whether data is checked and copied: it may be neither plain nor the node's alone */
  constructor(host: EffectsHost, copies = true) {
    this.#host = host
    this.#copies = copies
  }

  /** Begins the reaction of a node. */
  begin(node: number): void {
    this.#node = node
    this.#sent = 0
  }

  send(to: NodeId, message: Data): void {
    if (this.#sent >= MAX_SENDS) {
      throw new Error(`'${this.#name}' sends more than ${MAX_SENDS} messages in answer to one event`)
    }
    const data = this.#copies ? copyData(message, () => `the message from '${this.#name}' to '${to}'`) : message
    this.#host.sent(this.#node, this.#sent++, this.#host.indexOf(to), data)
  }

  setTimer(timer: string, delayMs: number): void {
    if (typeof delayMs !== 'number' || !(delayMs >= 0 && delayMs <= MAX_DELAY_MS)) {
      throw new TypeError(
        `'${this.#name}' sets its timer '${timer}' to ${String(delayMs)}: a delay is a number of milliseconds, ${MAX_DELAY_MS} at most`,
      )
    }
    this.#host.timerSet(this.#node, String(timer), Math.round(delayMs * 1000))
  }

  clearTimer(timer: string): void {
    this.#host.timerCleared(this.#node, String(timer))
  }

  reply(request: number, reply: Data): void {
    const data = this.#copies ? copyData(reply, () => `the reply of '${this.#name}' to request ${request}`) : reply
    this.#host.replied(this.#node, request, data)
  }

  event(name: string, data: Data): void {
    if (typeof name !== 'string' || name === '')
      throw new TypeError(`'${this.#name}' reports an event without a name: the name must be a non-empty string`)
    const copy = this.#copies ? copyData(data, () => `the event '${name}' of '${this.#name}'`) : data
    this.#host.happened(this.#node, name, copy)
  }

  get nowMs(): number {
    return this.#host.nowUs / 1000
  }

  random(): number {
    return this.#host.random()
  }

  get #name(): NodeId {
    return this.#host.nodes[this.#node]!
  }
}

/** For the reaction to a crash, which has no effects. */
export function noEffects(nowMs: number): Effects {
  const ignore = () => {}
  return { send: ignore, setTimer: ignore, clearTimer: ignore, reply: ignore, event: ignore, nowMs, random: () => 0 }
}
