/**
 * The steps of a schedule and their numbers on the tape; each scheduled step is one choice.
 *
 * The cluster's shape (its nodes, the largest count, which faults it has) fixes the numbers. What
 * is possible at the time does not matter, because an impossible step is skipped. So a step means
 * the same wherever it is moved, swapped or copied to. After the event schedules of ModelFuzz,
 * where a step names a channel and how many messages to deliver from it, and crashes, restarts and
 * requests happen at steps. Timers, drops, duplicates, partitions and the default step 0 (perform
 * whatever is due first) are norn's.
 *
 * Invariant: simpler steps have smaller numbers, so lowering a number simplifies.
 */
import type { Chance } from '../tape/chance.ts'
import { type Fault, type FaultAct, type FaultHost, type FaultPlace, type FaultStep, stepOf } from './faults/fault.ts'
import { FAULTS } from './faults/table.ts'
import type { NetworkOptions } from './network.ts'
import type { NodeId } from './system.ts'

/** A step; nodes are indices into the system's list. */
export type Step =
  /** Whatever is due first: a message, a timer or a request. */
  | { readonly kind: 'natural' }
  /** Up to `count` messages of a channel; in an unordered channel only the `count`-th oldest. */
  | { readonly kind: 'deliver'; readonly from: number; readonly to: number; readonly count: number }
  /** The timer of the node that is due first. */
  | { readonly kind: 'timeout'; readonly node: number }
  /** The next request of the workload reaches a node. */
  | { readonly kind: 'request'; readonly node: number }
  | FaultStep

/** The number of the default step. */
export const NATURAL = 0

export interface StepShape {
  readonly nodes: readonly NodeId[]
  readonly network: NetworkOptions
  /** By fault of the table. */
  readonly quotas: readonly number[]
}

const DEFAULT_PER_STEP = 5

const MAX_NUMBERS = 1_000_000

/** The consecutive numbers of the steps that do one thing: by channel, by node or by partition. */
class ActCodes {
  readonly name: string
  readonly weight: number
  readonly first: number
  readonly count: number
  readonly #steps: readonly FaultStep[]
  /** A field, as the acts differ in shape. */
  readonly #isPossible: FaultAct['isPossible']

  /** Appends the steps to those of smaller numbers. */
  constructor(act: FaultAct, steps: Step[], own: readonly FaultStep[]) {
    this.name = act.name
    this.weight = act.weight
    this.first = steps.length
    this.count = own.length
    this.#steps = own
    this.#isPossible = act.isPossible
    steps.push(...own)
  }

  /** @param at the node; 0 for the network */
  isPossible(host: FaultHost, at: number): boolean {
    const isPossible = this.#isPossible
    return isPossible(host, this.#steps[at]!)
  }
}

/** The numbers of a fault that the cluster has; those of its recovery are smaller. */
export class FaultCodes extends ActCodes {
  readonly fault: Fault
  /** Its place in the table of faults. */
  readonly index: number
  readonly recovery: ActCodes | undefined
  readonly #nodes: number

  constructor(fault: Fault, nodes: number, steps: Step[]) {
    const { recovery } = fault
    const recoveryCodes = recovery && new ActCodes(recovery, steps, stepsOf(recovery, nodes, WHOLE))
    super(fault, steps, stepsOf(fault, nodes, fault.sides?.(nodes) ?? WHOLE))
    this.fault = fault
    this.index = FAULTS.indexOf(fault)
    this.recovery = recoveryCodes
    this.#nodes = nodes
  }

  onChannel(from: number, to: number): number {
    return this.first + from * this.#nodes + to
  }

  /** One of its numbers: of a channel or its sender, or a random one for the network. */
  draw(chance: Chance, node: number, to: number): number {
    if (this.fault.place === 'channel') return this.onChannel(node, to)
    return this.first + (this.fault.place === 'node' ? node : chance.integer(0, this.count - 1))
  }
}

const WHOLE = [[]] as const

function stepsOf(act: FaultAct, nodes: number, sides: readonly (readonly number[])[]): FaultStep[] {
  const all = Array.from({ length: nodes }, (_, node) => node)
  switch (act.place) {
    case 'channel':
      return all.flatMap((from) => all.map((to) => stepOf(act, { from, to })))
    case 'node':
      return all.map((node) => stepOf(act, { node }))
    case 'network':
      return sides.map((side) => stepOf(act, { side }))
  }
}

export class StepCodes {
  readonly nodes: readonly NodeId[]
  /** The maximum number of messages that one step delivers. */
  readonly perStep: number
  readonly isOrdered: boolean
  /** The steps by number. */
  readonly steps: readonly Step[]
  /** The faults that the cluster has, in the order of their numbers. */
  readonly faults: readonly FaultCodes[]
  /** The same by place, in the order of the table. */
  readonly faultsOn: Readonly<Record<FaultPlace, readonly FaultCodes[]>>
  /** Those that can make a node act at any time. */
  readonly waking: readonly FaultCodes[]
  readonly #timeout: number
  readonly #request: number

  constructor({ nodes, network, quotas }: StepShape) {
    this.nodes = nodes
    this.perStep = network.perStep ?? DEFAULT_PER_STEP
    const numbers = nodes.length ** 2 * (this.perStep + 2)
    if (numbers > MAX_NUMBERS) {
      throw new RangeError(
        `${nodes.length} nodes and ${this.perStep} messages per step make ${numbers} kinds of steps, the maximum is ${MAX_NUMBERS}: lower \`network.perStep\``,
      )
    }
    this.isOrdered = (network.order ?? 'fifo') === 'fifo'
    const all = Array.from(nodes, (_, node) => node)
    const counts = Array.from({ length: this.perStep }, (_, more) => more + 1)
    const steps: Step[] = [{ kind: 'natural' }]
    for (const from of all)
      for (const to of all) for (const count of counts) steps.push({ kind: 'deliver', from, to, count })
    this.#timeout = steps.length
    for (const node of all) steps.push({ kind: 'timeout', node })
    this.#request = steps.length
    for (const node of all) steps.push({ kind: 'request', node })
    this.faults = FAULTS.filter((fault, at) => quotas[at]! > 0 && fault.sides?.(nodes.length).length !== 0)
      .sort((a, b) => a.complexity - b.complexity)
      .map((fault) => new FaultCodes(fault, nodes.length, steps))
    const byTable = this.faults.toSorted((a, b) => a.index - b.index)
    const on = (place: FaultPlace) => byTable.filter(({ fault }) => fault.place === place)
    this.faultsOn = { channel: on('channel'), node: on('node'), network: on('network') }
    this.waking = byTable.filter(({ fault }) => fault.wakes === true)
    this.steps = steps
  }

  /** The largest number. */
  get max(): number {
    return this.steps.length - 1
  }

  deliver(from: number, to: number, count: number): number {
    return 1 + (from * this.nodes.length + to) * this.perStep + Math.min(count, this.perStep) - 1
  }

  /** To deliver one message of a channel, by its number. */
  deliverOne(channel: number): number {
    return 1 + channel * this.perStep
  }

  timeout(node: number): number {
    return this.#timeout + node
  }

  request(node: number): number {
    return this.#request + node
  }

  /** The numbers of a fault; undefined if the cluster does not have it. */
  of(fault: Fault): FaultCodes | undefined {
    return this.faults.find((each) => each.fault === fault)
  }

  /** A step in words. */
  describe(code: number): string {
    const step = this.steps[code]
    if (step === undefined) return `unknown step ${code}`
    const name = (node: number) => this.nodes[node]!
    switch (step.kind) {
      case 'natural':
        return 'default step'
      case 'deliver': {
        const channel = `${name(step.from)} → ${name(step.to)}`
        if (!this.isOrdered) return `deliver message ${step.count} of ${channel}`
        return step.count === 1 ? `deliver ${channel}` : `deliver up to ${step.count} of ${channel}`
      }
      case 'timeout':
        return `timeout ${name(step.node)}`
      case 'request':
        return `request to ${name(step.node)}`
      case 'fault': {
        const { act, from, to, node } = step
        if (act.describe !== undefined) return act.describe(step, this.nodes)
        if (act.place === 'channel') return `${act.name} ${name(from)} → ${name(to)}`
        return act.place === 'node' ? `${act.name} ${name(node)}` : act.name
      }
    }
  }

  /** Steps in words, with repeated ones counted: `timeout b`, `default step × 12`. */
  describeAll(codes: readonly number[]): readonly string[] {
    const starts = [...codes.keys()].filter((at) => codes[at] !== codes[at - 1])
    return starts.map((start, run) => {
      const count = (starts[run + 1] ?? codes.length) - start
      return `${this.describe(codes[start]!)}${count === 1 ? '' : ` × ${count}`}`
    })
  }
}

/** Processes have a few clusters, and so a few shapes. */
const MAX_SHAPES = 64
const CODES = new Map<string, StepCodes>()

/** The codes of a cluster, which all executions of clusters of this shape share. */
export function stepCodesOf({ nodes, network, quotas }: StepShape): StepCodes {
  const has = quotas.map((quota) => quota > 0)
  const shape = JSON.stringify([nodes, network.order, network.perStep, has])
  let codes = CODES.get(shape)
  if (codes === undefined) {
    if (CODES.size >= MAX_SHAPES) CODES.clear()
    CODES.set(shape, (codes = new StepCodes({ nodes, network, quotas })))
  }
  return codes
}
