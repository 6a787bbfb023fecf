/**
 * Viewstamped replication with view changes, state transfer and recovery, after Liskov and Cowling,
 * "Viewstamped Replication Revisited" (2012). The log is volatile: a replica that restarts asks the
 * others for it.
 *
 * Departures: the view is durable, and a recovering replica joins no view below it. Otherwise a
 * replica that forgets its vote for a new view can still help to commit in the old one (Michael et
 * al., "Recovering Shared Objects Without Stable Storage", 2017). A backup answers every `commit`,
 * which stands for retransmission. Timeouts are staggered, not random.
 */
import { type Actor, type ActorContext, actors } from 'norn/cluster'

export const REPLICAS = ['a', 'b', 'c']
/** How many replicas may be lost at once. */
const FAILURES = 1

export type Status = 'normal' | 'view-change' | 'recovering'

export type Message =
  | { readonly type: 'request'; readonly request: number }
  | {
      readonly type: 'prepare'
      readonly view: number
      readonly op: number
      readonly request: number
      readonly commit: number
    }
  | { readonly type: 'prepare-ok'; readonly view: number; readonly op: number }
  | { readonly type: 'commit'; readonly view: number; readonly op: number; readonly commit: number }
  | { readonly type: 'start-view-change'; readonly view: number }
  | DoViewChange
  | { readonly type: 'start-view'; readonly view: number; readonly log: readonly number[]; readonly commit: number }
  | { readonly type: 'get-state'; readonly view: number; readonly op: number }
  | {
      readonly type: 'new-state'
      readonly view: number
      readonly op: number
      readonly log: readonly number[]
      readonly commit: number
    }
  | { readonly type: 'recovery'; readonly view: number; readonly nonce: number }
  | RecoveryResponse

interface DoViewChange {
  readonly type: 'do-view-change'
  readonly view: number
  /** The last view in which the sender was normal. */
  readonly normal: number
  readonly log: readonly number[]
  readonly commit: number
}

interface RecoveryResponse {
  readonly type: 'recovery-response'
  readonly view: number
  readonly nonce: number
  /** The log of the primary; the other replicas send none. */
  readonly primary: boolean
  readonly log: readonly number[]
  readonly commit: number
}

/** What survives a crash. */
interface Durable {
  readonly view: number
  readonly nonce: number
}

export interface ReplicaState {
  readonly status: Status
  readonly view: number
  readonly normal: number
  readonly op: number
  readonly commit: number
  readonly log: readonly number[]
}

const HEARTBEAT_MS = 50
/** How long a backup waits for its primary; the replicas differ, so that by themselves they do not collide. */
const PATIENCE_MS = 150
const STAGGER_MS = 40
const RETRY_MS = 100

export function primaryOf(view: number): string {
  return REPLICAS[view % REPLICAS.length]!
}

class Replica implements Actor {
  #status: Status = 'normal'
  #view = 0
  #normal = 0
  #commit = 0
  #log: readonly number[] = []
  #nonce = 0
  /** Who wants this view. */
  #started = new Set<string>()
  #changes = new Map<string, DoViewChange>()
  /** The last operation that each backup has, in this view. */
  #acknowledged = new Map<string, number>()
  #responses = new Map<string, RecoveryResponse>()
  readonly #node: ActorContext

  constructor(node: ActorContext) {
    this.#node = node
  }

  get state(): ReplicaState {
    return {
      status: this.#status,
      view: this.#view,
      normal: this.#normal,
      op: this.#log.length,
      commit: this.#commit,
      log: this.#log,
    }
  }

  get #isPrimary(): boolean {
    return this.#status === 'normal' && primaryOf(this.#view) === this.#node.id
  }

  onStart(): void {
    this.#enterNormal()
  }

  onRestart(): void {
    const { view, nonce } = (this.#node.durable ?? { view: 0, nonce: 0 }) as Durable
    this.#status = 'recovering'
    this.#view = view
    this.#nonce = nonce + 1
    this.#persist()
    this.#askForRecovery()
  }

  onTimer(timer: string): void {
    if (timer === 'heartbeat') this.#beat()
    else if (timer === 'recovery') this.#askForRecovery()
    else this.#changeView(this.#view + 1)
  }

  onRequest(_: unknown, id: number): void {
    this.#request(id)
  }

  onMessage(message: Message, from: string): void {
    if ((this.#status === 'recovering') !== (message.type === 'recovery-response')) return
    switch (message.type) {
      case 'request':
        this.#request(message.request)
        break
      case 'prepare':
        this.#prepare(message, from)
        break
      case 'prepare-ok':
        this.#acknowledge(message, from)
        break
      case 'commit':
        this.#heartbeat(message, from)
        break
      case 'start-view-change':
        if (message.view > this.#view) this.#changeView(message.view)
        this.#startViewChange(message, from)
        break
      case 'do-view-change':
        if (message.view > this.#view) this.#changeView(message.view)
        this.#doViewChange(message, from)
        break
      case 'start-view':
        this.#startView(message, from)
        break
      case 'get-state':
        this.#giveState(message, from)
        break
      case 'new-state':
        this.#newState(message, from)
        break
      case 'recovery':
        if (message.view > this.#view) this.#changeView(message.view)
        this.#respond(message, from)
        break
      case 'recovery-response':
        this.#recover(message, from)
    }
  }

  // ─── normal operation ───────────────────────────────────────────────────────────────────────────

  #request(request: number): void {
    if (this.#status !== 'normal') return
    if (!this.#isPrimary) this.#send(primaryOf(this.#view), { type: 'request', request })
    if (!this.#isPrimary || this.#log.includes(request)) return
    this.#log = [...this.#log, request]
    const { length: op } = this.#log
    this.#broadcast({ type: 'prepare', view: this.#view, op, request, commit: this.#commit })
  }

  #prepare({ view, op, request, commit }: Extract<Message, { type: 'prepare' }>, from: string): void {
    if (!this.#follows(view, op - 1, from)) return
    if (op === this.#log.length + 1) this.#log = [...this.#log, request]
    this.#commitUpTo(commit)
    this.#send(from, { type: 'prepare-ok', view, op: this.#log.length })
  }

  #heartbeat({ view, op, commit }: Extract<Message, { type: 'commit' }>, from: string): void {
    if (!this.#follows(view, op, from)) return
    this.#commitUpTo(commit)
    this.#send(from, { type: 'prepare-ok', view, op: this.#log.length })
  }

  /** Whether this replica is normal in a view of its primary and has its first operations; else it asks for them. */
  #follows(view: number, op: number, primary: string): boolean {
    if (view < this.#view) return false
    const isBehind = view > this.#view || this.#status !== 'normal'
    if (!isBehind) this.#expectPrimary()
    if (!isBehind && op <= this.#log.length) return true
    this.#send(primary, { type: 'get-state', view, op: isBehind ? this.#commit : this.#log.length })
    return false
  }

  #acknowledge({ view, op }: Extract<Message, { type: 'prepare-ok' }>, from: string): void {
    if (view !== this.#view || !this.#isPrimary) return
    if (op <= (this.#acknowledged.get(from) ?? 0)) return
    this.#acknowledged.set(from, op)
    const acknowledged = [...this.#acknowledged.values()].sort((one, other) => other - one)
    const commit = acknowledged[FAILURES - 1] ?? 0
    for (let at = this.#commit; at < commit; at++) this.#node.reply(this.#log[at]!, at + 1)
    if (commit > this.#commit) this.#node.event('committed', { op: commit })
    this.#commit = Math.max(this.#commit, commit)
  }

  #beat(): void {
    this.#broadcast({ type: 'commit', view: this.#view, op: this.#log.length, commit: this.#commit })
    this.#node.setTimer('heartbeat', HEARTBEAT_MS)
  }

  #commitUpTo(commit: number): void {
    this.#commit = Math.max(this.#commit, Math.min(commit, this.#log.length))
  }

  // ─── state transfer ─────────────────────────────────────────────────────────────────────────────

  #giveState({ view, op }: Extract<Message, { type: 'get-state' }>, from: string): void {
    if (view !== this.#view || !this.#isPrimary || op > this.#log.length) return
    this.#send(from, { type: 'new-state', view, op, log: this.#log.slice(op), commit: this.#commit })
  }

  #newState({ view, op, log, commit }: Extract<Message, { type: 'new-state' }>, from: string): void {
    const isBehind = view > this.#view || (view === this.#view && this.#status === 'view-change')
    if (!isBehind && (view < this.#view || op + log.length <= this.#log.length)) return
    this.#log = [...this.#log.slice(0, op), ...log]
    if (isBehind) this.#enterView(view)
    this.#commitUpTo(commit)
    this.#send(from, { type: 'prepare-ok', view, op: this.#log.length })
  }

  // ─── view changes ───────────────────────────────────────────────────────────────────────────────

  #changeView(view: number): void {
    this.#status = 'view-change'
    this.#view = view
    this.#started = new Set()
    this.#changes = new Map()
    this.#persist()
    this.#node.clearTimer('heartbeat')
    this.#broadcast({ type: 'start-view-change', view })
    this.#expectPrimary()
  }

  #startViewChange({ view }: Extract<Message, { type: 'start-view-change' }>, from: string): void {
    if (view !== this.#view || this.#status !== 'view-change' || this.#started.has(from)) return
    this.#started.add(from)
    if (this.#started.size !== FAILURES) return
    const change = { type: 'do-view-change', view, normal: this.#normal, log: this.#log, commit: this.#commit } as const
    const primary = primaryOf(view)
    if (primary === this.#node.id) this.#doViewChange(change, primary)
    else this.#send(primary, change)
  }

  #doViewChange(change: DoViewChange, from: string): void {
    if (change.view !== this.#view || this.#status !== 'view-change') return
    this.#changes.set(from, change)
    // The primary's own counts too: it needs the others' wish for this view first.
    if (this.#changes.size <= FAILURES || !this.#changes.has(this.#node.id)) return
    const changes = [...this.#changes.values()]
    const best = changes.reduce((one, other) =>
      other.normal > one.normal || (other.normal === one.normal && other.log.length > one.log.length) ? other : one,
    )
    this.#log = best.log
    this.#commit = Math.max(...changes.map(({ commit }) => commit))
    this.#enterView(change.view)
    this.#node.event('view', { view: change.view })
    this.#broadcast({ type: 'start-view', view: this.#view, log: this.#log, commit: this.#commit })
  }

  #startView({ view, log, commit }: Extract<Message, { type: 'start-view' }>, from: string): void {
    if (view < this.#view || (view === this.#view && this.#status === 'normal')) return
    this.#log = log
    this.#enterView(view)
    this.#commitUpTo(commit)
    this.#send(from, { type: 'prepare-ok', view, op: log.length })
  }

  #enterView(view: number): void {
    this.#view = view
    this.#persist()
    this.#enterNormal()
  }

  #enterNormal(): void {
    this.#status = 'normal'
    this.#normal = this.#view
    this.#acknowledged = new Map()
    if (this.#isPrimary) {
      this.#node.clearTimer('view')
      this.#node.setTimer('heartbeat', HEARTBEAT_MS)
    } else {
      this.#node.clearTimer('heartbeat')
      this.#expectPrimary()
    }
  }

  #expectPrimary(): void {
    this.#node.setTimer('view', PATIENCE_MS + REPLICAS.indexOf(this.#node.id) * STAGGER_MS)
  }

  // ─── recovery ───────────────────────────────────────────────────────────────────────────────────

  #askForRecovery(): void {
    this.#broadcast({ type: 'recovery', view: this.#view, nonce: this.#nonce })
    this.#node.setTimer('recovery', RETRY_MS)
  }

  #respond({ nonce }: Extract<Message, { type: 'recovery' }>, from: string): void {
    if (this.#status !== 'normal') return
    const view = this.#view
    const own = this.#isPrimary ? { log: this.#log, commit: this.#commit } : { log: [], commit: 0 }
    this.#send(from, { type: 'recovery-response', view, nonce, primary: this.#isPrimary, ...own })
  }

  #recover(response: RecoveryResponse, from: string): void {
    if (response.nonce !== this.#nonce) return
    this.#responses.set(from, response)
    if (this.#responses.size <= FAILURES) return
    const view = Math.max(...[...this.#responses.values()].map((each) => each.view))
    const primary = this.#responses.get(primaryOf(view))
    if (view < this.#view || primary === undefined || primary.view !== view || !primary.primary) return
    this.#log = primary.log
    this.#commit = primary.commit
    this.#node.clearTimer('recovery')
    this.#node.event('recovered', { view })
    this.#enterView(view)
  }

  #persist(): void {
    this.#node.persist({ view: this.#view, nonce: this.#nonce } satisfies Durable)
  }

  #send(to: string, message: Message): void {
    this.#node.send(to, message)
  }

  #broadcast(message: Message): void {
    this.#node.broadcast(message)
  }
}

export const viewstampedReplication = () =>
  actors(Object.fromEntries(REPLICAS.map((name) => [name, (node: ActorContext) => new Replica(node)])))
