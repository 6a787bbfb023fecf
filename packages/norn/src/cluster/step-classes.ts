/**
 * Classes of steps: a number for what a step would do, coarse enough that a campaign sees each class
 * often, and learns which lead to new behaviour (domains/cluster/search/step-learning.ts).
 *
 * The class of a delivery, drop or duplicate depends on the message: its kind of step; names,
 * truths and list lengths (capped at 2) among its fields; each number only as less than, equal to or
 * greater than the receiver's field of the same name; or that the receiver is down. The class of a
 * timer, request or crash depends on the node's state in the same way, without its numbers.
 *
 * Invariants: a class is a hash of contents, so it is the same in every process; two steps that
 * differ only in node names or in the order of fields have one class. Classes are computed again
 * only where the message or the state changed, since every offered step needs one.
 */
import type { StepWeights } from '../contract/plan.ts'
import { actNamesAt } from './faults/faults.ts'
import type { Network } from './network.ts'
import type { Step, StepCodes } from './steps.ts'
import type { Data, System } from './system.ts'
import { hashText } from './trace-class.ts'

/** The part of a simulation that classes depend on. */
interface Classified {
  readonly codes: StepCodes
  readonly network: Pick<Network, 'channel'>
  readonly system: Pick<System, 'state'>
  /** The current scheduled step. */
  readonly step: number
  isUp(node: number): boolean
}

/** The kinds of steps at a channel and at a node, by name. */
const CHANNEL_KINDS = ['deliver', ...actNamesAt('channel')]
const NODE_KINDS = ['timeout', 'request', ...actNamesAt('node')]

/** Words; a string with digits or blanks is more likely a value. */
const NAME = /^[\p{L}_][\p{L}_.:/-]{0,39}$/u
/** Lengths of lists above this are not told apart. */
const MAX_LENGTH = 2
/** Fields of one message or state that count. */
const MAX_FIELDS = 32

/** What a value is, apart from its content. */
const [DOWN, NOTHING, TRUE, FALSE, NODE, VALUE, LIST, SIGN] = [11, 13, 17, 19, 23, 29, 31, 37] as const

export class StepClasses {
  readonly #simulation: Classified
  readonly #count: number
  readonly #words: Words
  readonly #factors: ReadonlyMap<number, number>
  readonly #hold: StepWeights['hold']
  /** By node: how often its state may have changed, and its class and fields as of some version. */
  readonly #versions: Int32Array
  readonly #states: (NodeState | undefined)[]
  /** By channel: the class of its oldest message. */
  readonly #heads: (Head | undefined)[]

  constructor(simulation: Classified, weights: StepWeights) {
    const { nodes } = simulation.codes
    this.#simulation = simulation
    this.#count = nodes.length
    this.#words = wordsOf(simulation.codes)
    this.#factors = factorsOf(weights)
    this.#hold = weights.hold
    this.#versions = new Int32Array(nodes.length)
    this.#states = new Array(nodes.length)
    this.#heads = new Array(nodes.length ** 2)
  }

  /** The class of a step that is possible now. */
  of(step: Step): number {
    switch (step.kind) {
      case 'deliver':
        return classOf(this.#headOf(step.from, step.to).base, step.kind)
      case 'timeout':
      case 'request':
        return classOf(this.#stateOf(step.node).base, step.kind)
      case 'natural':
        return hashText(step.kind) >>> 0
      case 'fault': {
        const { act, from, to, node } = step
        if (act.place === 'channel') return classOf(this.#headOf(from, to).base, act.name)
        return act.place === 'node' ? classOf(this.#stateOf(node).base, act.name) : hashText(act.name) >>> 0
      }
    }
  }

  /** A number for the states of all nodes, whichever node has which, by the fields that count in classes. */
  situation(): number {
    let situation = 0
    for (let node = 0; node < this.#count; node++) situation = (situation + stir(this.#stateOf(node).base, NODE)) | 0
    return situation
  }

  /** The factor of a step on a channel that holds a message; 0 while the channel is on hold. */
  ofChannel(from: number, to: number, kind: string): number {
    if (this.#isHeld(from, to)) return 0
    const { base, factors } = this.#headOf(from, to)
    const at = CHANNEL_KINDS.indexOf(kind)
    return (factors[at] ??= this.#factorOf(classOf(base, kind)))
  }

  ofNode(node: number, kind: string): number {
    const { base, factors } = this.#stateOf(node)
    const at = NODE_KINDS.indexOf(kind)
    return (factors[at] ??= this.#factorOf(classOf(base, kind)))
  }

  ofNetwork(kind: string): number {
    return this.#factorOf(hashText(kind) >>> 0)
  }

  /** Must be called after each step that was performed. */
  performed(step: Step): void {
    switch (step.kind) {
      case 'deliver':
        this.#versions[step.to]!++
        break
      case 'timeout':
        this.#versions[step.node]!++
        break
      case 'fault':
        if (step.act.place === 'node') this.#versions[step.node]!++
        break
      case 'natural':
      case 'request':
        // The route of the cluster may have chosen any node.
        for (let node = 0; node < this.#count; node++) this.#versions[node]!++
    }
  }

  #isHeld(from: number, to: number): boolean {
    const hold = this.#hold
    if (hold === undefined || hold.from !== from || hold.to !== to) return false
    const { step } = this.#simulation
    return step >= hold.first && step < hold.last
  }

  #factorOf(stepClass: number): number {
    return this.#factors.get(stepClass) ?? 1
  }

  #headOf(from: number, to: number): Head {
    const [message] = this.#simulation.network.channel(from, to)
    const id = message?.id ?? -1
    const version = this.#versions[to]!
    const at = from * this.#count + to
    const known = this.#heads[at]
    if (known?.id === id && known.version === version) return known
    const base = message === undefined ? NOTHING : this.#baseOf(message.data, to)
    // A new message often has the class of the one before it.
    if (known?.base === base) {
      known.id = id
      known.version = version
      return known
    }
    return (this.#heads[at] = { id, version, base, factors: [] })
  }

  #baseOf(data: Data, to: number): number {
    if (!this.#simulation.isUp(to)) return DOWN
    const words = this.#words
    if (typeof data !== 'object' || data === null) return words.token(data)
    const { fields } = this.#stateOf(to)
    let base = 0
    let count = 0
    for (const key in data) {
      if (++count > MAX_FIELDS) break
      const value = (data as Record<string, unknown>)[key]
      let token: number
      if (typeof value === 'number') {
        const own = fields[key]
        if (typeof own !== 'number') continue
        token = SIGN + Math.sign(value - own)
      } else token = words.token(value)
      base = (base + stir(words.key(key), token)) | 0
    }
    return base
  }

  #stateOf(node: number): NodeState {
    const version = this.#versions[node]!
    const known = this.#states[node]
    if (known?.version === version) return known
    const fields = this.#fieldsOf(node)
    const base = fields === NO_FIELDS ? DOWN : this.#words.fields(fields)
    if (known?.base === base) {
      known.version = version
      known.fields = fields
      return known
    }
    return (this.#states[node] = { version, base, fields, factors: [] })
  }

  #fieldsOf(node: number): Fields {
    const { system, codes } = this.#simulation
    if (!this.#simulation.isUp(node)) return NO_FIELDS
    try {
      const state = system.state(codes.nodes[node]!)
      return typeof state === 'object' && state !== null ? (state as Fields) : NO_STATE
    } catch {
      // A state that throws is a failure where a check reads it, not here.
      return NO_STATE
    }
  }
}

type Fields = Readonly<Record<string, unknown>>
const NO_FIELDS: Fields = {}
const NO_STATE: Fields = {}

interface NodeState {
  version: number
  readonly base: number
  fields: Fields
  readonly factors: (number | undefined)[]
}

interface Head {
  id: number
  version: number
  readonly base: number
  readonly factors: (number | undefined)[]
}

/** The numbers of names of fields and values. They depend on the text and on which names are nodes. */
class Words {
  readonly #keys = new Map<string, number>()
  readonly #values = new Map<string, number>()
  readonly #nodes: ReadonlySet<string>

  constructor(nodes: readonly string[]) {
    this.#nodes = new Set(nodes)
  }

  key(name: string): number {
    return remembered(this.#keys, name, hashText)
  }

  /** The number of a value that is not compared with a field of the receiver. */
  token(value: unknown): number {
    if (typeof value === 'string') return remembered(this.#values, value, (text) => this.#tokenOf(text))
    if (typeof value === 'boolean') return value ? TRUE : FALSE
    if (value === null || value === undefined) return NOTHING
    if (Array.isArray(value)) return LIST * (2 + Math.min(value.length, MAX_LENGTH))
    return VALUE
  }

  fields(fields: Fields): number {
    let base = 0
    let count = 0
    for (const key in fields) {
      if (++count > MAX_FIELDS) break
      const value = fields[key]
      if (typeof value !== 'number') base = (base + stir(this.key(key), this.token(value))) | 0
    }
    return base
  }

  #tokenOf(text: string): number {
    if (this.#nodes.has(text)) return NODE
    return NAME.test(text) ? hashText(text) : VALUE
  }
}

/** Texts remembered; the number of any other is computed each time. */
const MAX_REMEMBERED = 4096
const MAX_REMEMBERED_LENGTH = 64

function remembered(known: Map<string, number>, text: string, numberOf: (text: string) => number): number {
  let number = known.get(text)
  if (number === undefined) {
    number = numberOf(text)
    if (known.size < MAX_REMEMBERED && text.length <= MAX_REMEMBERED_LENGTH) known.set(text, number)
  }
  return number
}

const WORDS = new WeakMap<StepCodes, Words>()

function wordsOf(codes: StepCodes): Words {
  let words = WORDS.get(codes)
  if (words === undefined) WORDS.set(codes, (words = new Words(codes.nodes)))
  return words
}

/** By factors: many plans have the same table. */
const TABLES = new WeakMap<readonly number[], ReadonlyMap<number, number>>()

function factorsOf({ classes, factors }: StepWeights): ReadonlyMap<number, number> {
  let table = TABLES.get(factors)
  if (table === undefined) TABLES.set(factors, (table = new Map(classes.map((each, at) => [each, factors[at]!]))))
  return table
}

const SALTS = new Map([...CHANNEL_KINDS, ...NODE_KINDS].map((kind) => [kind, hashText(kind)]))

function classOf(base: number, kind: string): number {
  return stir(base, SALTS.get(kind)!) >>> 0
}

function stir(state: number, word: number): number {
  let h = Math.imul(state ^ word, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b)
  return h ^ (h >>> 13)
}
