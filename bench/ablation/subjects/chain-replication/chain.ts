/**
 * Chain replication with reconfiguration, after van Renesse and Schneider, "Chain Replication for
 * Supporting High Throughput and Availability" (2004). Requests enter at the head of a chain of
 * servers and are committed when its tail has them. A master takes out a server that does not
 * answer its pings; a server that comes back joins at the end.
 *
 * Departures: logs are durable, and there are no queries. In each epoch (one configuration of the
 * chain) a server accepts nothing before its predecessor has sent it the whole log. The master keeps
 * the last server that is known to have had its predecessor's log.
 */
import { type Actor, type ActorContext, actors } from 'norn/cluster'

export const MASTER = 'master'
export const SERVERS = ['a', 'b', 'c']

/** Pings without an answer after which the master takes a server out. */
const PATIENCE = 2

export type Message =
  | { readonly type: 'ping'; readonly epoch: number }
  | { readonly type: 'pong'; readonly epoch: number }
  | { readonly type: 'configure'; readonly epoch: number; readonly chain: readonly string[] }
  | { readonly type: 'join'; readonly epoch: number }
  | { readonly type: 'synced'; readonly epoch: number }
  | { readonly type: 'request'; readonly request: number }
  | { readonly type: 'sync'; readonly epoch: number; readonly log: readonly number[]; readonly commit: number }
  | { readonly type: 'forward'; readonly epoch: number; readonly op: number; readonly request: number }
  | { readonly type: 'acknowledge'; readonly epoch: number; readonly commit: number }

export interface MasterState {
  readonly epoch: number
  readonly chain: readonly string[]
  /** The members that have had their predecessor's log since they joined, in the order of the chain. */
  readonly synced: readonly string[]
  /** The pings that each server has not answered. */
  readonly silent: Readonly<Record<string, number>>
}

export interface ServerState {
  readonly epoch: number
  readonly chain: readonly string[]
  /** Whether it has its predecessor's log in this epoch, or is the head. */
  readonly ready: boolean
  readonly op: number
  readonly commit: number
  readonly log: readonly number[]
}

const PING_MS = 50
const RESEND_MS = 40

const NOBODY_SILENT = Object.fromEntries(SERVERS.map((server) => [server, 0]))

class Master implements Actor {
  #epoch = 0
  #chain: readonly string[] = SERVERS
  #synced: readonly string[] = SERVERS
  #silent: Record<string, number> = { ...NOBODY_SILENT }
  readonly #node: ActorContext

  constructor(node: ActorContext) {
    this.#node = node
    if (node.durable === undefined) return
    const { epoch, chain, synced } = node.durable as MasterState
    this.#epoch = epoch
    this.#chain = chain
    this.#synced = synced
  }

  get state(): MasterState {
    return { epoch: this.#epoch, chain: this.#chain, synced: this.#synced, silent: this.#silent }
  }

  onStart(): void {
    this.#node.setTimer('ping', PING_MS)
  }

  onTimer(): void {
    for (const server of this.#chain) this.#silent[server]!++
    const suspect = this.#chain.find((server) => this.#silent[server]! > PATIENCE && this.#canLose(server))
    if (suspect !== undefined) this.#configure(this.#chain.filter((server) => server !== suspect))
    for (const server of SERVERS) this.#node.send(server, { type: 'ping', epoch: this.#epoch } satisfies Message)
    this.#node.setTimer('ping', PING_MS)
  }

  onRequest(_: unknown, id: number): void {
    this.#node.send(this.#chain[0]!, { type: 'request', request: id } satisfies Message)
  }

  onMessage(message: Message, from: string): void {
    switch (message.type) {
      case 'pong':
        this.#silent[from] = 0
        if (message.epoch < this.#epoch) this.#tell(from)
        break
      case 'synced':
        if (message.epoch === this.#epoch && !this.#synced.includes(from)) this.#note([...this.#synced, from])
        break
      case 'join':
        this.#join(from, message.epoch)
    }
  }

  /** A server has restarted, or was taken out: it becomes the last of the chain. */
  #join(server: string, epoch: number): void {
    const isMember = this.#chain.includes(server)
    if (epoch < this.#epoch && isMember && !this.#synced.includes(server)) {
      this.#tell(server)
      return
    }
    this.#silent[server] = 0
    if (isMember && !this.#canLose(server)) {
      this.#configure(this.#chain)
    } else {
      this.#synced = this.#synced.filter((each) => each !== server)
      this.#configure([...this.#chain.filter((each) => each !== server), server])
    }
  }

  #canLose(server: string): boolean {
    return this.#synced.some((other) => other !== server)
  }

  #configure(chain: readonly string[]): void {
    this.#epoch++
    this.#chain = chain
    this.#note(this.#synced)
    this.#node.event('configured', { epoch: this.#epoch, chain })
    for (const server of SERVERS) this.#tell(server)
  }

  #note(synced: readonly string[]): void {
    this.#synced = this.#chain.filter((server) => synced.includes(server))
    this.#node.persist({ epoch: this.#epoch, chain: this.#chain, synced: this.#synced })
  }

  #tell(server: string): void {
    this.#node.send(server, { type: 'configure', epoch: this.#epoch, chain: this.#chain } satisfies Message)
  }
}

class Server implements Actor {
  #epoch = 0
  #chain: readonly string[] = SERVERS
  #ready = true
  #log: readonly number[] = []
  #commit = 0
  readonly #node: ActorContext

  constructor(node: ActorContext) {
    this.#node = node
  }

  get state(): ServerState {
    return {
      epoch: this.#epoch,
      chain: this.#chain,
      ready: this.#ready,
      op: this.#log.length,
      commit: this.#commit,
      log: this.#log,
    }
  }

  onStart(): void {
    this.#node.setTimer('resend', RESEND_MS)
  }

  onRestart(): void {
    const { epoch, log, commit } = (this.#node.durable ?? this.state) as ServerState
    this.#epoch = epoch
    this.#log = log
    this.#commit = commit
    this.#chain = []
    this.#ready = false
    this.#join()
    this.onStart()
  }

  /** Sends again what may be lost. */
  onTimer(): void {
    if (this.#chain.length === 0) this.#join()
    else if (this.#ready && this.#commit < this.#log.length) this.#sync()
    this.#node.setTimer('resend', RESEND_MS)
  }

  onRequest(_: unknown, id: number): void {
    this.#request(id)
  }

  onMessage(message: Message, from: string): void {
    switch (message.type) {
      case 'ping':
        this.#send(MASTER, { type: 'pong', epoch: this.#epoch })
        break
      case 'configure':
        if (message.epoch > this.#epoch) this.#configure(message.epoch, message.chain)
        break
      case 'request':
        this.#request(message.request)
        break
      case 'sync':
        if (message.epoch === this.#epoch && from === this.#neighbour(-1)) this.#adopt(message.log, message.commit)
        break
      case 'forward':
        this.#forwarded(message, from)
        break
      case 'acknowledge':
        if (message.epoch === this.#epoch && this.#ready && from === this.#neighbour(1)) this.#commitTo(message.commit)
    }
  }

  #request(request: number): void {
    const head = this.#chain[0]
    if (head === undefined || this.#log.includes(request)) return
    if (head === this.#node.id) this.#append(request)
    else this.#send(head, { type: 'request', request })
  }

  #forwarded({ epoch, op, request }: Extract<Message, { type: 'forward' }>, from: string): void {
    if (epoch !== this.#epoch || !this.#ready || from !== this.#neighbour(-1)) return
    if (op === this.#log.length + 1) this.#append(request)
  }

  #append(request: number): void {
    this.#log = [...this.#log, request]
    this.#persist()
    const next = this.#neighbour(1)
    if (next === undefined) this.#commitTo(this.#log.length)
    else this.#send(next, { type: 'forward', epoch: this.#epoch, op: this.#log.length, request })
  }

  #configure(epoch: number, chain: readonly string[]): void {
    this.#epoch = epoch
    const isMember = chain.includes(this.#node.id)
    this.#chain = isMember ? chain : []
    this.#ready = chain[0] === this.#node.id
    this.#persist()
    if (!isMember) this.#join()
    else if (this.#ready) this.#becomeReady()
  }

  #adopt(log: readonly number[], commit: number): void {
    if (this.#ready && log.length < this.#log.length) return
    this.#log = log
    this.#commit = Math.max(this.#commit, commit)
    this.#ready = true
    this.#persist()
    this.#send(MASTER, { type: 'synced', epoch: this.#epoch })
    this.#becomeReady()
  }

  /** It has all that its predecessor had: its successor gets that too, and a tail commits it. */
  #becomeReady(): void {
    if (this.#neighbour(1) === undefined) this.#commitTo(this.#log.length)
    else this.#sync()
  }

  #sync(): void {
    const next = this.#neighbour(1)
    if (next === undefined) return
    this.#send(next, { type: 'sync', epoch: this.#epoch, log: this.#log, commit: this.#commit })
  }

  /** All servers from here to the tail have these operations. */
  #commitTo(commit: number): void {
    if (this.#chain[0] === this.#node.id) {
      for (let at = this.#commit; at < commit; at++) this.#node.reply(this.#log[at]!, at + 1)
    }
    if (commit > this.#commit) this.#node.event('committed', { op: commit })
    this.#commit = Math.max(this.#commit, commit)
    this.#persist()
    const previous = this.#neighbour(-1)
    if (previous === undefined) return
    this.#send(previous, { type: 'acknowledge', epoch: this.#epoch, commit: this.#commit })
  }

  #join(): void {
    this.#send(MASTER, { type: 'join', epoch: this.#epoch })
  }

  /** The predecessor (-1) or the successor (1) in the chain. */
  #neighbour(distance: -1 | 1): string | undefined {
    return this.#chain[this.#chain.indexOf(this.#node.id) + distance]
  }

  #persist(): void {
    this.#node.persist(this.state)
  }

  #send(to: string, message: Message): void {
    this.#node.send(to, message)
  }
}

export const chainReplication = () =>
  actors<Record<string, (node: ActorContext) => Master | Server>>({
    ...Object.fromEntries(SERVERS.map((name) => [name, (node: ActorContext) => new Server(node)])),
    [MASTER]: (node) => new Master(node),
  })
