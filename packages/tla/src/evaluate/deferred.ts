/**
 * Arguments of called operators that are not evaluated before the call: those that may not
 * terminate, have effects, or read variables that may yet be assigned; and those whose evaluation
 * failed, an error only if the value is used.
 *
 * TLA+ and TLC are lazy as well. TLC lets arguments wait without limit; here only a bounded number
 * wait for one another, since sums that a recursion passes on would otherwise need twice the stack.
 */
import { isPassing } from '../error.ts'
import type { Value } from '../values/value.ts'
import { type Cell, type Code, UNSETTLED } from './code.ts'
import type { Compiler } from './compiler.ts'
import { keeper } from './kept.ts'

/** How many arguments wait for one another at most. */
const DEEPEST = 32

/** An argument in a cell that is not a value (yet). */
export class Deferred {
  /** How many wait for one another, from this one on. */
  readonly depth: number
  readonly #isKept: boolean
  #run: (() => Value) | undefined
  #value: Value | undefined = undefined
  #error: unknown = undefined

  /** @param isKept whether its value stays the same */
  constructor(run: (() => Value) | undefined, depth: number, isKept: boolean, error?: unknown) {
    this.#run = run
    this.depth = depth
    this.#isKept = isKept
    this.#error = error
  }

  /** @throws what its evaluation does */
  get(): Value {
    if (this.#value !== undefined) return this.#value
    if (this.#run === undefined) throw this.#error
    if (!this.#isKept) return this.#run()
    try {
      this.#value = this.#run()
    } catch (error) {
      if (!isPassing(error)) throw error
      this.#error = error
      this.#run = undefined
      throw error
    }
    this.#run = undefined
    return this.#value
  }

  /** Its value, if somebody asked for it. */
  get known(): Value | undefined {
    return this.#value
  }

  get isWaiting(): boolean {
    return this.#run !== undefined
  }
}

/**
 * What gives an argument: its value, or what stands for it.
 * @param mark the number of cells before it was compiled
 */
export function argumentRun(compiler: Compiler, code: Code, mark: number): () => Value | Deferred {
  if (code.known !== undefined) return code.run
  if (code.raw !== undefined) return handedOn(code.raw)
  // What a LET keeps is most likely used by what is around the call, too: waiting, it would be
  // evaluated for each by itself.
  const isShared = code.isSimple && code.cells.size > 0 && code.pending.size === 0
  if ((!code.mayNotEnd || isShared) && code.isPure && code.reads !== UNSETTLED) return failing(code.run)
  const isKept = code.reads !== UNSETTLED
  const free = [...code.cells]
  const keep = keeper(code, [], compiler.innerFrom(mark), () => undefined, code.run)
  const now = failing(code.run)
  return () => {
    const depth = depthOf(free)
    if (depth > DEEPEST && isKept) return now()
    const run = keep()
    return new Deferred(() => run(false), depth, isKept)
  }
}

/** The parameter of an operator around it: nobody need ask for its value yet. */
function handedOn(cell: Cell): () => Value | Deferred {
  return () => cell.value as Value | Deferred
}

function depthOf(free: readonly Cell[]): number {
  let depth = 0
  for (let at = 0; at < free.length; at++) {
    const { value } = free[at]!
    if (value instanceof Deferred && value.isWaiting && value.depth > depth) depth = value.depth
  }
  return depth + 1
}

function failing(run: () => Value): () => Value | Deferred {
  return () => {
    try {
      return run()
    } catch (error) {
      if (!isPassing(error)) throw error
      return new Deferred(undefined, 0, true, error)
    }
  }
}
