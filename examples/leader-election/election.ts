/**
 * Raft's leader election without the log: a node that hears nothing from a leader asks for votes in a new term.
 * Each node has one vote a term, and a majority elects a leader.
 */
import { type Actor, type ActorContext, actors, type System } from 'norn/cluster'

type Message =
  | { readonly type: 'ask'; readonly term: number }
  | { readonly type: 'vote'; readonly term: number }
  | { readonly type: 'alive'; readonly term: number }

/** Bounds of the election timeout; drawn anew each time. */
const ELECTION_MIN_MS = 150
const ELECTION_MAX_MS = 300
const HEARTBEAT_MS = 50

export class Member implements Actor {
  role: 'follower' | 'candidate' | 'leader' = 'follower'
  term: number
  votedFor: string | null
  readonly #votes = new Set<string>()
  readonly #context: ActorContext

  constructor(context: ActorContext) {
    this.#context = context
    const { term = 0, votedFor = null } = context.durable ?? {}
    this.term = term
    this.votedFor = votedFor
  }

  onStart(): void {
    this.#expectLeader()
  }

  onTimer(timer: string): void {
    if (timer === 'heartbeat') this.#beat()
    else this.#stand()
  }

  onMessage(message: Message, from: string): void {
    if (message.term > this.term) this.#follow(message.term)
    if (message.term < this.term) return
    switch (message.type) {
      case 'ask':
        if (this.votedFor !== null && this.votedFor !== from) return
        this.#voteFor(from)
        this.#context.send(from, { type: 'vote', term: this.term })
        this.#expectLeader()
        break
      case 'vote':
        this.#votes.add(from)
        if (this.role === 'candidate' && this.#votes.size > this.#context.nodes.length / 2) this.#lead()
        break
      case 'alive':
        this.role = 'follower'
        this.#expectLeader()
    }
  }

  #stand(): void {
    const { id } = this.#context
    this.term++
    this.role = 'candidate'
    this.#voteFor(id)
    this.#votes.clear()
    this.#votes.add(id)
    this.#context.broadcast({ type: 'ask', term: this.term })
    this.#expectLeader()
  }

  #lead(): void {
    this.role = 'leader'
    this.#context.event('elected', { term: this.term })
    this.#context.clearTimer('election')
    this.#beat()
  }

  #follow(term: number): void {
    this.term = term
    this.votedFor = null
    if (this.role === 'leader') this.#expectLeader()
    this.role = 'follower'
    this.#context.clearTimer('heartbeat')
    this.#remember()
  }

  #voteFor(node: string): void {
    this.votedFor = node
    this.#remember()
  }

  #remember(): void {
    this.#context.persist({ term: this.term, votedFor: this.votedFor })
  }

  #beat(): void {
    this.#context.broadcast({ type: 'alive', term: this.term })
    this.#context.setTimer('heartbeat', HEARTBEAT_MS)
  }

  #expectLeader(): void {
    const delayMs = ELECTION_MIN_MS + this.#context.random() * (ELECTION_MAX_MS - ELECTION_MIN_MS)
    this.#context.setTimer('election', delayMs)
  }
}

export const election = (): System<Member> =>
  actors({
    a: (context) => new Member(context),
    b: (context) => new Member(context),
    c: (context) => new Member(context),
  })
