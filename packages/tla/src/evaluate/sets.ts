/** Compiles sets: enumerations, filters, maps, and the primitive operators of sets. */
import { isPassing } from '../error/error.ts'
import type { PrimitiveName } from '../semantics/term.ts'
import type { Arena } from '../values/arena.ts'
import { Mixed } from '../values/enumerated-sets.ts'
import { member } from '../values/member.ts'
import { difference, filtered, intersection, setOf, union, unionOf, unionOfAll } from '../values/sets.ts'
import { LONGEST_LIST, thin } from '../values/symbolic-set.ts'
import { functionSet, isSubset, powerset, product, recordSet } from '../values/symbolic-sets.ts'
import type { Canonical, Value } from '../values/value.ts'
import { bind } from './binders.ts'
import { type Code, codeOf, gather, isFixed } from './code.ts'
import type { Compiler } from './compiler.ts'
import type { Context } from './context.ts'
import { notBoolean } from './failures.ts'
import { keeper } from './kept.ts'
import type { Scope } from './scope.ts'
import type { TermOf } from './terms.ts'

/** A constant symbolic set up to this size is enumerated when it is filtered. */
const LISTED = 1 << 20

/** `{a, b}`. */
export function listedSet(compiler: Compiler, term: TermOf<'set'>, scope: Scope, context: Context): Code {
  const { arena } = compiler
  const parts = term.items.map((item) => compiler.compile(item, scope, context))
  const runs = parts.map(({ run }) => run)
  if (runs.length === 0) return codeOf(() => arena.emptySet, [])
  if (runs.length === 1) {
    const run = runs[0]!
    return codeOf(() => {
      const value = run()
      return isSymbolic(value) ? setOf(arena, [value]) : arena.sortedSet([value as Canonical])
    }, parts)
  }
  return codeOf(() => {
    const values: Value[] = new Array(runs.length)
    for (let at = 0; at < runs.length; at++) values[at] = runs[at]!()
    try {
      return setOfValues(arena, values)
    } catch (error) {
      if (!isPassing(error)) throw error
      // Evaluated again for the source order, which `set` has changed.
      const given = runs.map((run) => run())
      if (given.some(isSymbolic)) return setOf(arena, given)
      return new Mixed(arena, given, error.message, compiler.isDiagnosing ? term.at : undefined)
    }
  }, parts)
}

/** The set of values, which may be infinite sets; changes the array. */
function setOfValues(arena: Arena, values: Value[]): Value {
  for (let at = 0; at < values.length; at++) if (isSymbolic(values[at]!)) return setOf(arena, values)
  return arena.set(values as Canonical[])
}

function isSymbolic(value: Value): boolean {
  return typeof value === 'object' && (value.kind === 'symbolic set' || value.kind === 'rule function')
}

/** `{x \in S : P}`. */
export function filter(compiler: Compiler, term: TermOf<'filter'>, scope: Scope, context: Context): Code {
  const { arena } = compiler
  const mark = compiler.cells.length
  const bound = bind(compiler, [term.binder], scope, context)
  const body = compiler.compile(term.body, bound.scope, context)
  const inner = compiler.innerFrom(mark)
  const code = codeOf(() => false, [body], bound.cells)
  const domain = bound.sets[0]!.run
  const { assign } = bound.dimensions[0]!
  const holds = (): boolean => {
    const value = body.run()
    if (value === true) return true
    if (value === false) return false
    throw notBoolean('the condition of a set', value)
  }
  const keep = keeper(code, [], inner, assign, holds)
  // As in TLC, a filtered symbolic set stays symbolic; a constant one is better enumerated once.
  const isListed = isFixed(gather([bound.sets[0]!, code]))
  return codeOf(
    () => {
      const set = domain()
      if (typeof set === 'object' && set.kind === 'set') {
        const { elements } = set
        const kept: Canonical[] = []
        for (let at = 0; at < elements.length; at++) {
          const element = elements[at]!
          assign(element)
          if (holds()) kept.push(element)
        }
        return kept.length === elements.length ? set : arena.sortedSet(kept)
      }
      if (isListed && typeof set === 'object' && set.kind === 'symbolic set' && (set.size() ?? LISTED) <= LISTED) {
        try {
          const kept: Canonical[] = []
          for (const element of set.elements()) {
            assign(element)
            if (holds()) kept.push(element)
          }
          return arena.set(kept)
        } catch (error) {
          // The condition fails for an element that may not be used.
          if (!isPassing(error)) throw error
        }
      }
      return filtered(arena, set, keep() as (element: Value) => boolean)
    },
    [bound.sets[0]!, body],
    bound.cells,
  )
}

/** `{e : x \in S}`. */
export function map(compiler: Compiler, term: TermOf<'map'>, scope: Scope, context: Context): Code {
  const { arena } = compiler
  return mapped(compiler, term, scope, context, (values) => setOfValues(arena, values))
}

/** `UNION {A, B}` and `UNION {e : x \in S}`: the sets may be symbolic, even infinite. */
export function unionOfListed(compiler: Compiler, term: TermOf<'map' | 'set'>, scope: Scope, context: Context): Code {
  const { arena } = compiler
  const unite = (values: readonly Value[]): Value => unionOfAll(arena, values)
  if (!('items' in term)) return mapped(compiler, term as TermOf<'map'>, scope, context, unite)
  const parts = term.items.map((item) => compiler.compile(item, scope, context))
  return codeOf(() => unite(parts.map(({ run }) => run())), parts)
}

function mapped(
  compiler: Compiler,
  term: TermOf<'map'>,
  scope: Scope,
  context: Context,
  collect: (values: Value[]) => Value,
): Code {
  const bound = bind(compiler, term.binders, scope, context)
  const body = compiler.compile(term.body, bound.scope, context)
  const { run } = body
  // Recursion may re-enter this loop.
  let values: Value[] = []
  const each = bound.loop(() => {
    const list = values
    const value = run()
    values = list
    if (list.push(value) > LONGEST_LIST) thin(list)
    return false
  })
  return codeOf(
    () => {
      const outer = values
      const own: Value[] = []
      values = own
      try {
        each()
      } finally {
        values = outer
      }
      return collect(own)
    },
    [...bound.sets, body],
    bound.cells,
  )
}

/** `A \X B`. */
export function cartesianProduct(compiler: Compiler, term: TermOf<'product'>, scope: Scope, context: Context): Code {
  const { arena } = compiler
  const parts = term.items.map((item) => compiler.compile(item, scope, context))
  return codeOf(
    () =>
      product(
        arena,
        parts.map(({ run }) => run()),
      ),
    parts,
  )
}

/** `[S -> T]`. */
export function setOfFunctions(compiler: Compiler, term: TermOf<'function set'>, scope: Scope, context: Context): Code {
  const { arena } = compiler
  const domain = compiler.compile(term.domain, scope, context)
  const range = compiler.compile(term.range, scope, context)
  return codeOf(() => functionSet(arena, domain.run(), range.run()), [domain, range])
}

/** `[a: S, b: T]`. */
export function setOfRecords(compiler: Compiler, term: TermOf<'record set'>, scope: Scope, context: Context): Code {
  const { arena } = compiler
  const shape = arena.shape(term.fields.map(({ name }) => name))
  const parts = shape.names.map((name) => {
    const field = term.fields.find((candidate) => candidate.name === name)!
    return compiler.compile(field.value, scope, context)
  })
  return codeOf(
    () =>
      recordSet(
        arena,
        shape,
        parts.map(({ run }) => run()),
      ),
    parts,
  )
}

/** The primitives on sets with two operands; undefined for others. */
export function binarySetOperator(compiler: Compiler, name: PrimitiveName, left: Code, right: Code): Code | undefined {
  const { arena } = compiler
  const [first, second] = [left.run, right.run]
  const make = (run: () => Value) => codeOf(run, [left, right])
  switch (name) {
    case '\\in':
      return make(() => member(first(), second()))
    case '\\notin':
      return make(() => !member(first(), second()))
    case '\\cup':
      return make(() => union(arena, first(), second()))
    case '\\cap':
      return make(() => intersection(arena, first(), second()))
    case '\\':
      return make(() => difference(arena, first(), second()))
    case '\\subseteq':
      return make(() => isSubset(first(), second()))
    default:
      return undefined
  }
}

/** `SUBSET S` and `UNION S`. */
export function unarySetOperator(compiler: Compiler, name: 'SUBSET' | 'UNION', operand: Code): Code {
  const { arena } = compiler
  const { run } = operand
  return codeOf(name === 'SUBSET' ? () => powerset(arena, run()) : () => unionOf(arena, run()), [operand])
}
