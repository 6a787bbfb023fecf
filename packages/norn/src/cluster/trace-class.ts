/**
 * The happens-before class of an execution (its Mazurkiewicz trace): executions that differ only in
 * the order of events which do not depend on each other are of one class.
 *
 * Each node has a history: a hash of what happened to it, in its order, where a message counts by
 * the event that sent it. Two executions in which all nodes have the same histories are the same to
 * every node. ModelFuzz's baseline `Trace` hashes each event with its predecessor at its process,
 * to the same end.
 *
 * Histories are two sequences of 32 bits, of which a class keeps 53: in a campaign of a million
 * classes two of them are taken for one with a probability of some 10^-4.
 */
export class TraceClass {
  readonly #high: Int32Array
  readonly #low: Int32Array

  constructor(nodes: number) {
    // Nodes to which the same has happened are still not the same: what they send comes from
    // different senders.
    this.#high = Int32Array.from({ length: nodes }, (_, node) => stir(0x243f6a88, node))
    this.#low = Int32Array.from({ length: nodes }, (_, node) => stir(0x85a308d3, node))
  }

  /**
   * Something happened to a node. @param what a number that names its kind; @param detail one that
   * names its content
   */
  note(node: number, what: number, detail: number): void {
    this.#high[node] = stir(this.#high[node]! ^ what, detail)
    this.#low[node] = stir(this.#low[node]! + detail, what)
  }

  /**
   * Names a message by the event under way at its sender, and its place among what that event sent.
   */
  origin(node: number, ordinal: number): number {
    return stir(this.#high[node]! ^ this.#low[node]!, ordinal)
  }

  /** The history of one node, in 53 bits. */
  history(node: number): number {
    return join(this.#high[node]!, this.#low[node]!)
  }

  /** The class so far, in 53 bits. */
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

/** 32 bits for a text (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
