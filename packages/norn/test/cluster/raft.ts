/**
 * A small Raft (Ongaro & Ousterhout, 2014) with known bugs: elections and log replication, without
 * snapshots. Failures of it need many steps in a certain order, unlike those of subjects.ts.
 */
import { type ActorContext, actors } from '../../src/cluster/actors.ts'
import type { ClusterView } from '../../src/cluster/definition.ts'
import type { SimulatedOptions } from './simulated.ts'

export type RaftBug =
  /** The vote is not persisted, the term is. */
  | 'forgotten vote'
  /** Votes are granted to candidates whose log is behind. */
  | 'unchecked log'

interface Entry {
  readonly term: number
  readonly value: unknown
}

type Message =
  | { readonly type: 'vote'; readonly term: number; readonly lastTerm: number; readonly length: number }
  | { readonly type: 'voted'; readonly term: number; readonly granted: boolean }
  | Append
  | { readonly type: 'appended'; readonly term: number; readonly success: boolean; readonly length: number }

interface Append {
  readonly type: 'append'
  readonly term: number
  /** The number of entries before these. */
  readonly previous: number
  readonly previousTerm: number
  readonly entries: readonly Entry[]
  readonly commit: number
}

interface State {
  readonly role: Node['role']
  readonly term: number
  readonly commit: number
  readonly log: readonly Entry[]
}

const HEARTBEAT_MS = 30
const ELECTION_MS = 150

class Node {
  role: 'follower' | 'candidate' | 'leader' = 'follower'
  term = 0
  votedFor: string | undefined
  log: Entry[] = []
  commit = 0
  readonly #context: ActorContext
  readonly #bug: RaftBug | undefined
  readonly #votes = new Set<string>()
  readonly #matched = new Map<string, number>()
  readonly #next = new Map<string, number>()

  constructor(context: ActorContext, bug: RaftBug | undefined) {
    this.#context = context
    this.#bug = bug
  }

  get state(): State {
    const { role, term, commit, log } = this
    return { role, term, commit, log }
  }

  onStart(): void {
    const { term = 0, votedFor, log = [] } = this.#context.durable ?? {}
    Object.assign(this, { term, votedFor, log })
    this.#awaitLeader()
  }

  onTimer(timer: string): void {
    if (timer === 'heartbeat') {
      this.#appendToAll()
      this.#context.setTimer('heartbeat', HEARTBEAT_MS)
      return
    }
    this.term++
    this.role = 'candidate'
    this.votedFor = this.#context.id
    this.#votes.clear()
    this.#votes.add(this.#context.id)
    this.#persist()
    this.#awaitLeader()
    const { term, log } = this
    this.#context.broadcast({ type: 'vote', term, lastTerm: this.#termAt(log.length), length: log.length })
  }

  onRequest(value: unknown, id: number): void {
    if (this.role !== 'leader') {
      this.#context.reply(id, 'refused')
      return
    }
    this.log.push({ term: this.term, value })
    this.#persist()
    this.#appendToAll()
  }

  onMessage(message: Message, from: string): void {
    if (message.term > this.term) {
      this.term = message.term
      this.votedFor = undefined
      if (this.role === 'leader') this.#awaitLeader()
      this.role = 'follower'
      this.#persist()
    }
    switch (message.type) {
      case 'vote':
        this.#vote(message, from)
        return
      case 'voted':
        if (this.role === 'candidate' && message.term === this.term && message.granted) this.#count(from)
        return
      case 'append':
        this.#append(message, from)
        return
      case 'appended':
        if (this.role === 'leader' && message.term === this.term) this.#acknowledge(message, from)
    }
  }

  #vote({ term, lastTerm, length }: Message & { readonly type: 'vote' }, from: string): void {
    const mine = this.#termAt(this.log.length)
    const isCurrent = lastTerm > mine || (lastTerm === mine && length >= this.log.length)
    const isFree = this.votedFor === undefined || this.votedFor === from
    const granted = term === this.term && isFree && (isCurrent || this.#bug === 'unchecked log')
    if (granted) {
      this.votedFor = from
      this.#persist()
    }
    this.#context.send(from, { type: 'voted', term: this.term, granted })
  }

  #count(from: string): void {
    this.#votes.add(from)
    if (this.#votes.size <= this.#context.nodes.length / 2) return
    this.role = 'leader'
    this.#context.event('elected', { term: this.term })
    this.#context.clearTimer('election')
    this.#matched.clear()
    this.#next.clear()
    this.#appendToAll()
    this.#context.setTimer('heartbeat', HEARTBEAT_MS)
  }

  #append({ term, previous, previousTerm, entries, commit }: Append, from: string): void {
    const success = term === this.term && previous <= this.log.length && this.#termAt(previous) === previousTerm
    if (success) {
      const conflict = entries.findIndex(({ term }, at) => this.log[previous + at]?.term !== term)
      if (conflict >= 0) this.log = [...this.log.slice(0, previous + conflict), ...entries.slice(conflict)]
      this.#persist()
      this.commit = Math.max(this.commit, Math.min(commit, previous + entries.length))
    }
    if (term === this.term) this.#awaitLeader()
    const length = success ? previous + entries.length : Math.min(previous, this.log.length)
    this.#context.send(from, { type: 'appended', term: this.term, success, length })
  }

  #acknowledge({ success, length }: Message & { readonly type: 'appended' }, from: string): void {
    if (!success) {
      this.#next.set(from, Math.max(0, length - 1))
      return
    }
    this.#matched.set(from, Math.max(length, this.#matched.get(from) ?? 0))
    this.#next.set(from, length)
    const lengths = this.#context.nodes.map((node) =>
      node === this.#context.id ? this.log.length : (this.#matched.get(node) ?? 0),
    )
    const majority = lengths.sort((a, b) => b - a)[lengths.length >> 1]!
    const isOwn = this.#termAt(majority) === this.term
    if (majority > this.commit && isOwn) this.commit = majority
  }

  #appendToAll(): void {
    for (const node of this.#context.nodes) {
      if (node === this.#context.id) continue
      const previous = this.#next.get(node) ?? Math.max(0, this.log.length - 1)
      const { term, commit } = this
      const entries = this.log.slice(previous)
      this.#context.send(node, {
        type: 'append',
        term,
        previous,
        previousTerm: this.#termAt(previous),
        entries,
        commit,
      })
    }
  }

  #awaitLeader(): void {
    this.#context.clearTimer('heartbeat')
    this.#context.setTimer('election', ELECTION_MS + 50 * this.#context.nodes.indexOf(this.#context.id))
  }

  /** The term of the last of so many entries. */
  #termAt(length: number): number {
    return this.log[length - 1]?.term ?? 0
  }

  #persist(): void {
    const votedFor = this.#bug === 'forgotten vote' ? undefined : this.votedFor
    this.#context.persist({ term: this.term, votedFor, log: this.log })
  }
}

/** A cluster of three; without a bug it is correct. */
export function raft(bug?: RaftBug): SimulatedOptions {
  const names = ['a', 'b', 'c']
  return {
    system: () =>
      actors(Object.fromEntries(names.map((name) => [name, (context: ActorContext) => new Node(context, bug)]))),
    requests: [1, 2, 3, 4, 5],
    faults: { crashes: 10, drops: 5, duplicates: 3 },
    invariant: agreed,
  }
}

/** At most one leader in a term, and the committed parts of any two logs agree. */
function agreed({ nodes }: ClusterView): void {
  const states = nodes.filter(({ up }) => up).map(({ id, state }) => ({ id, ...(state as State) }))
  for (const one of states) {
    for (const other of states) {
      if (one.id >= other.id) continue
      if (one.role === 'leader' && other.role === 'leader' && one.term === other.term) throw new Error('two leaders')
      const common = Math.min(one.commit, other.commit)
      for (let at = 0; at < common; at++) {
        if (one.log[at]?.term !== other.log[at]?.term) throw new Error('committed entries differ')
      }
    }
  }
}
