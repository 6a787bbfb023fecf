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
import type { Message, Network } from './network.ts'
import { Stale } from './stale.ts'
import type { Step, StepCodes } from './steps.ts'
import type { System } from './system.ts'
import { hashText } from './trace-class.ts'

/** The part of a simulation that classes depend on. */
interface Classified {
  readonly codes: StepCodes
  readonly network: Pick<Network, 'active' | 'changed' | 'head'>
  readonly system: Pick<System, 'state'>
  /** The current scheduled step. */
  readonly step: number
  isUp(node: number): boolean
}

/** The kinds of steps at a channel and at a node, by name. */
const CHANNEL_KINDS = actNamesAt('channel')
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
  /** The nodes whose state may have changed, and the channels whose class may have. */
  readonly #acted: Stale
  readonly #changed: Stale
  readonly #states: NodeState[]
  readonly #heads: Head[]
  /** By channel: the factor of a delivery. */
  readonly #deliveries: number[]
  #situation = 0

  constructor(simulation: Classified, weights: StepWeights) {
    const { nodes } = simulation.codes
    this.#simulation = simulation
    this.#count = nodes.length
    this.#words = wordsOf(simulation.codes)
    this.#factors = factorsOf(weights)
    this.#hold = weights.hold
    this.#changed = simulation.network.changed
    this.#acted = new Stale(nodes.length)
    this.#states = new Array(nodes.length)
    this.#heads = new Array(nodes.length ** 2)
    this.#deliveries = this.#words.noFactors.slice()
    for (const channel of simulation.network.active) this.#changed.add(channel)
    for (let node = 0; node < nodes.length; node++) this.#acted.add(node)
  }

  /** The class of a step that is possible now. */
  of(step: Step): number {
    switch (step.kind) {
      case 'deliver':
        return classOf(this.#headOf(this.#channelOf(step.from, step.to)).base!, step.kind)
      case 'timeout':
      case 'request':
        return classOf(this.#stateOf(step.node).base, step.kind)
      case 'natural':
        return hashText(step.kind) >>> 0
      case 'fault': {
        const { act, from, to, node } = step
        if (act.place === 'channel') return classOf(this.#headOf(this.#channelOf(from, to)).base!, act.name)
        return act.place === 'node' ? classOf(this.#stateOf(node).base, act.name) : hashText(act.name) >>> 0
      }
    }
  }

  /** A number for the states of all nodes, whichever node has which, by the fields that count in classes. */
  situation(): number {
    this.#refresh()
    return this.#situation
  }

  /** By number of the channel: the factor of a delivery, if it holds a message that is not on hold. */
  get deliveries(): readonly number[] {
    this.#refresh()
    return this.#deliveries
  }

  /** The number of the channel that is on hold at this step, on which all factors are 0; -1 for none. */
  get held(): number {
    if (this.#hold === undefined) return -1
    const { from, to, first, last } = this.#hold
    const { step } = this.#simulation
    return step >= first && step < last ? this.#channelOf(from, to) : -1
  }

  /** The factor of a fault on a channel that holds a message that is not on hold. */
  ofChannel(channel: number, kind: string): number {
    const { base, factors } = this.#headOf(channel)
    const at = CHANNEL_KINDS.indexOf(kind)
    return (factors[at] ??= this.#factorOf(classOf(base!, kind)))
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
        this.#acted.add(step.to)
        break
      case 'timeout':
        this.#acted.add(step.node)
        break
      case 'fault':
        if (step.act.place === 'node') this.#acted.add(step.node)
        break
      case 'natural':
      case 'request':
        // The route of the cluster may have chosen any node.
        for (let node = 0; node < this.#count; node++) this.#acted.add(node)
    }
  }

  #channelOf(from: number, to: number): number {
    return from * this.#count + to
  }

  #factorOf(stepClass: number): number {
    return this.#factors.get(stepClass) ?? 1
  }

  #headOf(channel: number): Head {
    this.#refresh()
    return this.#heads[channel]!
  }

  #stateOf(node: number): NodeState {
    this.#refresh()
    return this.#states[node]!
  }

  #refresh(): void {
    for (let channel = this.#changed.take(); channel >= 0; channel = this.#changed.take()) this.#updateHead(channel)
    for (let node = this.#acted.take(); node >= 0; node = this.#acted.take()) {
      this.#updateState(node)
      for (let channel = node; channel < this.#heads.length; channel += this.#count) {
        const head = this.#heads[channel]
        if (head !== undefined && head.message !== undefined) this.#classify(head)
      }
    }
  }

  #updateState(node: number): void {
    const fields = this.#fieldsOf(node)
    const base = fields === NO_FIELDS ? DOWN : this.#words.fields(fields)
    const known = this.#states[node]
    if (known?.base === base) {
      known.fields = fields
      return
    }
    if (known !== undefined) this.#situation = (this.#situation - stir(known.base, NODE)) | 0
    this.#situation = (this.#situation + stir(base, NODE)) | 0
    this.#states[node] = { base, fields, factors: [] }
  }

  #updateHead(channel: number): void {
    const message = this.#simulation.network.head(channel)
    const known = this.#heads[channel]
    if (message === undefined) {
      if (known !== undefined) known.message = undefined
      return
    }
    const head = known ?? (this.#heads[channel] = new Head(channel, channel % this.#count))
    head.hold(message, this.#words)
    if (this.#states[head.to] === undefined) this.#updateState(head.to)
    this.#classify(head)
  }

  #classify(head: Head): void {
    const base = this.#baseOf(head)
    // A new message often has the class of the one before it.
    if (head.base === base) return
    head.base = base
    if (head.factors.length > 0) head.factors = []
    this.#deliveries[head.channel] = this.#factorOf(classOf(base, 'deliver'))
  }

  #baseOf({ to, words, count, keys, hashes, numbers }: Head): number {
    if (!this.#simulation.isUp(to)) return DOWN
    let base = words
    const { fields } = this.#states[to]!
    for (let at = 0; at < count; at++) {
      const own = fields[keys[at]!]
      if (typeof own === 'number') base = (base + stir(hashes[at]!, SIGN + Math.sign(numbers[at]! - own))) | 0
    }
    return base
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
  readonly base: number
  fields: Fields
  readonly factors: (number | undefined)[]
}

/** The oldest message of a channel, what its class depends on, and its class. */
class Head {
  readonly channel: number
  readonly to: number
  message: Message | undefined
  base: number | undefined
  /** Of faults, by kind. */
  factors: (number | undefined)[] = []
  /** What its words say, whatever the state of the receiver. */
  words = 0
  /** Its numbers: their fields, and the numbers of those. */
  readonly keys: string[] = []
  readonly hashes: number[] = []
  readonly numbers: number[] = []
  count = 0

  constructor(channel: number, to: number) {
    this.channel = channel
    this.to = to
  }

  hold(message: Message, words: Words): void {
    this.message = message
    this.words = 0
    this.count = 0
    const { data } = message
    if (typeof data !== 'object' || data === null) {
      this.words = words.token(data)
      return
    }
    let fields = 0
    for (const key in data) {
      if (++fields > MAX_FIELDS) break
      const value = (data as Record<string, unknown>)[key]
      if (typeof value === 'number') {
        this.keys[this.count] = key
        this.hashes[this.count] = words.key(key)
        this.numbers[this.count++] = value
      } else this.words = (this.words + stir(words.key(key), words.token(value))) | 0
    }
  }
}

/** The numbers of names of fields and values. They depend on the text and on which names are nodes. */
class Words {
  readonly #keys = new Map<string, number>()
  readonly #values = new Map<string, number>()
  readonly #nodes: ReadonlySet<string>
  /** By channel: not an integer, so that V8 makes an array of floats of it. */
  readonly noFactors: readonly number[]

  constructor(nodes: readonly string[]) {
    this.#nodes = new Set(nodes)
    this.noFactors = Array.from({ length: nodes.length ** 2 }, () => 0.5)
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

const SALTS = new Map(['deliver', ...CHANNEL_KINDS, ...NODE_KINDS].map((kind) => [kind, hashText(kind)]))

function classOf(base: number, kind: string): number {
  return stir(base, SALTS.get(kind)!) >>> 0
}

function stir(state: number, word: number): number {
  let h = Math.imul(state ^ word, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b)
  return h ^ (h >>> 13)
}
