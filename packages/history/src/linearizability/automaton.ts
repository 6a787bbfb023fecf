/**
 * A model as an automaton over small integers.
 *
 * Equal operations are one symbol, equal states one number, and a transition is computed once. A
 * model with several next states becomes deterministic by the powerset construction: a number then
 * stands for the set of the states that are possible.
 */
import type { Operation } from '../history/operation.ts'
import { canonical, classWithoutValue } from '../models/canonical.ts'
import { ModelError, type ObjectModel, States } from '../models/model.ts'
import { column } from './column.ts'
import type { Memory } from './memory.ts'
import { OperationClasses } from './operation-classes.ts'

/** What an operation that cannot happen leads to. */
const IMPOSSIBLE = -1

/** How many transitions are looked at for mistakes of the model: looking takes longer than the step. */
const INSPECTED_TRANSITIONS = 200

/** Roughly what a state or a symbol costs beside its text: entries of maps and arrays, and the value. */
const BYTES_OF_A_STATE = 200

interface Symbol_ {
  readonly input: unknown
  readonly output: unknown
  readonly isKnown: boolean
  readonly isRead: boolean
  readonly shrinks: boolean
}

export class Automaton {
  readonly #model: ObjectModel
  readonly #memory: Memory
  readonly #symbols: Symbol_[] = []
  readonly #classes = new OperationClasses((bytes) => this.#count(bytes))
  readonly #symbolIds = new Map<number, number>()
  /** A state, or the numbers of several in order. */
  readonly #states: (readonly [unknown] | readonly number[])[] = []
  readonly #isSet: boolean[] = []
  readonly #stateIds = new Map<unknown, number>()
  #transitions = column(Int32Array, 3 * 64).fill(IMPOSSIBLE)
  #transitionCount = 0
  #bytes = 0

  constructor(model: ObjectModel, memory: Memory) {
    this.#model = model
    this.#memory = memory
  }

  /** The number of an operation as a symbol. */
  symbol(operation: Operation): number {
    const { input, output, outcome } = operation
    const isKnown = outcome === 'ok'
    const operationClass = this.#classes.of(input, output, isKnown)
    let id = this.#symbolIds.get(operationClass)
    if (id === undefined) {
      id = this.#symbols.length
      const isRead = this.#model.isRead?.(input, isKnown ? output : undefined, isKnown) ?? false
      const shrinks = this.#model.growth?.shrinks(input) ?? true
      this.#symbols.push({ input, output: isKnown ? output : undefined, isKnown, isRead, shrinks })
      this.#symbolIds.set(operationClass, id)
      this.#count(BYTES_OF_A_STATE)
    }
    return id
  }

  isRead(symbol: number): boolean {
    return this.#symbols[symbol]!.isRead
  }

  /** Whether {@link mayFollow} says anything. */
  get looksAhead(): boolean {
    return this.#model.growth !== undefined
  }

  /** Whether an operation may lead back to states that the object has grown past. */
  shrinks(symbol: number): boolean {
    return this.#symbols[symbol]!.shrinks
  }

  /** Whether a required operation may still be possible in a state, or after ones that do not shrink. */
  mayFollow(state: number, symbol: number): boolean {
    const { input, output } = this.#symbols[symbol]!
    return this.values(state).some((value) => this.#model.growth!.mayFollow(value, input, output))
  }

  initial(): number {
    return this.#state(this.#model.init())
  }

  get stateCount(): number {
    return this.#states.length
  }

  /** The values that a state's number stands for. */
  values(state: number): readonly unknown[] {
    const known = this.#states[state]!
    return this.#isSet[state] ? (known as readonly number[]).map((one) => this.#states[one]![0]) : known
  }

  /** The state after an operation, or -1 if it cannot happen. */
  step(state: number, symbol: number): number {
    const table = this.#transitions
    const mask = table.length / 3 - 1
    let slot = hashOf(state, symbol) & mask
    for (;;) {
      const at = 3 * slot
      const known = table[at]!
      if (known === IMPOSSIBLE) break
      if (known === state && table[at + 1] === symbol) return table[at + 2]!
      slot = (slot + 1) & mask
    }
    const next = this.#compute(state, symbol)
    this.#remember(state, symbol, next)
    return next
  }

  /** Gives back the memory that it has counted. */
  release(): void {
    this.#memory.release(this.#bytes)
    this.#bytes = 0
  }

  #compute(state: number, symbol: number): number {
    const { input, output, isKnown, isRead } = this.#symbols[symbol]!
    const before = this.values(state)
    if (before.length === 1) {
      const after = this.#step(before[0], input, output, isKnown)
      if (after === undefined) return IMPOSSIBLE
      if (!(after instanceof States)) {
        const next = this.#state(after)
        if (isRead && next !== state) throw notARead(this.#model, input)
        return next
      }
    }
    const after = new Set<number>()
    for (const value of before) {
      const next = this.#step(value, input, output, isKnown)
      if (next === undefined) continue
      for (const one of next instanceof States ? next.states : [next]) {
        const id = this.#state(one)
        if (isRead && one !== value && id !== this.#state(value)) throw notARead(this.#model, input)
        after.add(id)
      }
    }
    return this.#set([...after].sort((a, b) => a - b))
  }

  /** @throws ModelError if the model throws, changes the state, or makes one that is no data */
  #step(state: unknown, input: unknown, output: unknown, isKnown: boolean): unknown {
    const isInspected = this.#transitionCount < INSPECTED_TRANSITIONS
    const before = isInspected ? canonical(state) : undefined
    const where = () => `step of ${canonical(input)}${isKnown ? ` = ${canonical(output)}` : ''}`
    let after: unknown
    try {
      after = this.#model.step(state, input, output, isKnown)
    } catch (error) {
      throw this.#mistake(`${where()} throws in the state ${canonical(state)}: ${messageOf(error)}`, error)
    }
    if (!isInspected || after === undefined) return after
    if (canonical(state) !== before)
      throw this.#mistake(
        `${where()} changes the state ${before} in place: return another value, and leave it as it is`,
      )
    for (const one of after instanceof States ? after.states : [after]) {
      const found = classWithoutValue(one)
      if (found !== undefined && this.#model.key === undefined)
        throw this.#mistake(
          `${where()} returns a ${found}: states must be plain data${found === 'Promise' ? ', without await' : ', or the model must have key'}`,
        )
    }
    return after
  }

  #mistake(message: string, cause?: unknown): ModelError {
    return new ModelError(`model ${this.#model.name}: ${message}`, { cause })
  }

  #set(states: readonly number[]): number {
    if (states.length === 0) return IMPOSSIBLE
    if (states.length === 1) return states[0]!
    return this.#intern(`\0set ${states.join()}`, states, true)
  }

  #state(value: unknown): number {
    const key = this.#model.key === undefined ? value : this.#model.key(value)
    const isStructure = (typeof key === 'object' && key !== null) || typeof key === 'function'
    return this.#intern(isStructure ? `\0${canonical(key)}` : key, [value], false)
  }

  #intern(key: unknown, state: readonly [unknown] | readonly number[], isSet: boolean): number {
    let id = this.#stateIds.get(key)
    if (id === undefined) {
      id = this.#states.length
      this.#states.push(state)
      this.#isSet.push(isSet)
      this.#stateIds.set(key, id)
      this.#count(BYTES_OF_A_STATE + (typeof key === 'string' ? 2 * key.length : 0))
    }
    return id
  }

  #remember(state: number, symbol: number, next: number): void {
    let table = this.#transitions
    if (2 * this.#transitionCount >= table.length / 3) {
      this.#transitions = column(Int32Array, 2 * table.length).fill(IMPOSSIBLE)
      this.#count(4 * table.length)
      for (let at = 0; at < table.length; at += 3)
        if (table[at] !== IMPOSSIBLE) insert(this.#transitions, table[at]!, table[at + 1]!, table[at + 2]!)
      table = this.#transitions
    }
    insert(table, state, symbol, next)
    this.#transitionCount++
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    this.#memory.count(bytes)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function notARead(model: ObjectModel, input: unknown): ModelError {
  return new ModelError(`model ${model.name}: isRead is true of ${canonical(input)}, which changes the state`)
}

function insert(table: Int32Array, state: number, symbol: number, next: number): void {
  const mask = table.length / 3 - 1
  let slot = hashOf(state, symbol) & mask
  while (table[3 * slot] !== IMPOSSIBLE) slot = (slot + 1) & mask
  table[3 * slot] = state
  table[3 * slot + 1] = symbol
  table[3 * slot + 2] = next
}

function hashOf(state: number, symbol: number): number {
  const mixed = Math.imul(state ^ Math.imul(symbol, 0x85ebca6b), 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}
