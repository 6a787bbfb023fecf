/**
 * The result of compiling a term: a closure that computes its value, with facts known at compile
 * time.
 *
 * A symbol bound at run time (by a quantifier, a function, a parameter) is a *cell* that the
 * closures capture: reading it is one property read, and no environment is passed. The price: a
 * closure that is re-entered (recursion) or outlives its context (a function given by a rule) needs
 * its cells saved and restored; see kept.ts.
 *
 * The facts decide what is cached: a term without cells, variables and effects is evaluated once; a
 * term that reads settled variables only is evaluated once each time its definition is entered.
 */
import type { Operator, Value } from '../values/value.ts'
import type { Deferred } from './deferred.ts'

/**
 * The value of a bound symbol; undefined if not evaluated yet. For a parameter of a called
 * operator, the argument: a value, an operator or a deferred argument.
 */
export class Cell {
  value: Value | Operator | Deferred | undefined = undefined
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * What a closure reads of states: nothing; the current state, which is fixed during evaluation; an
 * intermediate state (`A \cdot B`), which is fixed during the continuation; or variables that are
 * being assigned.
 */
const CONSTANT = 0
export const [SETTLED, STEADY, UNSETTLED] = [1, 2, 3] as const
export type Reads = typeof CONSTANT | typeof SETTLED | typeof STEADY | typeof UNSETTLED

/** A recursive operator that is being compiled, so that its facts are not known yet. */
export interface Pending {
  readonly name: string
  /** Undefined until it is compiled. */
  readonly facts: Facts | undefined
}

/** The facts of pending operators, once they are compiled. */
export function settled({ pending }: Facts): Facts[] {
  return [...pending].flatMap(({ facts }) => facts ?? [])
}

export interface Facts {
  /** The free cells: read, but not bound by it. */
  readonly cells: ReadonlySet<Cell>
  readonly reads: Reads
  /** Whether it has no effects: prints nothing, reads no register, makes no random choice. */
  readonly isPure: boolean
  /** Whether it reads anything that changes independently of the state: registers, progress. */
  readonly isVolatile: boolean
  /** Whether it is recursive, or calls a recursive operator. */
  readonly mayNotEnd: boolean
  readonly pending: ReadonlySet<Pending>
}

export interface Code extends Facts {
  readonly run: () => Value
  /** Set if the value is known at compile time. */
  readonly known: Value | undefined
  /** Whether it costs no more than reading a cache: a constant, a variable, a cell. */
  readonly isSimple: boolean
  /** For a parameter of a called operator, the cell of the argument, evaluated or not. */
  readonly raw: Cell | undefined
}

const NO_CELLS: ReadonlySet<Cell> = new Set()
const NO_PENDING: ReadonlySet<Pending> = new Set()

export const NO_FACTS: Facts = {
  cells: NO_CELLS,
  reads: CONSTANT,
  isPure: true,
  isVolatile: false,
  mayNotEnd: false,
  pending: NO_PENDING,
}

/** The facts of a composite, without the cells that it binds. */
export function gather(parts: readonly Facts[], bound: readonly Cell[] = []): Facts {
  let { cells, reads, isPure, isVolatile, mayNotEnd, pending } = NO_FACTS
  for (const part of parts) {
    cells = joined(cells, part.cells)
    pending = joined(pending, part.pending)
    if (part.reads > reads) reads = part.reads
    if (!part.isPure) isPure = false
    if (part.isVolatile) isVolatile = true
    if (part.mayNotEnd) mayNotEnd = true
  }
  if (bound.some((cell) => cells.has(cell))) {
    const left = new Set(cells)
    for (const cell of bound) left.delete(cell)
    cells = left
  }
  return { cells, reads, isPure, isVolatile, mayNotEnd, pending }
}

/** Union of sets; shares an argument if it contains the other, as nearly always. */
function joined<Member>(left: ReadonlySet<Member>, right: ReadonlySet<Member>): ReadonlySet<Member> {
  if (right.size === 0 || left === right) return left
  if (left.size === 0) return right
  let union: Set<Member> | undefined
  for (const member of right) if (!left.has(member)) (union ??= new Set(left)).add(member)
  return union ?? left
}

export function codeOf(run: () => Value, parts: readonly Facts[], bound: readonly Cell[] = []): Code {
  return { ...gather(parts, bound), run, known: undefined, isSimple: false, raw: undefined }
}

/** A value known at compile time. */
export function knownCode(value: Value): Code {
  return { ...NO_FACTS, run: () => value, known: value, isSimple: true, raw: undefined }
}

/** Reads a cell that is bound whenever the closure runs. */
export function cellCode(cell: Cell): Code {
  return {
    ...NO_FACTS,
    cells: new Set([cell]),
    run: () => cell.value as Value,
    known: undefined,
    isSimple: true,
    raw: undefined,
  }
}

/** Whether its value never changes. */
export function isFixed({ cells, reads, isPure, pending }: Facts): boolean {
  return cells.size === 0 && reads === CONSTANT && isPure && pending.size === 0
}

/** Whether TLC evaluates it once, as the body of a constant definition, despite its effects. */
export function isDoneOnce({ cells, reads, isPure, isVolatile, pending }: Facts): boolean {
  return cells.size === 0 && reads === CONSTANT && !isPure && !isVolatile && pending.size === 0
}

/** Evaluated lazily, once; errors are thrown each time. */
export function once(code: Code): Code {
  const { run } = code
  let value: Value | undefined
  return {
    ...code,
    run: () => {
      if (value === undefined) value = run()
      return value
    },
    isSimple: true,
  }
}

/** Counts the begin and end of evaluations; between two ticks the current state is fixed. */
export interface Clock {
  now: number
}

/** Whether its value is a function of the current state. */
export function isOfState({ cells, reads, isPure, pending }: Facts): boolean {
  return cells.size === 0 && reads === SETTLED && isPure && pending.size === 0
}

/** Evaluated lazily, once in a state. */
export function oncePerState(clock: Clock, code: Code): Code {
  const { run } = code
  let value: Value = false
  let since = -1
  return {
    ...code,
    run: () => {
      const { now } = clock
      if (since === now) return value
      value = run()
      since = now
      return value
    },
  }
}

/** Evaluated lazily, once after `cell` is cleared. */
export function keptIn(cell: Cell, code: Code): Code {
  const { run } = code
  return {
    ...code,
    cells: new Set([...code.cells, cell]),
    run: () => {
      const { value } = cell
      if (value !== undefined) return value as Value
      return (cell.value = run())
    },
    isSimple: true,
  }
}

/** Clears caches, then runs: cached values belong to one entry. */
export function clearing<Result>(cells: readonly Cell[], run: () => Result): () => Result {
  if (cells.length === 0) return run
  const [first] = cells
  if (cells.length === 1) {
    return () => {
      first!.value = undefined
      return run()
    }
  }
  return () => {
    for (let at = 0; at < cells.length; at++) cells[at]!.value = undefined
    return run()
  }
}
