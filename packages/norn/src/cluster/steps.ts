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
import type { ClusterOptions, FaultQuotas, NetworkOptions } from './definition.ts'
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
  /** The oldest message of a channel is duplicated. */
  | { readonly kind: 'duplicate'; readonly from: number; readonly to: number }
  /** The oldest message of a channel is lost. */
  | { readonly kind: 'drop'; readonly from: number; readonly to: number }
  | { readonly kind: 'restart'; readonly node: number }
  | { readonly kind: 'crash'; readonly node: number }
  | { readonly kind: 'heal' }
  /** Separates the nodes of side 0 from those of side 1; `side` has one item for each node. */
  | { readonly kind: 'partition'; readonly side: readonly number[] }

/** The number of the default step. */
export const NATURAL = 0

/**
 * Up to this many nodes, every partition into two groups is a step. With more nodes, only those
 * that separate one node or the first few.
 */
const ALL_PARTITIONS = 8

export interface StepShape {
  readonly nodes: readonly NodeId[]
  readonly network: NetworkOptions
  readonly faults: FaultQuotas
}

const DEFAULT_PER_STEP = 5

const MAX_NUMBERS = 1_000_000

export class StepCodes {
  readonly nodes: readonly NodeId[]
  /** The maximum number of messages that one step delivers. */
  readonly perStep: number
  readonly isOrdered: boolean
  /** The steps by number. */
  readonly steps: readonly Step[]
  readonly #deliver: number
  readonly #timeout: number
  readonly #request: number
  readonly #duplicate: number
  readonly #drop: number
  readonly #restart: number
  readonly #crash: number
  readonly #heal: number
  readonly #partitions: number

  constructor({ nodes, network, faults }: StepShape) {
    this.nodes = nodes
    this.perStep = network.perStep ?? DEFAULT_PER_STEP
    const numbers = nodes.length ** 2 * (this.perStep + 2)
    if (numbers > MAX_NUMBERS) {
      throw new RangeError(
        `${nodes.length} nodes and ${this.perStep} messages per step make ${numbers} kinds of steps, the maximum is ${MAX_NUMBERS}: lower \`network.perStep\``,
      )
    }
    this.isOrdered = (network.order ?? 'fifo') === 'fifo'
    const count = nodes.length
    const steps: Step[] = [{ kind: 'natural' }]
    const each = (make: (node: number) => Step) => {
      const first = steps.length
      for (let node = 0; node < count; node++) steps.push(make(node))
      return first
    }
    const eachChannel = (make: (from: number, to: number) => readonly Step[]) => {
      const first = steps.length
      for (let from = 0; from < count; from++) for (let to = 0; to < count; to++) steps.push(...make(from, to))
      return first
    }
    this.#deliver = eachChannel((from, to) =>
      Array.from({ length: this.perStep }, (_, more) => ({ kind: 'deliver', from, to, count: more + 1 })),
    )
    this.#timeout = each((node) => ({ kind: 'timeout', node }))
    this.#request = each((node) => ({ kind: 'request', node }))
    const duplicates = (faults.duplicates ?? 0) > 0
    this.#duplicate = duplicates ? eachChannel((from, to) => [{ kind: 'duplicate', from, to }]) : -1
    const drops = (faults.drops ?? 0) > 0
    this.#drop = drops ? eachChannel((from, to) => [{ kind: 'drop', from, to }]) : -1
    const crashes = (faults.crashes ?? 0) > 0
    this.#restart = crashes ? each((node) => ({ kind: 'restart', node })) : -1
    this.#crash = crashes ? each((node) => ({ kind: 'crash', node })) : -1
    this.#heal = -1
    this.#partitions = -1
    if ((faults.partitions ?? 0) > 0 && count > 1) {
      this.#heal = steps.length
      steps.push({ kind: 'heal' })
      this.#partitions = steps.length
      for (const side of partitionsOf(count)) steps.push({ kind: 'partition', side })
    }
    this.steps = steps
  }

  /** The largest number. */
  get max(): number {
    return this.steps.length - 1
  }

  deliver(from: number, to: number, count: number): number {
    return this.#deliver + (from * this.nodes.length + to) * this.perStep + Math.min(count, this.perStep) - 1
  }

  timeout(node: number): number {
    return this.#timeout + node
  }

  request(node: number): number {
    return this.#request + node
  }

  /** Undefined if the cluster does not have this fault; so are the following ones. */
  duplicate(from: number, to: number): number | undefined {
    return this.#duplicate < 0 ? undefined : this.#duplicate + from * this.nodes.length + to
  }

  drop(from: number, to: number): number | undefined {
    return this.#drop < 0 ? undefined : this.#drop + from * this.nodes.length + to
  }

  restart(node: number): number | undefined {
    return this.#restart < 0 ? undefined : this.#restart + node
  }

  crash(node: number): number | undefined {
    return this.#crash < 0 ? undefined : this.#crash + node
  }

  get heal(): number | undefined {
    return this.#heal < 0 ? undefined : this.#heal
  }

  /** The numbers of all partitions, which are consecutive. */
  get partitions(): { readonly first: number; readonly count: number } | undefined {
    return this.#partitions < 0 ? undefined : { first: this.#partitions, count: this.steps.length - this.#partitions }
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
      case 'restart':
      case 'crash':
        return `${step.kind} ${name(step.node)}`
      case 'request':
        return `request to ${name(step.node)}`
      case 'duplicate':
      case 'drop':
        return `${step.kind} ${name(step.from)} → ${name(step.to)}`
      case 'heal':
        return 'heal the network'
      case 'partition':
        return `partition ${groupsOf(this.nodes, step.side)
          .map((group) => group.join(', '))
          .join(' | ')}`
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
export function stepCodesOf({ network = {}, faults = {} }: ClusterOptions, nodes: readonly NodeId[]): StepCodes {
  const has = [faults.duplicates, faults.drops, faults.crashes, faults.partitions].map((quota) => (quota ?? 0) > 0)
  const shape = JSON.stringify([nodes, network.order, network.perStep, has])
  let codes = CODES.get(shape)
  if (codes === undefined) {
    if (CODES.size >= MAX_SHAPES) CODES.clear()
    CODES.set(shape, (codes = new StepCodes({ nodes, network, faults })))
  }
  return codes
}

/** The two groups of nodes that a partition makes. */
export function groupsOf(nodes: readonly NodeId[], side: readonly number[]): readonly (readonly NodeId[])[] {
  return [0, 1].map((wanted) => nodes.filter((_, node) => side[node] === wanted))
}

function partitionsOf(count: number): number[][] {
  const sides = (isAway: (node: number) => boolean) => Array.from({ length: count }, (_, node) => Number(isAway(node)))
  if (count <= ALL_PARTITIONS) {
    // The first node stays on side 0: swapping the sides makes the same partition.
    return Array.from({ length: 2 ** (count - 1) - 1 }, (_, at) =>
      sides((node) => node > 0 && (((at + 1) >> (node - 1)) & 1) === 1),
    )
  }
  const alone = Array.from({ length: count }, (_, one) => sides((node) => node === one))
  const firstFew = Array.from({ length: count - 3 }, (_, at) => sides((node) => node > at + 1))
  return [...alone, ...firstFew]
}
