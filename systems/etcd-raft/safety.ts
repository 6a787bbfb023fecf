/**
 * The safety properties of the Raft paper (Figure 3), checked on the concrete states and events:
 * election safety, leader append-only, log matching, leader completeness and state machine safety.
 *
 * Invariant: each log entry of an execution is read once. A property is checked where it can become
 * false: at the node that took the step.
 */
import type { ClusterView } from 'norn/cluster'
import type { Applied, RaftState, Step } from './events.ts'

type View = ClusterView<RaftState | undefined>

/** An invariant of a cluster of etcd-raft. */
export function raftSafety(): (view: View) => void {
  const executions = new WeakMap<View, Execution>()
  return (view) => {
    let execution = executions.get(view)
    if (execution === undefined) executions.set(view, (execution = new Execution(view)))
    execution.readOn()
  }
}

interface Committed {
  readonly term: number
  readonly content: string
  /** It was committed in this term or before. */
  readonly knownInTerm: number
}

class Execution {
  readonly #view: View
  #read = 0
  /** By term. */
  readonly #leaders = new Map<number, string>()
  /** By index: entries that some node applied. */
  readonly #committed = new Map<number, Committed>()
  /** By node: the last index that it applied. */
  readonly #applied = new Map<string, number>()

  constructor(view: View) {
    this.#view = view
  }

  readOn(): void {
    const { log } = this.#view
    for (; this.#read < log.length; this.#read++) {
      const { kind, name, node, data } = log[this.#read]!
      if (kind === 'event' && name === 'step') this.#step(node, data as Step)
    }
  }

  #step(node: string, step: Step): void {
    const { before, after } = step
    if (after.role === 'leader') {
      this.#electionSafety(node, after.term)
      const led = before.role === 'leader' && before.term === after.term
      if (led && after.index < before.index)
        throw new Error(`leader append-only: ${node} cut its log from ${before.index} to ${after.index} while it led`)
    }
    this.#stateMachineSafety(node, step)
    const { state } = this.#view.node(node)
    // A later event of the same command may have stopped the node, but not within one.
    if (state === undefined) return
    this.#logMatching(node, state)
    if (state.role === 'leader') this.#leaderCompleteness(node, state, 0, after.term)
    if (step.applied !== undefined) this.#completeLeaders(step.applied[0]!.index)
  }

  #electionSafety(node: string, term: number): void {
    const other = this.#leaders.get(term)
    if (other === undefined) this.#leaders.set(term, node)
    else if (other !== node) throw new Error(`election safety: ${other} and ${node} both led in term ${term}`)
  }

  #stateMachineSafety(node: string, { kind, before, after, applied = [], installed }: Step): void {
    if (kind === 'start' || kind === 'restart') this.#applied.set(node, before.snapshot)
    if (installed !== undefined) this.#applied.set(node, installed)
    let last = this.#applied.get(node)!
    for (const entry of applied) {
      if (entry.index !== last + 1)
        throw new Error(`state machine safety: ${node} applied entry ${entry.index} after entry ${last}`)
      last = entry.index
      this.#agree(node, entry, after.term)
    }
    this.#applied.set(node, last)
  }

  #agree(node: string, { index, term, data }: Applied, knownInTerm: number): void {
    const content = JSON.stringify(data)
    const known = this.#committed.get(index)
    if (known !== undefined && (known.term !== term || known.content !== content)) {
      const other = `${known.content} of term ${known.term}`
      throw new Error(
        `state machine safety: ${node} applied ${content} of term ${term} as entry ${index}, another node ${other}`,
      )
    }
    if (known === undefined || knownInTerm < known.knownInTerm)
      this.#committed.set(index, { term, content, knownInTerm })
  }

  /** Entries of one index and term have the same entries before them. */
  #logMatching(node: string, state: RaftState): void {
    for (const { id, state: other } of this.#view.nodes) {
      if (id === node || other === undefined) continue
      const first = Math.max(state.snapshot.index, other.snapshot.index) + 1
      let matched = false
      for (let index = Math.min(state.index, other.index); index >= first; index--) {
        const isSame = termAt(state, index) === termAt(other, index)
        if (matched && !isSame)
          throw new Error(`log matching: ${node} and ${id} agree on an entry after entry ${index}, but not on that`)
        matched = isSame
      }
    }
  }

  /** A leader has what was committed in terms before its own. */
  #leaderCompleteness(node: string, state: RaftState, from: number, term: number): void {
    for (const [index, committed] of this.#committed) {
      if (index <= from || index <= state.snapshot.index || committed.knownInTerm >= term) continue
      if (index > state.index || termAt(state, index) !== committed.term)
        throw new Error(`leader completeness: ${node} leads in term ${term} without the committed entry ${index}`)
    }
  }

  /** Checks those who lead already, when entries become known as committed. */
  #completeLeaders(first: number): void {
    for (const { id, state } of this.#view.nodes)
      if (state?.role === 'leader') this.#leaderCompleteness(id, state, first - 1, state.term)
  }
}

/** The term of an entry after the snapshot. */
function termAt({ log, snapshot }: RaftState, index: number): number | undefined {
  return log[index - snapshot.index - 1]
}
