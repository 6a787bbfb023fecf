/**
 * Loops over binders: `x \in S`, `x, y \in S`, `<<x, y>> \in S`, and lists of them.
 *
 * All sets are evaluated before the first element is bound, as they do not depend on each other;
 * then the first binder varies fastest, as in TLC. The order decides which successor,
 * counterexample or error is found first.
 */
import type { Binder, BoundSymbol } from '../semantics/term.ts'
import { isSet, notSet } from '../values/canonical.ts'
import { Listed } from '../values/enumerated-sets.ts'
import type { Value } from '../values/value.ts'
import type { Cell, Code } from './code.ts'
import type { Compiler } from './compiler.ts'
import type { Context } from './context.ts'
import { placed } from './diagnosis.ts'
import { failure, shown } from './failures.ts'
import { extend, type Scope } from './scope.ts'

/** Visits an element; true ends the loop. */
type Visit = () => boolean

export interface Bound {
  /** With the symbols bound. */
  readonly scope: Scope
  /** The cells of the symbols, in order, and of the loop's sets. */
  readonly cells: readonly Cell[]
  /** The code of the sets. */
  readonly sets: readonly Code[]
  /** For each name or pattern, its set, and how an element is bound to it. */
  readonly dimensions: readonly Dimension[]
  /** A closure that calls `visit` for each combination until one returns true; returns whether. */
  loop(visit: Visit): Visit
}

interface Dimension {
  /** Index in `sets`. */
  readonly set: number
  readonly assign: (element: Value) => void
  /** Undefined for a pattern. */
  readonly cell: Cell | undefined
}

export function bind(compiler: Compiler, binders: readonly Binder[], scope: Scope, context: Context): Bound {
  const sets = binders.map(({ set }) => {
    const code = compiler.compile(set, scope, context)
    return compiler.isDiagnosing ? { ...code, run: placed(onlySets(code.run), set.at) } : code
  })
  const cells: Cell[] = []
  const dimensions: Dimension[] = []
  let inner = scope
  for (const [set, { symbols, isTuple }] of binders.entries()) {
    const own = symbols.map((symbol) => compiler.cell(symbol.name))
    cells.push(...own)
    for (const [at, symbol] of symbols.entries()) inner = bindCell(inner, symbol, own[at]!)
    if (isTuple) dimensions.push({ set, assign: destructure(own), cell: undefined })
    else for (const cell of own) dimensions.push({ set, assign: (element) => void (cell.value = element), cell })
  }
  const kept = sets.map((set) => {
    // A single set is evaluated once anyway; others must not be evaluated again for each element of
    // an outer one.
    if (dimensions.length === 1 || set.isSimple) return undefined
    const cell = compiler.cell('a set')
    cells.push(cell)
    return cell
  })
  const loop = (visit: Visit): Visit => {
    let body = visit
    for (const { set, assign, cell } of dimensions) {
      const keep = kept[set]
      const domain = keep === undefined ? sets[set]!.run : () => keep.value as Value
      body = cell === undefined ? loopOver(domain, assign, body) : loopOverCell(domain, cell, body)
      // An error without a location is about the set itself, such as being infinite.
      if (compiler.isDiagnosing) body = placed(body, binders[set]!.set.at)
    }
    const keeping = sets.flatMap(({ run }, at) => (kept[at] === undefined ? [] : [{ run, cell: kept[at] }]))
    if (keeping.length === 0) return body
    const first = body
    return () => {
      for (let at = 0; at < keeping.length; at++) keeping[at]!.cell.value = keeping[at]!.run()
      return first()
    }
  }
  return { scope: inner, cells, sets, dimensions, loop }
}

/** Throws for a value that is not a set, so that the error is located at the set. */
function onlySets(run: () => Value): () => Value {
  return () => {
    const value = run()
    if (!isSet(value)) throw notSet(value)
    return value
  }
}

export function bindCell(
  scope: Scope,
  symbol: BoundSymbol,
  cell: Cell,
  role: 'binder' | 'parameter' | 'recursive function' = 'binder',
): Scope {
  return extend(scope, symbol, { kind: 'cell', cell, role })
}

/** The most common loop: one name over an interned set. */
function loopOverCell(domain: () => Value, cell: Cell, visit: Visit): Visit {
  return () => {
    const set = domain()
    if (typeof set === 'object' && set.kind === 'set') {
      const { elements } = set
      for (let at = 0; at < elements.length; at++) {
        cell.value = elements[at]!
        if (visit()) return true
      }
      return false
    }
    for (const element of elementsIn(set)) {
      cell.value = element
      if (visit()) return true
    }
    return false
  }
}

function loopOver(domain: () => Value, assign: (element: Value) => void, visit: Visit): Visit {
  return () => {
    for (const element of elementsIn(domain())) {
      assign(element)
      if (visit()) return true
    }
    return false
  }
}

/** @throws TlaError if the value is not a set, or infinite */
export function elementsIn(set: Value): Iterable<Value> {
  if (typeof set === 'object') {
    if (set.kind === 'set') return set.elements
    if (set.kind === 'symbolic set') return set instanceof Listed ? set.values : set.elements()
  }
  throw notSet(set)
}

/** Binds the parts of a tuple. */
export function destructure(cells: readonly Cell[]): (element: Value) => void {
  return (element) => {
    if (typeof element !== 'object' || element.kind !== 'tuple' || element.elements.length !== cells.length) {
      throw failure(`expected a tuple of ${cells.length} values, found ${shown(element)}`)
    }
    for (let at = 0; at < cells.length; at++) cells[at]!.value = element.elements[at]!
  }
}
