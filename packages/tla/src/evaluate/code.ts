/**
 * The result of compiling a term: a closure that computes its value, with facts known at compile
 * time.
 *
 * A symbol bound at run time (by a quantifier, a function, a parameter) is a *cell* that the
 * closures capture: reading it is one property read, and no environment is passed. The price: a
 * closure that is re-entered (recursion) or outlives its surroundings (a function by rule) needs
 * its cells saved and restored; see kept.ts.
 *
 * The facts decide what is computed once: a term that depends on no cell and no variable and has no
 * effects is evaluated once; one that depends on settled variables only is evaluated once each time
 * its definition is entered.
 */
import type { Operator, Value } from '../values/value.ts'
import type { Deferred } from './deferred.ts'

/**
 * Where the value of a bound symbol stands; undefined: not evaluated yet. For a parameter of an
 * operator that is called, what was given: an operator, or an argument that waits for somebody to
 * ask for its value.
 */
export class Cell {
  value: Value | Operator | Deferred | undefined = undefined
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * What a closure reads of states: nothing; the current state, which stays while evaluation runs; a
 * state between (`A \cdot B`), which stays while what comes after it runs; or variables that are
 * being assigned.
 */
const CONSTANT = 0
export const [SETTLED, STEADY, UNSETTLED] = [1, 2, 3] as const
export type Reads = typeof CONSTANT | typeof SETTLED | typeof STEADY | typeof UNSETTLED

/** A recursive operator whose compilation has not ended, so that what it reads is not known yet. */
export interface Pending {
  readonly name: string
  /** Undefined until then. */
  readonly facts: Facts | undefined
}

/** The facts of what was pending, once all is compiled. */
export function settled({ pending }: Facts): Facts[] {
  return [...pending].flatMap(({ facts }) => facts ?? [])
}

export interface Facts {
  /** The cells that it reads and does not bind itself. */
  readonly cells: ReadonlySet<Cell>
  readonly reads: Reads
  /**
   * Whether evaluating it twice is the same as once: nothing is printed, no register read, nothing
   * drawn at random.
   */
  readonly isPure: boolean
  /** Whether it reads what changes without the state: registers, how far exploration has come. */
  readonly isVolatile: boolean
  /** Whether it is recursive, or calls what is. */
  readonly mayNotEnd: boolean
  readonly pending: ReadonlySet<Pending>
}

export interface Code extends Facts {
  readonly run: () => Value
  /** Set if the value is known at compile time. */
  readonly known: Value | undefined
  /** Whether it costs no more than to read what was kept: a constant, a variable, a cell. */
  readonly isSimple: boolean
  /**
   * If it is the parameter of an operator that is called: where the argument stands, evaluated or
   * not.
   */
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

/** The facts of what is made of several parts, less the cells that it binds. */
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

/** Sets are shared as long as one holds the other: nearly always, as terms are small. */
function joined<Member>(left: ReadonlySet<Member>, right: ReadonlySet<Member>): ReadonlySet<Member> {
  if (right.size === 0 || left === right) return left
  if (left.size === 0) return right
  let union: Set<Member> | undefined
  for (const member of right) if (!left.has(member)) (union ??= new Set(left)).add(member)
  return union ?? left
}

/** A closure of parts. */
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

/** Whether its value is the same whenever it is evaluated. */
export function isFixed({ cells, reads, isPure, pending }: Facts): boolean {
  return cells.size === 0 && reads === CONSTANT && isPure && pending.size === 0
}

/**
 * Whether TLC evaluates it once as the body of a constant definition, though that does something:
 * prints, draws, reads a file.
 */
export function isDoneOnce({ cells, reads, isPure, isVolatile, pending }: Facts): boolean {
  return cells.size === 0 && reads === CONSTANT && !isPure && !isVolatile && pending.size === 0
}

/** Evaluated when it is first asked for, then kept; what throws, throws each time. */
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

/** Counts how often evaluation has begun; between two counts the current state stays the same. */
export interface Clock {
  now: number
}

/** Whether its value is the same as long as the current state is. */
export function isOfState({ cells, reads, isPure, pending }: Facts): boolean {
  return cells.size === 0 && reads === SETTLED && isPure && pending.size === 0
}

/** Evaluated when it is first asked for in a state. */
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

/** Evaluated when it is first asked for since `cell` was cleared. */
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

/** Clears cells, then runs: what was kept belongs to one entry. */
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
