/**
 * The search for an order that keeps the order of each process (Lamport, "How to Make a Multiprocessor
 * Computer That Correctly Executes Multiprocess Programs", 1979), whatever the order of time.
 *
 * It takes what may come next of each process, in the order of the calls first, with the same
 * omissions as the search for a linearization. To decide is NP-complete (Gibbons and Korach, "Testing
 * Shared Memories", 1997).
 */
import type { Automaton } from './automaton.ts'
import { ConfigurationCache } from './configuration-cache.ts'
import type { Memory } from './memory.ts'
import type { SearchStatus } from './search.ts'

/** Operations in the order of their calls, as columns. */
export interface Program {
  readonly count: number
  /** Numbers from 0. */
  readonly process: Int32Array
  readonly symbol: Int32Array
  /** 1 if it need not take effect; it may then do so at any time after those before it. */
  readonly isOptional: Uint8Array
}

const NONE = -1

export class ProgramOrderSearch {
  readonly #program: Program
  readonly #automaton: Automaton
  readonly #cache: ConfigurationCache
  readonly #memory: Memory
  /** The required operations of each process. */
  readonly #chains: number[][]
  /** How many of them are ordered. */
  readonly #positions: Int32Array
  readonly #optional: number[]
  /** How many required operations of its process stand before an optional one. */
  readonly #after: Int32Array
  readonly #used: Int32Array
  readonly #keys: Int32Array
  readonly #stepOf: Int32Array
  readonly #stepFrom: Int32Array
  readonly #stepForced: Uint8Array
  #depth = 0
  #state: number
  #hash = 0
  #left: number
  #isEntering = true
  /** The operation that was tried last in this configuration, required ones before optional ones. */
  #tried = NONE
  #isPastRequired = false
  #longest: number[] = []

  constructor(program: Program, automaton: Automaton, memory: Memory) {
    const { count, process, isOptional } = program
    this.#program = program
    this.#automaton = automaton
    this.#memory = memory
    this.#cache = new ConfigurationCache(memory)
    const processes = process.reduce((most, one) => Math.max(most, one + 1), 0)
    this.#chains = Array.from({ length: processes }, () => [])
    this.#positions = new Int32Array(processes)
    this.#after = new Int32Array(count)
    this.#optional = []
    this.#keys = new Int32Array(count)
    for (let operation = 0, random = 0x9e3779b9; operation < count; operation++) {
      random ^= random << 13
      random ^= random >>> 17
      random ^= random << 5
      this.#keys[operation] = random
      const chain = this.#chains[process[operation]!]!
      this.#after[operation] = chain.length
      if (isOptional[operation] === 0) chain.push(operation)
      else this.#optional.push(operation)
    }
    this.#left = count - this.#optional.length
    this.#used = new Int32Array((count >> 5) + 1)
    this.#stepOf = new Int32Array(count)
    this.#stepFrom = new Int32Array(count)
    this.#stepForced = new Uint8Array(count)
    this.#state = automaton.initial()
  }

  /** The order that was found, or as far as it is. */
  get order(): number[] {
    return Array.from(this.#stepOf.subarray(0, this.#depth))
  }

  /** The longest order that was tried. */
  get longest(): readonly number[] {
    return this.#longest
  }

  release(): void {
    this.#cache.release()
  }

  /** Goes on for some steps. A status other than `out of steps` is final. */
  run(steps: number): SearchStatus {
    let left = steps
    for (;;) {
      if (this.#isEntering) {
        if (left-- <= 0) return 'out of steps'
        this.#isEntering = false
        this.#takeReads()
        if (this.#left === 0) return 'ok'
        const hash = this.#hash ^ Math.imul(this.#state + 1, 0x9e3779b1)
        const { length } = this.#positions
        const used = this.#optional.length === 0 ? 0 : this.#used.length
        const remembered = this.#cache.add(hash, this.#state, 0, this.#positions, 0, length, this.#used, used)
        if (remembered === 'no memory' || this.#memory.isExceeded) return 'out of memory'
        if (remembered === 'covered' && !this.#undo()) return 'illegal'
      }
      while (!this.#advance()) if (!this.#undo()) return 'illegal'
    }
  }

  #takeReads(): void {
    const { symbol } = this.#program
    let isTaken = true
    while (isTaken) {
      isTaken = false
      for (let process = 0; process < this.#chains.length; process++) {
        for (;;) {
          const operation = this.#chains[process]![this.#positions[process]!]
          if (operation === undefined || !this.#automaton.isRead(symbol[operation]!)) break
          if (this.#automaton.step(this.#state, symbol[operation]!) !== this.#state) break
          this.#take(operation, this.#state, 1)
          isTaken = true
        }
      }
    }
    this.#tried = NONE
    this.#isPastRequired = false
  }

  #advance(): boolean {
    const { symbol } = this.#program
    const last = this.#depth - 1
    const unneeded = last >= 0 && this.#program.isOptional[this.#stepOf[last]!] !== 0 ? this.#stepFrom[last]! : NONE
    for (;;) {
      const operation = this.#isPastRequired ? this.#nextOptional() : this.#nextRequired()
      if (operation === NONE) {
        if (this.#isPastRequired) break
        this.#isPastRequired = true
        this.#tried = NONE
        continue
      }
      this.#tried = operation
      const after = this.#automaton.step(this.#state, symbol[operation]!)
      if (after < 0 || (this.#isPastRequired && after === this.#state)) continue
      if (unneeded !== NONE && this.#automaton.step(unneeded, symbol[operation]!) === after) continue
      this.#take(operation, after, 0)
      this.#isEntering = true
      return true
    }
    if (this.#depth > this.#longest.length) this.#longest = this.order
    return false
  }

  /** The first operation after the one tried last that is the next of its process. */
  #nextRequired(): number {
    let first = NONE
    for (let process = 0; process < this.#chains.length; process++) {
      const operation = this.#chains[process]![this.#positions[process]!]
      if (operation !== undefined && operation > this.#tried && (first === NONE || operation < first)) first = operation
    }
    return first
  }

  #nextOptional(): number {
    const { process } = this.#program
    for (const operation of this.#optional) {
      if (operation <= this.#tried || (this.#used[operation >> 5]! & (1 << (operation & 31))) !== 0) continue
      if (this.#positions[process[operation]!]! >= this.#after[operation]!) return operation
    }
    return NONE
  }

  #take(operation: number, after: number, forced: number): void {
    this.#stepOf[this.#depth] = operation
    this.#stepFrom[this.#depth] = this.#state
    this.#stepForced[this.#depth++] = forced
    this.#state = after
    if (this.#program.isOptional[operation] !== 0) {
      this.#used[operation >> 5]! |= 1 << (operation & 31)
      return
    }
    this.#positions[this.#program.process[operation]!]!++
    this.#hash ^= this.#keys[operation]!
    this.#left--
  }

  /** Takes back the last step that there was a choice about, and is then behind it. */
  #undo(): boolean {
    while (this.#depth > 0) {
      const operation = this.#stepOf[--this.#depth]!
      this.#state = this.#stepFrom[this.#depth]!
      this.#isPastRequired = this.#program.isOptional[operation] !== 0
      this.#tried = operation
      if (this.#isPastRequired) this.#used[operation >> 5]! &= ~(1 << (operation & 31))
      else {
        this.#positions[this.#program.process[operation]!]!--
        this.#hash ^= this.#keys[operation]!
        this.#left++
      }
      if (this.#stepForced[this.#depth] === 0) return true
    }
    return false
  }
}
