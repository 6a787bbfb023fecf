/**
 * The simulation of one execution: nodes, network, timers and clients. A driver (a schedule, a
 * scenario, the fault-free phase) performs one step after another.
 *
 * Time is virtual, and moves only to the due time of what is performed. So a schedule that fires
 * timers early delays messages, and vice versa.
 *
 * Invariants: everything happens through these methods. Each leaves the log, the view and the model
 * up to date and has checked the invariant; a step that is not possible changes nothing and returns
 * false.
 */

import { canFail } from '../model/follower.ts'
import type { ClusterOptions, ClusterView, RequestView } from './definition.ts'
import { type EffectsHost, NodeEffects } from './effects.ts'
import type { Fault, FaultHost, FaultStep } from './faults/fault.ts'
import { quotasOf } from './faults/faults.ts'
import { FAULTS } from './faults/table.ts'
import { Following } from './following.ts'
import { LiveView } from './live-view.ts'
import type { EntryKind, LogEntry } from './log.ts'
import { type Message, Network } from './network.ts'
import { copyAgain } from './plain-data.ts'
import { type Step, type StepCodes, stepCodesOf } from './steps.ts'
import { synchronous } from './synchronous.ts'
import { assertSystem, type Data, type NodeEvent, type NodeId, type System } from './system.ts'
import { isDueBefore, Timers } from './timers.ts'
import { DELIVER, hashText, LOST, REQUEST, START, TIMEOUT, TraceClass } from './trace-class.ts'
import { Workload } from './workload.ts'

export interface SimulationOptions {
  readonly cluster: ClusterOptions
  /** The requests of clients, in order. */
  readonly requests: readonly Data[]
  /** A float in [0, 1), for the nodes' `random()`. */
  readonly random: () => number
  /** Default: made by the cluster's `system`. */
  readonly system?: System
  /** Called after every event, before the invariant is checked. It must not change anything. */
  readonly onSettled?: () => void
  /** Whether the model follows where no verdict depends on it. Default: true. */
  readonly follows?: boolean
}

/** Bounds of one execution: log entries, and messages in flight. */
const MAX_ENTRIES = 300_000
const MAX_IN_FLIGHT = 20_000

const TOO_MANY_ENTRIES = `more than ${MAX_ENTRIES} log entries in one execution: if the nodes do not answer each other forever, lower \`steps\`, or \`withinMs\` of \`eventually\``
const TOO_MANY_MESSAGES = `more than ${MAX_IN_FLIGHT} messages in flight: the nodes send more messages than they receive, without end`

const NONE: readonly number[] = []

/** In the fault-free phase the network heals before nodes restart, so that what they send arrives. */
const CALMING = FAULTS.toReversed()

export class Simulation implements EffectsHost, FaultHost {
  readonly cluster: ClusterOptions
  readonly system: System
  readonly codes: StepCodes
  readonly log: LogEntry[] = []
  /** The names of the events that nodes have reported, in order. */
  readonly events: string[] = []
  readonly network: Network
  readonly view: ClusterView
  /** Undefined if the cluster has no model, or it does not follow. */
  readonly following: Following | undefined
  /** How often each fault of the table happened, and how often it may. */
  readonly injected: number[] = new Array<number>(FAULTS.length).fill(0)
  readonly quotas: readonly number[]
  /** The current scheduled step; -1 before the first. */
  step = -1
  /** Whether faults may exceed their quotas, as in scenarios. */
  ignoresQuotas = false
  readonly #nodes: readonly NodeId[]
  readonly #index: ReadonlyMap<NodeId, number>
  readonly #workload: Workload
  readonly #effects: NodeEffects
  readonly #trace: TraceClass
  readonly #up: boolean[]
  readonly #timers: Timers
  readonly #random: () => number
  readonly #onSettled: (() => void) | undefined
  /** Whether all nodes have started; the invariant is not checked before. */
  #started = false
  #nowUs = 0
  #order = 0
  #messages = 0
  /** The index of the first log entry that the model has not followed. */
  #unfollowed = 0

  constructor({ cluster, requests, random, system = cluster.system(), onSettled, follows = true }: SimulationOptions) {
    assertSystem(system)
    this.cluster = cluster
    this.system = system
    this.quotas = quotasOf(cluster.faults)
    for (let at = 0; at < FAULTS.length; at++) if (this.quotas[at]! > 0) FAULTS[at]!.assertSupported?.(system)
    this.#nodes = system.nodes
    this.#index = new Map(system.nodes.map((id, index) => [id, index]))
    this.codes = stepCodesOf({ nodes: system.nodes, network: cluster.network ?? {}, quotas: this.quotas })
    this.network = new Network(system.nodes.length, cluster.network ?? {})
    this.#workload = new Workload(requests, cluster)
    this.#effects = new NodeEffects(this, system.sharesNothing !== true)
    this.#trace = new TraceClass(system.nodes.length)
    this.#up = system.nodes.map(() => false)
    this.#timers = new Timers(system.nodes.length)
    this.#random = random
    this.#onSettled = onSettled
    this.view = new LiveView(this)
    const { model } = cluster
    this.following = model !== undefined && (follows || canFail(model)) ? new Following(model) : undefined
  }

  /** Begins the execution: the nodes start, in order. */
  start(): void {
    this.system.reset()
    this.system.foresee?.(
      this.#nodes.map((node) => ({ type: 'start', node })),
      0,
    )
    for (let node = 0; node < this.#nodes.length; node++) this.boot(node, 'start', START)
    this.#started = true
    this.#checkInvariant()
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
    return this.#workload.issued
  }

  /** The number of requests still to come. */
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

  /** Whether no message, timer or request is left: only a fault could change anything. */
  get isQuiescent(): boolean {
    if (this.requestsLeft > 0 || this.network.size > 0) return false
    return this.#timers.isEmpty
  }

  /** Whether a fault can still make a node act, now or after another. */
  get canWake(): boolean {
    for (const { index } of this.codes.waking) if (!this.isSpent(index) || this.#up.includes(false)) return true
    return false
  }

  /** Performs a step of a schedule; false if it is not possible now. */
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
      case 'fault':
        return this.inject(step)
    }
  }

  /** Injects a fault or ends one; false if it is not possible, or its quota is spent. */
  inject(step: FaultStep): boolean {
    const { act } = step
    if (!act.isPossible(this, step)) return false
    const at = FAULTS.indexOf(act as Fault)
    if (at >= 0) {
      if (!this.ignoresQuotas && this.isSpent(at)) return false
      FAULTS[at]!.assertSupported?.(this.system)
      this.injected[at]!++
    }
    act.perform(this, step)
    return true
  }

  /** Whether a fault of the table has happened as often as it may. */
  isSpent(fault: number): boolean {
    return this.injected[fault]! >= this.quotas[fault]!
  }

  /** The default step, whatever is due first: delivers a message, fires a timer or makes a request. */
  natural(): boolean {
    const message = this.network.first()
    const timer = this.#timers.first()
    const timerFirst = timer !== undefined && (message === undefined || isDueBefore(timer, message))
    const next: { readonly dueUs: number } | undefined = timerFirst ? timer : message
    const requestUs = this.#workload.nextDueUs
    if (requestUs !== undefined && (next === undefined || requestUs < next.dueUs)) {
      const made = this.#request(this.#firstCandidate(), requestUs)
      if (made || next === undefined) return made
    }
    if (next === undefined) return false
    this.#nowUs = Math.max(this.#nowUs, next.dueUs)
    if (timerFirst) return this.timeout(timer.node)
    const { from, to } = message!
    return this.#deliver(this.network.take(from, to, this.network.channel(from, to).indexOf(message!)))
  }

  /** When the next message or timer is due, in microseconds; undefined if there is none. */
  get nextDueUs(): number | undefined {
    const due = [this.network.first(), this.#timers.first()].filter((each) => each !== undefined)
    return due.length === 0 ? undefined : Math.max(this.#nowUs, Math.min(...due.map(({ dueUs }) => dueUs)))
  }

  /** Advances virtual time, at most to the next due time. */
  advanceTo(untilUs: number): void {
    this.#nowUs = Math.max(this.#nowUs, Math.min(untilUs, this.nextDueUs ?? untilUs))
  }

  /** Delivers up to `count` messages of a channel; in an unordered one only the `count`-th oldest. */
  deliver(from: number, to: number, count: number): boolean {
    if (!this.network.connects(from, to)) return false
    const { isOrdered } = this.codes
    if (!isOrdered) return this.#deliver(this.network.take(from, to, count - 1))
    // Messages sent during these deliveries are not delivered.
    const delivered = Math.min(count, this.network.channel(from, to).length)
    if (delivered > 1) this.#foreseeDeliveries(from, to, delivered)
    for (let more = 0; more < delivered; more++) this.#deliver(this.network.take(from, to))
    return delivered > 0
  }

  /** Drops a message; no quota applies. */
  dropMessage(id: number): boolean {
    const message = this.#takeMessage(id)
    if (message === undefined) return false
    this.lose(message, 'drop')
    return true
  }

  /**
   * Fires a timer of a node.
   *
   * @param name default: the timer that is due first
   * @param early does not advance virtual time, as if the node's clock were fast
   */
  timeout(node: number, name?: string, early = false): boolean {
    const timer = this.#timers.take(node, name)
    if (timer === undefined) return false
    if (!early) this.#nowUs = Math.max(this.#nowUs, timer.dueUs)
    this.#trace.note(node, TIMEOUT, hashText(timer.name))
    this.record('timeout', node, '', timer.name, -1, undefined)
    this.#handle(node, { type: 'timeout', node: this.#nodes[node]!, timer: timer.name })
    return true
  }

  /** The next request reaches a node; if `route` names a single node, that one. */
  request(node: number): boolean {
    return this.requestsLeft > 0 && this.#request(node, this.#nowUs)
  }

  /** The nodes that are up and whose step `request` makes the next request now. */
  get takers(): readonly number[] {
    if (this.requestsLeft === 0) return NONE
    const nodes: number[] = []
    for (let node = 0; node < this.#up.length; node++) {
      if (!this.#up[node]) continue
      const at = this.#routed(node)
      if (at >= 0 && this.#up[at]) nodes.push(node)
    }
    return nodes
  }

  /** Ends all faults. */
  startFaultFreePhase(): void {
    this.record('calm', -1, '', '', -1, undefined)
    for (const fault of CALMING) fault.calm?.(this)
  }

  boot(node: number, type: 'start' | 'restart', what: number): void {
    this.#up[node] = true
    this.#trace.note(node, what, 0)
    this.record(type, node, '', '', -1, undefined)
    this.#handle(node, { type, node: this.#nodes[node]! })
  }

  stop(node: number): void {
    this.#up[node] = false
    this.#timers.clearAll(node)
  }

  resend(message: Message): void {
    this.network.push({ ...message, dueUs: this.#nowUs + this.network.latencyUs, order: this.#order++ })
  }

  lose(message: Message, why: string): void {
    // The receiver cannot see the loss, but the execution belongs to another class.
    if (why !== 'down') this.#trace.note(message.to, LOST, message.origin)
    this.record('lost', message.to, this.#nodes[message.from]!, why, message.id, message.data)
    this.system.lost?.(this.#nodes[message.from]!, this.#nodes[message.to]!, message.data, this.#nowUs / 1000)
    this.settle()
  }

  note(node: number, what: number, detail: number): void {
    this.#trace.note(node, what, detail)
  }

  #takeMessage(id: number): Message | undefined {
    const message = this.network.messages().find((each) => each.id === id)
    if (message === undefined) return undefined
    const { from, to } = message
    return this.network.take(from, to, this.network.channel(from, to).indexOf(message))
  }

  /** In a partition a delivery may lose what its receiver sends, which the system hears in between. */
  #foreseeDeliveries(from: number, to: number, count: number): void {
    if (this.system.foresee === undefined || !this.#up[to] || this.network.isPartitioned) return
    const [node, sender] = [this.#nodes[to]!, this.#nodes[from]!]
    const messages = this.network.channel(from, to).slice(0, count)
    this.system.foresee(
      messages.map(({ data }) => ({ type: 'deliver', node, from: sender, message: data })),
      this.#nowUs / 1000,
    )
  }

  #deliver(sent: Message | undefined): boolean {
    if (sent === undefined) return false
    const { to, id, from, data } = sent
    if (!this.#up[to]) {
      this.lose(sent, 'down')
      return true
    }
    this.#trace.note(to, DELIVER, sent.origin)
    this.record('deliver', to, this.#nodes[from]!, '', id, data)
    const message = this.#copy(data)
    this.#handle(to, { type: 'deliver', node: this.#nodes[to]!, from: this.#nodes[from]!, message })
    return true
  }

  #request(node: number, dueUs: number): boolean {
    const at = this.#routed(node)
    if (at < 0 || !this.#up[at]) return false
    const next = this.#workload.next()
    const { id, request: data } = next
    this.#nowUs = Math.max(this.#nowUs, dueUs)
    this.#workload.issue(next, this.#nodes[at]!)
    this.#trace.note(at, REQUEST, id)
    this.record('request', at, '', '', id, data)
    const request = this.#copy(data)
    this.#handle(at, { type: 'request', node: this.#nodes[at]!, id, request })
    return true
  }

  /** Nodes may change what they receive; the log and duplicates keep the original. */
  #copy(data: Data): Data {
    return this.system.sharesNothing === true ? data : copyAgain(data)
  }

  /** The node that gets the next request where a step names one; -1 if `route` excludes it. */
  #routed(node: number): number {
    const { candidates } = this.#workload
    if (candidates === undefined) return node
    if (typeof candidates === 'string' || !Array.isArray(candidates)) return this.#candidate(candidates as NodeId)
    return candidates.some((each) => this.#candidate(each) === node) ? node : -1
  }

  /** The node that gets the next request by default: the first that is up; -1 if there is none. */
  #firstCandidate(): number {
    const { candidates } = this.#workload
    if (!Array.isArray(candidates)) return this.#up.indexOf(true)
    return (candidates as readonly NodeId[]).map((each) => this.#candidate(each)).find((at) => this.#up[at]) ?? -1
  }

  #candidate(id: NodeId): number {
    const at = this.#index.get(id)
    if (at !== undefined) return at
    throw new Error(
      `\`route\` sends request ${this.#workload.issued.length} to '${id}', which is not a node: the nodes are ${this.#nodes.join(', ')}`,
    )
  }

  /** Performs an event at a node. */
  #handle(node: number, event: NodeEvent): void {
    this.#effects.begin(node)
    this.system.perform(event, this.#effects)
    this.settle()
  }

  /** Ends an event: the model follows it, and the invariant is checked. */
  settle(): void {
    const { following, log, view } = this
    following?.observe(log, this.#unfollowed, view)
    this.#unfollowed = log.length
    if (this.#started) this.#checkInvariant()
  }

  #checkInvariant(): void {
    this.#onSettled?.()
    const { invariant } = this.cluster
    if (invariant !== undefined) synchronous(invariant(this.view), () => '`invariant`')
  }

  record(kind: EntryKind, node: number, peer: NodeId, name: string, id: number, data: Data): void {
    const at = node < 0 ? '' : this.#nodes[node]!
    if (this.log.length >= MAX_ENTRIES) throw new Error(TOO_MANY_ENTRIES)
    this.log.push({ kind, step: this.step, atUs: this.#nowUs, node: at, peer, name, id, data })
  }

  random(): number {
    return this.#random()
  }

  sent(from: number, ordinal: number, to: number, data: Data): void {
    if (this.network.size >= MAX_IN_FLIGHT) throw new Error(TOO_MANY_MESSAGES)
    const id = this.#messages++
    this.record('send', from, this.#nodes[to]!, '', id, data)
    if (!this.network.connects(from, to)) {
      this.record('lost', to, this.#nodes[from]!, 'partition', id, data)
      this.system.lost?.(this.#nodes[from]!, this.#nodes[to]!, data, this.#nowUs / 1000)
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
    this.record('reply', node, '', '', request, data)
  }

  happened(node: number, name: string, data: Data): void {
    this.events.push(name)
    this.record('event', node, '', name, -1, data)
  }
}
