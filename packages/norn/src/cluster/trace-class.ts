/**
 * The happens-before class of an execution (its Mazurkiewicz trace): executions that differ only in
 * the order of independent events belong to one class.
 *
 * Each node has a history: a hash of its events in order, where a message is identified by the event
 * that sent it. Executions with the same histories at all nodes are indistinguishable to the nodes.
 * ModelFuzz's baseline `Trace` hashes each event with its predecessor at its process, for the same
 * purpose.
 *
 * A history is two hashes of 32 bits, of which a class keeps 53 bits: among a million classes two
 * collide with a probability of 10^-4.
 */

/** The kinds of events in histories. */
export const [START, DELIVER, TIMEOUT, REQUEST, CRASH, RESTART, LOST] = [1, 2, 3, 4, 5, 6, 7] as const

export class TraceClass {
  readonly #high: Int32Array
  readonly #low: Int32Array

  constructor(nodes: number) {
    // Nodes begin with different hashes, because equal events at different nodes are different.
    this.#high = Int32Array.from({ length: nodes }, (_, node) => stir(0x243f6a88, node))
    this.#low = Int32Array.from({ length: nodes }, (_, node) => stir(0x85a308d3, node))
  }

  /** Adds an event to a node's history. @param what its kind @param detail its content */
  note(node: number, what: number, detail: number): void {
    this.#high[node] = stir(this.#high[node]! ^ what, detail)
    this.#low[node] = stir(this.#low[node]! + detail, what)
  }

  /** Identifies a message by the last event of its sender and its index among that event's messages. */
  origin(node: number, ordinal: number): number {
    return stir(this.#high[node]! ^ this.#low[node]!, ordinal)
  }

  /** The class so far: 53 bits. */
  get value(): number {
    let [high, low] = [0, 0]
    for (let node = 0; node < this.#high.length; node++) {
      high = stir(high ^ this.#high[node]!, node)
      low = stir(low + this.#low[node]!, node)
    }
    return join(high, low)
  }
}

function join(high: number, low: number): number {
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0)
}

function stir(state: number, word: number): number {
  let h = Math.imul(state ^ word, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b)
  return h ^ (h >>> 13)
}

/** A hash of 32 bits (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
