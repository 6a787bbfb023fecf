/**
 * Two-phase commit: either all participants of a transaction commit it, or all abort it, though messages are lost and
 * nodes crash. After Bernstein, Hadzilacos and Goodman, "Concurrency Control and Recovery in Database Systems" (1987),
 * chapter 7.
 *
 * 1. The coordinator asks all participants to prepare. One that can commit persists this and votes yes; from then
 *    on it may neither commit nor abort on its own. One that cannot commit aborts, and votes no.
 * 2. If all have voted yes, the coordinator persists the decision to commit, and announces it. It decides to abort if
 *    one votes no, if votes are delayed, or if it crashed before it decided.
 *
 * Waiting nodes retry: the coordinator repeats its decision until all have acknowledged it, and a prepared participant
 * inquires after it.
 */
import { type Actor, type ActorContext, type ActorFactory, actors, type System } from 'norn/cluster'

export const COORDINATOR = 'coordinator'
export const PARTICIPANTS = ['stock', 'payment']

/** What a node knows of a transaction. A coordinator is never `prepared`, a participant never `preparing`. */
export type Status = 'preparing' | 'prepared' | 'committed' | 'aborted'
export type Transactions = Readonly<Record<number, Status>>

/** A client wants a transaction. */
export interface Request {
  /** The participants that cannot commit it. */
  readonly refusing: readonly string[]
}

type Decision = 'committed' | 'aborted'

type Message =
  | { readonly type: 'prepare'; readonly transaction: number; readonly refusing: readonly string[] }
  | { readonly type: 'vote'; readonly transaction: number; readonly yes: boolean }
  | { readonly type: 'decision'; readonly transaction: number; readonly decision: Decision }
  | { readonly type: 'acknowledge' | 'inquire'; readonly transaction: number }

/** Bugs that real systems had. */
export interface Mistakes {
  /** A participant that has voted yes and hears nothing for long aborts on its own. */
  readonly impatient?: boolean
  /** The coordinator announces its decision before it persists it. */
  readonly forgetful?: boolean
}

export function twoPhaseCommit(mistakes: Mistakes = {}): System {
  const participant: ActorFactory = (context) => new Participant(context, mistakes)
  return actors({
    [COORDINATOR]: (context) => new Coordinator(context, mistakes),
    ...Object.fromEntries(PARTICIPANTS.map((name) => [name, participant])),
  })
}

/** A timer is named after the transaction that waits: `transaction 0`. */
const TIMER = 'transaction '
const VOTES_MS = 20
const REPEAT_MS = 10

/** What both kinds of node share: the durable status of transactions, and a timer for each. */
abstract class Node implements Actor {
  protected readonly context: ActorContext
  protected readonly mistakes: Mistakes
  protected transactions: Record<number, Status>

  constructor(context: ActorContext, mistakes: Mistakes) {
    this.context = context
    this.mistakes = mistakes
    this.transactions = context.durable ?? {}
  }

  /** The state that checks and the comparison with the model see. */
  get state(): Transactions {
    return this.transactions
  }

  onTimer(timer: string): void {
    this.waitedFor(Number(timer.slice(TIMER.length)))
  }

  onRestart(): void {
    for (const transaction of Object.keys(this.transactions)) this.recover(Number(transaction))
  }

  /** @param event what the log calls it */
  protected become(transaction: number, status: Status, event: string): void {
    this.transactions[transaction] = status
    this.context.persist(this.transactions)
    this.context.event(event, { transaction })
  }

  protected send(to: string, message: Message): void {
    this.context.send(to, message)
  }

  protected wait(transaction: number, delayMs: number): void {
    this.context.setTimer(TIMER + transaction, delayMs)
  }

  protected stopWaiting(transaction: number): void {
    this.context.clearTimer(TIMER + transaction)
  }

  protected abstract waitedFor(transaction: number): void
  protected abstract recover(transaction: number): void
}

class Coordinator extends Node {
  readonly #yes = new Map<number, Set<string>>()
  readonly #acknowledged = new Map<number, Set<string>>()

  onRequest({ refusing }: Request, transaction: number): void {
    this.become(transaction, 'preparing', 'begin')
    for (const name of PARTICIPANTS) this.send(name, { type: 'prepare', transaction, refusing })
    this.wait(transaction, VOTES_MS)
  }

  onMessage(message: Message, from: string): void {
    const { transaction } = message
    const status = this.transactions[transaction]
    if (message.type === 'vote' && status === 'preparing') {
      if (!message.yes) this.#decide(transaction, 'aborted')
      else if (add(this.#yes, transaction, from) === PARTICIPANTS.length) this.#decide(transaction, 'committed')
    } else if (message.type === 'inquire' && status !== undefined && status !== 'preparing') {
      this.#tell(transaction, from)
    } else if (message.type === 'acknowledge') {
      const all = add(this.#acknowledged, transaction, from) === PARTICIPANTS.length
      if (all) this.stopWaiting(transaction)
    }
  }

  protected override waitedFor(transaction: number): void {
    if (this.transactions[transaction] === 'preparing') this.#decide(transaction, 'aborted')
    else this.#tellAll(transaction)
  }

  protected override recover(transaction: number): void {
    // Votes are lost; no node can know of a decision that is not durable.
    if (this.transactions[transaction] === 'preparing') this.#decide(transaction, 'aborted')
    else this.#tellAll(transaction)
  }

  #decide(transaction: number, decision: Decision): void {
    const event = decision === 'committed' ? 'decide to commit' : 'decide to abort'
    if (this.mistakes.forgetful) {
      this.transactions[transaction] = decision
      this.context.event(event, { transaction })
    } else {
      this.become(transaction, decision, event)
    }
    this.context.reply(transaction, decision)
    this.#tellAll(transaction)
  }

  #tellAll(transaction: number): void {
    for (const name of PARTICIPANTS) {
      if (!this.#acknowledged.get(transaction)?.has(name)) this.#tell(transaction, name)
    }
    this.wait(transaction, REPEAT_MS)
  }

  #tell(transaction: number, to: string): void {
    this.send(to, { type: 'decision', transaction, decision: this.transactions[transaction] as Decision })
  }
}

class Participant extends Node {
  onMessage(message: Message): void {
    const { transaction } = message
    const status = this.transactions[transaction]
    if (message.type === 'prepare') {
      if (status === undefined) {
        if (message.refusing.includes(this.context.id)) this.become(transaction, 'aborted', 'refuse')
        else this.become(transaction, 'prepared', 'prepare')
      }
      const yes = this.transactions[transaction] === 'prepared'
      this.send(COORDINATOR, { type: 'vote', transaction, yes })
      if (yes) this.wait(transaction, VOTES_MS)
    } else if (message.type === 'decision') {
      if (status === undefined || status === 'prepared') {
        this.become(transaction, message.decision, message.decision === 'committed' ? 'commit' : 'abort')
        this.stopWaiting(transaction)
      }
      this.send(COORDINATOR, { type: 'acknowledge', transaction })
    }
  }

  protected override waitedFor(transaction: number): void {
    if (this.transactions[transaction] !== 'prepared') return
    if (this.mistakes.impatient) {
      this.become(transaction, 'aborted', 'abort')
    } else {
      this.send(COORDINATOR, { type: 'inquire', transaction })
      this.wait(transaction, REPEAT_MS)
    }
  }

  protected override recover(transaction: number): void {
    if (this.transactions[transaction] === 'prepared') this.wait(transaction, REPEAT_MS)
  }
}

/** Adds to the set of a transaction; gives its size. */
function add(sets: Map<number, Set<string>>, transaction: number, name: string): number {
  const set = sets.get(transaction) ?? new Set()
  sets.set(transaction, set.add(name))
  return set.size
}
