/**
 * The simulation of one execution: the nodes, their network, timers and clients, and what can be
 * done to them. Whoever drives it (a schedule, a scenario, the calm that follows) says what happens
 * next, one thing at a time.
 *
 * Time is virtual. It moves only when something happens that was due later: so under a schedule
 * that lets timers run out early, messages are late, and the other way round.
 *
 * Invariants: nothing happens but through the methods here; each leaves the log, the views and the
 * model up to date and has checked the invariant; one that is not possible changes nothing and
 * gives false.
 */
import { atOnce } from './at-once.ts'
import { checkSystem } from './check-system.ts'
import type { ClusterOptions, ClusterView, RequestView } from './definition.ts'
import { type EffectsHost, NO_EFFECTS, NodeEffects } from './effects.ts'
import { Following } from './following.ts'
import type { EntryKind, LogEntry } from './log.ts'
import { type Message, Network } from './network.ts'
import { copyData } from './plain-data.ts'
import { codesOf } from './step-shapes.ts'
import { groupsOf, type Step, type StepCodes } from './steps.ts'
import type { Data, NodeEvent, NodeId, System } from './system.ts'
import { isDueBefore, Timers } from './timers.ts'
import { hashText, TraceClass } from './trace-class.ts'
import { LiveView } from './view.ts'
import { Workload } from './workload.ts'

export interface SimulationOptions {
  readonly cluster: ClusterOptions
  /** What clients ask for, in order. */
  readonly requests: readonly Data[]
  /** A float in [0, 1), for nodes that ask for chance. */
  readonly random: () => number
  /** The system, where it is there already. */
  readonly system?: System
  /**
   * Told whenever something has happened, before the invariant is checked. It must not change
   * anything.
   */
  readonly onSettled?: () => void
}

/** What one execution may grow to: entries of its log, and messages under way at once. */
const MAX_ENTRIES = 300_000
const MAX_UNDER_WAY = 20_000

const TOO_LONG = `more than ${MAX_ENTRIES} things happened in one execution: nodes that answer each other without end, or too many steps; lower \`steps\`, or \`withinMs\` of \`eventually\``
const TOO_MANY = `more than ${MAX_UNDER_WAY} messages are under way at once: nodes that send more than they are sent, without end`

/** What happens to a node, as it enters the trace class. */
const [START, DELIVER, TIMEOUT, REQUEST, CRASH, RESTART, LOST] = [1, 2, 3, 4, 5, 6, 7] as const

export class Simulation implements EffectsHost {
  readonly cluster: ClusterOptions
  readonly system: System
  readonly codes: StepCodes
  readonly log: LogEntry[] = []
  readonly network: Network
  readonly view: ClusterView
  /** The abstract states reached; undefined if the cluster has no model. */
  readonly following: Following | undefined
  /** How often each fault happened. */
  readonly faults = { crashes: 0, drops: 0, duplicates: 0, partitions: 0 }
  /** The scheduled step under way. */
  step = -1
  readonly #nodes: readonly NodeId[]
  readonly #index: ReadonlyMap<NodeId, number>
  readonly #workload: Workload
  readonly #effects: NodeEffects
  readonly #trace: TraceClass
  readonly #up: boolean[]
  readonly #timers: Timers
  readonly #random: () => number
  readonly #onSettled: (() => void) | undefined
  /** Whether all nodes have: nothing is asked of a cluster that is half there. */
  #started = false
  #nowUs = 0
  #order = 0
  #messages = 0
  /** Entries that the model and the invariant have not seen. */
  #unseen = 0

  constructor({ cluster, requests, random, system = cluster.system(), onSettled }: SimulationOptions) {
    checkSystem(system)
    this.cluster = cluster
    this.system = system
    this.#nodes = system.nodes
    this.#index = new Map(system.nodes.map((id, index) => [id, index]))
    this.codes = codesOf(cluster, system.nodes)
    this.network = new Network(system.nodes.length, cluster.network ?? {})
    this.#workload = new Workload(requests, cluster)
    this.#effects = new NodeEffects(this)
    this.#trace = new TraceClass(system.nodes.length)
    this.#up = system.nodes.map(() => false)
    this.#timers = new Timers(system.nodes.length)
    this.#random = random
    this.#onSettled = onSettled
    this.view = new LiveView(this)
    this.following = cluster.model === undefined ? undefined : new Following(cluster.model)
  }

  /** Begins the execution: all nodes start, in their order. */
  start(): void {
    this.system.reset()
    for (let node = 0; node < this.#nodes.length; node++) this.#begin(node, 'start', START)
    this.#started = true
    this.#inspect()
  }

  get nodes(): readonly NodeId[] {
    return this.#nodes
  }

  get nowUs(): number {
    return this.#nowUs
  }

  /** The happens-before class so far. */
  get trace(): number {
    return this.#trace.value
  }

  get requests(): readonly RequestView[] {
    return this.#workload.made
  }

  /** Requests that clients have not made yet. */
  get requestsLeft(): number {
    return this.#workload.left
  }

  isUp(node: number): boolean {
    return this.#up[node]!
  }

  hasTimer(node: number): boolean {
    return this.#timers.has(node)
  }

  indexOf(id: NodeId): number {
    const index = this.#index.get(id)
    if (index === undefined) throw new Error(`there is no node '${id}': the nodes are ${this.#nodes.join(', ')}`)
    return index
  }

  /** Whether nothing will ever happen unless a fault does. */
  get isQuiet(): boolean {
    if (this.requestsLeft > 0 || this.network.size > 0) return false
    return this.#timers.isEmpty
  }

  /** Whether a node may still begin again, so that something may come of it. */
  get canRevive(): boolean {
    const quota = this.cluster.faults?.crashes ?? 0
    return quota > 0 && (this.faults.crashes < quota || this.#up.includes(false))
  }

  /** Does what a step of a schedule says; false if it is not possible now. */
  perform(step: Step): boolean {
    switch (step.kind) {
      case 'natural':
        return this.natural()
      case 'deliver':
        return this.deliver(step.from, step.to, step.count)
      case 'timeout':
        return this.timeout(step.node)
      case 'request':
        return this.request(step.node)
      case 'duplicate':
        return this.duplicate(step.from, step.to)
      case 'drop':
        return this.drop(step.from, step.to)
      case 'restart':
        return this.restart(step.node)
      case 'crash':
        return this.crash(step.node)
      case 'heal':
        return this.heal()
      case 'partition':
        return this.part(step.side)
    }
  }

  /** What is due first happens: a message arrives, a timer runs out, or a request comes. */
  natural(): boolean {
    const message = this.network.first()
    const timer = this.#timers.first()
    const timerFirst = timer !== undefined && (message === undefined || isDueBefore(timer, message))
    const next: { readonly dueUs: number } | undefined = timerFirst ? timer : message
    const requestUs = this.#workload.nextDueUs
    if (requestUs !== undefined && (next === undefined || requestUs < next.dueUs)) {
      const made = this.#request(this.#up.indexOf(true), requestUs)
      if (made || next === undefined) return made
    }
    if (next === undefined) return false
    this.#nowUs = Math.max(this.#nowUs, next.dueUs)
    if (timerFirst) return this.timeout(timer.node)
    const { from, to } = message!
    return this.#deliver(this.network.take(from, to, this.network.channel(from, to).indexOf(message!)))
  }

  /**
   * When the next message or timer is due, in microseconds; undefined if there is none. Requests
   * are not counted.
   */
  get nextDueUs(): number | undefined {
    const due = [this.network.first(), this.#timers.first()].filter((each) => each !== undefined)
    return due.length === 0 ? undefined : Math.max(this.#nowUs, Math.min(...due.map(({ dueUs }) => dueUs)))
  }

  /** Lets time go by up to a moment before which nothing is due. */
  pass(untilUs: number): void {
    this.#nowUs = Math.max(this.#nowUs, Math.min(untilUs, this.nextDueUs ?? untilUs))
  }

  /**
   * Delivers the oldest messages of a channel, up to a count; of an unordered one the `count`-th
   * oldest alone.
   */
  deliver(from: number, to: number, count: number): boolean {
    if (!this.network.connects(from, to)) return false
    const { isOrdered } = this.codes
    if (!isOrdered) return this.#deliver(this.network.take(from, to, count - 1))
    // What is sent meanwhile is not meant.
    const delivered = Math.min(count, this.network.channel(from, to).length)
    for (let more = 0; more < delivered; more++) this.#deliver(this.network.take(from, to))
    return delivered > 0
  }

  /** Delivers the message of an id. */
  deliverMessage(id: number): boolean {
    return this.#deliver(this.#takeMessage(id))
  }

  /** Loses the message of an id; no quota applies. */
  dropMessage(id: number): boolean {
    return this.#lose(this.#takeMessage(id), 'drop')
  }

  /**
   * Lets the timer of a node run out that is due first.
   *
   * @param name of the timer, if it is to be a certain one
   * @param early the node's clock is fast: it does not get any later
   */
  timeout(node: number, name?: string, early = false): boolean {
    const timer = this.#timers.take(node, name)
    if (timer === undefined) return false
    if (!early) this.#nowUs = Math.max(this.#nowUs, timer.dueUs)
    this.#trace.note(node, TIMEOUT, hashText(timer.name))
    this.#note('timeout', node, '', timer.name, -1, undefined)
    this.#happen(node, { type: 'timeout', node: this.#nodes[node]!, timer: timer.name })
    return true
  }

  /** The next request reaches a node, or the one that the cluster's route says. */
  request(node: number): boolean {
    return this.requestsLeft > 0 && this.#request(node, this.#nowUs)
  }

  duplicate(from: number, to: number): boolean {
    const [oldest] = this.network.channel(from, to)
    if (oldest === undefined || this.#isSpent('duplicates')) return false
    this.faults.duplicates++
    this.network.push({ ...oldest, dueUs: this.#nowUs + this.network.latencyUs, order: this.#order++ })
    this.#note('duplicate', to, this.#nodes[from]!, '', oldest.id, oldest.data)
    this.#settle()
    return true
  }

  drop(from: number, to: number): boolean {
    if (this.network.channel(from, to).length === 0 || this.#isSpent('drops')) return false
    this.faults.drops++
    return this.#lose(this.network.take(from, to), 'drop')
  }

  crash(node: number): boolean {
    if (!this.#up[node] || this.#isSpent('crashes')) return false
    this.faults.crashes++
    this.#up[node] = false
    this.#timers.clearAll(node)
    this.#trace.note(node, CRASH, 0)
    this.#note('crash', node, '', '', -1, undefined)
    this.system.perform({ type: 'crash', node: this.#nodes[node]! }, NO_EFFECTS)
    this.#settle()
    return true
  }

  restart(node: number): boolean {
    if (this.#up[node]) return false
    this.#begin(node, 'restart', RESTART)
    return true
  }

  part(side: readonly number[]): boolean {
    if (this.network.isParted || this.#isSpent('partitions')) return false
    this.faults.partitions++
    this.network.part(side)
    this.#note('partition', -1, '', '', -1, groupsOf(this.#nodes, side))
    this.#settle()
    return true
  }

  heal(): boolean {
    if (!this.network.isParted) return false
    this.network.part(undefined)
    this.#note('heal', -1, '', '', -1, undefined)
    this.#settle()
    return true
  }

  /**
   * From here on nothing interferes: the network is whole, and crashed nodes begin again unless
   * they stay down.
   */
  calm(): void {
    this.#note('calm', -1, '', '', -1, undefined)
    this.heal()
    if (this.cluster.permanentCrashes) return
    for (let node = 0; node < this.#nodes.length; node++) this.restart(node)
  }

  /** Whether a fault has happened as often as it may; scenarios lift all quotas. */
  #isSpent(fault: keyof Simulation['faults']): boolean {
    return !this.unlimited && this.faults[fault] >= (this.cluster.faults?.[fault] ?? 0)
  }

  /** Lets faults happen as often as somebody asks. */
  unlimited = false

  #begin(node: number, type: 'start' | 'restart', what: number): void {
    this.#up[node] = true
    this.#trace.note(node, what, 0)
    this.#note(type, node, '', '', -1, undefined)
    this.#happen(node, { type, node: this.#nodes[node]! })
  }

  #takeMessage(id: number): Message | undefined {
    const message = this.network.messages().find((each) => each.id === id)
    if (message === undefined) return undefined
    const { from, to } = message
    return this.network.take(from, to, this.network.channel(from, to).indexOf(message))
  }

  #deliver(sent: Message | undefined): boolean {
    if (sent === undefined) return false
    const { to, id, from, data } = sent
    if (!this.#up[to]) return this.#lose(sent, 'down')
    this.#trace.note(to, DELIVER, sent.origin)
    this.#note('deliver', to, this.#nodes[from]!, '', id, data)
    const message = this.#own(data, () => `message ${id}`)
    this.#happen(to, { type: 'deliver', node: this.#nodes[to]!, from: this.#nodes[from]!, message })
    return true
  }

  #lose(message: Message | undefined, why: 'drop' | 'down'): boolean {
    if (message === undefined) return false
    // That it is lost shows to its receiver only in what does not come; still it is another class.
    if (why === 'drop') this.#trace.note(message.to, LOST, message.origin)
    this.#note('lost', message.to, this.#nodes[message.from]!, why, message.id, message.data)
    this.system.lost?.(this.#nodes[message.from]!, this.#nodes[message.to]!, message.data)
    this.#settle()
    return true
  }

  #request(node: number, dueUs: number): boolean {
    const next = this.#workload.next()
    const { id, to, request: asked } = next
    const at = this.cluster.route === undefined ? node : this.#routed(to, id)
    if (at < 0 || !this.#up[at]) return false
    this.#nowUs = Math.max(this.#nowUs, dueUs)
    this.#workload.make(next, this.#nodes[at]!)
    this.#trace.note(at, REQUEST, id)
    this.#note('request', at, '', '', id, asked)
    const request = this.#own(asked, () => `request ${id}`)
    this.#happen(at, { type: 'request', node: this.#nodes[at]!, id, request })
    return true
  }

  /**
   * What a node is given is its own: it may change it, and the log, the checks and a duplicate of
   * it stay as they are.
   */
  #own(data: Data, what: () => string): Data {
    return typeof data === 'object' ? copyData(data, what) : data
  }

  #routed(to: NodeId | undefined, id: number): number {
    const at = this.#index.get(to as NodeId)
    if (at !== undefined) return at
    throw new Error(
      `\`route\` sends request ${id} to '${to}', which is no node: the nodes are ${this.#nodes.join(', ')}`,
    )
  }

  /** Lets something happen to a node, and brings all that follows it up to date. */
  #happen(node: number, event: NodeEvent): void {
    this.#effects.begin(node)
    this.system.perform(event, this.#effects)
    this.#settle()
  }

  /** Shows what has happened to the model and the invariant. */
  #settle(): void {
    const { following, log, view } = this
    following?.observe(log, this.#unseen, view)
    this.#unseen = log.length
    if (this.#started) this.#inspect()
  }

  #inspect(): void {
    this.#onSettled?.()
    const { invariant } = this.cluster
    if (invariant !== undefined) atOnce(invariant(this.view), () => '`invariant`')
  }

  #note(kind: EntryKind, node: number, peer: NodeId, name: string, id: number, data: Data): void {
    const at = node < 0 ? '' : this.#nodes[node]!
    if (this.log.length >= MAX_ENTRIES) throw new Error(TOO_LONG)
    this.log.push({ kind, step: this.step, atUs: this.#nowUs, node: at, peer, name, id, data })
  }

  random(): number {
    return this.#random()
  }

  sent(from: number, ordinal: number, to: number, data: Data): void {
    if (this.network.size >= MAX_UNDER_WAY) throw new Error(TOO_MANY)
    const id = this.#messages++
    this.#note('send', from, this.#nodes[to]!, '', id, data)
    if (!this.network.connects(from, to)) {
      this.#note('lost', to, this.#nodes[from]!, 'partition', id, data)
      this.system.lost?.(this.#nodes[from]!, this.#nodes[to]!, data)
      return
    }
    const dueUs = this.#nowUs + this.network.latencyUs
    const origin = this.#trace.origin(from, ordinal)
    this.network.push({ id, from, to, data, dueUs, order: this.#order++, origin })
  }

  timerSet(node: number, name: string, delayUs: number): void {
    this.#timers.set({ node, name, dueUs: this.#nowUs + delayUs, order: this.#order++ })
  }

  timerCleared(node: number, name: string): void {
    this.#timers.clear(node, name)
  }

  replied(node: number, request: number, data: Data): void {
    this.#workload.reply(this.#nodes[node]!, request, data)
    this.#note('reply', node, '', '', request, data)
  }

  happened(node: number, name: string, data: Data): void {
    this.#note('event', node, '', name, -1, data)
  }
}
