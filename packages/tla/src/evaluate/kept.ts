/**
 * Closures that run when the cells around them have other values: functions given by rules and
 * filters, which outlive their evaluation, and recursion, which re-enters a closure.
 *
 * The cells that such a closure reads (`free`) are captured when it is made, and restored while it
 * runs; the cells that it binds (`inner`) are saved if it is running already. Both are reset
 * afterwards, even if it throws, since the error may be caught: arguments and functions are
 * evaluated eagerly and may fail without being used.
 */
import type { Value } from '../values/value.ts'
import { type Cell, type Facts, gather, settled } from './code.ts'

/** Number of running closures whose captured cells are restored, possibly of ended evaluations. */
let surroundings = 0

/** Runs a body that binds the cells `inner`, even if it is running already. */
export class Reentrant {
  readonly #inner: readonly Cell[]
  #active = 0

  /** @param inner may still grow until the first call */
  constructor(inner: readonly Cell[]) {
    this.#inner = inner
  }

  /** Uses few stack frames, for recursion. @param values for the cells */
  call(cells: readonly Cell[], values: readonly Held[], body: { run(): Value }): Value {
    if (this.#active === 0 && surroundings === 0) {
      this.#active = 1
      try {
        for (let at = 0; at < cells.length; at++) cells[at]!.value = values[at]
        return body.run()
      } finally {
        this.#active = 0
      }
    }
    const saved = save(this.#inner)
    this.#active++
    try {
      for (let at = 0; at < cells.length; at++) cells[at]!.value = values[at]
      return body.run()
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
 * Makes functions of one argument that may outlive their evaluation.
 *
 * @param facts of `run`
 * @param own the cells that the argument is bound to
 * @param inner all cells that may be bound while it runs, called once everything is compiled
 * @param bind stores the argument in its cell
 * @returns captures the free cells, and returns the function
 */
export function keeper(
  facts: Facts,
  own: readonly Cell[],
  inner: () => readonly Cell[],
  bind: (argument: Value) => void,
  run: () => Value,
): () => (argument: Value) => Value {
  // The free and bound cells are known once everything it calls is compiled.
  let made: (() => (argument: Value) => Value) | undefined
  return () => {
    made ??= keeperOf([...gather([facts, ...settled(facts)], own).cells], inner(), bind, run)
    return made()
  }
}

/** @param free the cells that `run` reads and that are bound around it */
function keeperOf(
  free: readonly Cell[],
  inner: readonly Cell[],
  bind: (argument: Value) => void,
  run: () => Value,
): () => (argument: Value) => Value {
  const outer = new Set(free)
  const bound = inner.filter((cell) => !outer.has(cell))
  return free.length === 0 ? keptAlone(bound, bind, run) : keptWith(free, bound, bind, run)
}

/** For a closure without free cells. */
function keptAlone(
  bound: readonly Cell[],
  bind: (argument: Value) => void,
  run: () => Value,
): () => (argument: Value) => Value {
  let active = 0
  const call = (argument: Value): Value => {
    const saved = active > 0 || surroundings > 0 ? save(bound) : undefined
    active++
    try {
      bind(argument)
      return run()
    } finally {
      active--
      if (saved !== undefined) restore(bound, saved)
    }
  }
  return () => call
}

function keptWith(
  free: readonly Cell[],
  bound: readonly Cell[],
  bind: (argument: Value) => void,
  run: () => Value,
): () => (argument: Value) => Value {
  return () => {
    const remembered = save(free)
    return (argument) => {
      const around = save(free)
      const saved = save(bound)
      restore(free, remembered)
      surroundings++
      try {
        bind(argument)
        return run()
      } finally {
        surroundings--
        restore(bound, saved)
        leave(free, remembered, around)
      }
    }
  }
}

/** Runs with the captured values of the cells. */
export function inPlace<Result>(cells: readonly Cell[], remembered: Held[], run: () => Result): Result {
  const around = save(cells)
  restore(cells, remembered)
  surroundings++
  try {
    return run()
  } finally {
    surroundings--
    leave(cells, remembered, around)
  }
}

function leave(cells: readonly Cell[], remembered: Held[], around: readonly Held[]): void {
  // Keep the values that were evaluated lazily meanwhile.
  for (let at = 0; at < cells.length; at++) remembered[at] = cells[at]!.value
  restore(cells, around)
}
