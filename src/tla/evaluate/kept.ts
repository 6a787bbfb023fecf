/**
 * Closures that are called when the cells around them hold something else: functions by rule and filters, which live on as
 * values, and recursion, which enters a closure again before it has ended.
 *
 * What such a closure reads from around it (`free`) is remembered when it is made, and put in place while it runs; what it
 * binds itself (`inner`) is saved if it is running already. Both are put back afterwards, also if it throws, since what
 * threw may be caught: arguments and functions are evaluated early and may fail without being needed.
 */
import type { Value } from '../values/value.ts'
import type { Cell } from './code.ts'

/** Runs `run` with the cells in `inner` free to be bound, even if it is running already. */
export class Reentrant {
  readonly #inner: readonly Cell[]
  #active = 0

  /** @param inner may still grow until the first call */
  constructor(inner: readonly Cell[]) {
    this.#inner = inner
  }

  call<Result>(bind: () => void, run: () => Result): Result {
    if (this.#active === 0) {
      this.#active = 1
      try {
        bind()
        return run()
      } finally {
        this.#active = 0
      }
    }
    const saved = save(this.#inner)
    this.#active++
    try {
      bind()
      return run()
    } finally {
      this.#active--
      restore(this.#inner, saved)
    }
  }
}

type Held = Cell['value']

export function save(cells: readonly Cell[]): Held[] {
  const saved: Held[] = new Array(cells.length)
  for (let at = 0; at < cells.length; at++) saved[at] = cells[at]!.value
  return saved
}

export function restore(cells: readonly Cell[], saved: readonly Held[]): void {
  for (let at = 0; at < cells.length; at++) cells[at]!.value = saved[at]
}

/**
 * What makes functions of one argument that may be kept.
 *
 * @param free the cells that `run` reads and that are bound around it
 * @param inner all cells that may be bound while it runs
 * @param bind puts the argument in its cell
 * @returns remembers the free cells as they are, and gives the function
 */
export function keeper(
  free: readonly Cell[],
  inner: readonly Cell[],
  bind: (argument: Value) => void,
  run: () => Value,
): () => (argument: Value) => Value {
  const outer = new Set(free)
  const body = new Reentrant(inner.filter((cell) => !outer.has(cell)))
  if (free.length === 0) return () => (argument) => body.call(() => bind(argument), run)
  return () => {
    const remembered = save(free)
    return (argument) => {
      const around = save(free)
      restore(free, remembered)
      try {
        return body.call(() => bind(argument), run)
      } finally {
        // What was evaluated lazily meanwhile is worth keeping.
        for (let at = 0; at < free.length; at++) remembered[at] = free[at]!.value
        restore(free, around)
      }
    }
  }
}
