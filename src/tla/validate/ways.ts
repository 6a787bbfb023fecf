/**
 * How the next-state relation reaches an action: the values that its parameters may have in a state, where a trace does not
 * tell them.
 *
 * `\E s \in Servers : \E m \in Inbox(s) : Receive(s, m)` makes the set of tuples `UNION {{<<s, m>> : m \in Inbox(s)} :
 * s \in Servers}`. What stands between is kept: LET, conjuncts about the state before the action (so `m \in messages /\
 * Receive(m)` counts too), IF and CASE; the parameter p of an operator on the way that is called with e becomes
 * `p \in {e}`. So the set is a term of its own, closed and of state level, which the evaluator compiles like any other.
 *
 * Actions that are reached through instances, with operators as arguments, or by recursion are not found.
 */
import type { Binder, BoundSymbol, DefinitionSymbol, Term } from '../semantics/term.ts'
import type { Span } from '../syntax/span.ts'

/** A next-state relation that branches more than this is not gone through to its end. */
const MAX_VISITS = 20_000
const MAX_DEPTH = 100

/**
 * A term for the set of the tuples of parameters with which the relation may take an action; undefined if it is not reached.
 */
export function parametersTerm(relation: Term, action: string): Term | undefined {
  const found: Term[] = []
  walk(relation, action, (inner) => inner, { found, visits: 0, depth: 0 })
  const [first] = found
  if (first === undefined) return undefined
  return found.length === 1 ? first : unionOf({ kind: 'set', items: found, ...state(first.at) })
}

interface Search {
  readonly found: Term[]
  visits: number
  depth: number
}

/** Puts a set of tuples into what stands around the place where it is. */
type Wrap = (inner: Term) => Term

function walk(term: Term, action: string, wrap: Wrap, search: Search): void {
  if (search.visits++ > MAX_VISITS || search.depth > MAX_DEPTH) return
  search.depth++
  walkInto(term, action, wrap, search)
  search.depth--
}

function walkInto(term: Term, action: string, wrap: Wrap, search: Search): void {
  const { at } = term
  switch (term.kind) {
    case 'reference': {
      const { symbol } = term
      if (symbol.kind !== 'definition' || term.through.length > 0) return
      const given = term.arguments
      if (given.some(({ kind }) => kind === 'operator')) return
      if (symbol.name === action && !symbol.isNested) {
        const tuple: Term = { kind: 'tuple', items: given as readonly Term[], ...state(at) }
        search.found.push(wrap({ kind: 'set', items: [tuple], ...state(at) }))
      } else if (!symbol.isRecursive && isAction(symbol)) {
        walk(symbol.body, action, (inner) => wrap(bound(symbol, given as readonly Term[], inner)), search)
      }
      return
    }
    case 'quantifier':
      if (term.name === '\\E') walk(term.body, action, (inner) => wrap(forEach(term.binders, inner)), search)
      return
    case 'or':
      for (const item of term.items) walk(item, action, wrap, search)
      return
    case 'and':
      for (const [place, item] of term.items.entries()) {
        if (!mayBeAction(item)) continue
        const guards = term.items.slice(0, place).filter(isGuard)
        walk(item, action, (inner) => wrap(guarded(guards, inner)), search)
      }
      return
    case 'if':
      walk(term.then, action, (inner) => wrap(guarded([term.condition], inner)), search)
      walk(term.else, action, (inner) => wrap(guarded([not(term.condition)], inner)), search)
      return
    case 'case':
      for (const { condition, body } of term.arms) {
        walk(body, action, (inner) => wrap(guarded([condition], inner)), search)
      }
      if (term.other !== undefined) walk(term.other, action, wrap, search)
      return
    case 'let': {
      const { definitions } = term
      walk(term.body, action, (inner) => wrap({ kind: 'let', definitions, body: inner, ...state(at) }), search)
      return
    }
    case 'label':
      walk(term.body, action, wrap, search)
      return
    case 'action':
      walk(term.action, action, wrap, search)
      return
  }
}

function state(at: Span) {
  return { at, level: 'state' } as const
}

function isAction({ level }: DefinitionSymbol): boolean {
  return level === 'action'
}

function mayBeAction({ level }: Term): boolean {
  return level === 'action'
}

function isGuard({ level }: Term): boolean {
  return level === 'constant' || level === 'state'
}

function unionOf(set: Term): Term {
  return { kind: 'primitive', name: 'UNION', arguments: [set], ...state(set.at) }
}

/** `UNION {inner : binders}`. */
function forEach(binders: readonly Binder[], inner: Term): Term {
  return unionOf({ kind: 'map', binders, body: inner, ...state(inner.at) })
}

/** The parameters of an operator stand for what it was called with. */
function bound({ parameters }: DefinitionSymbol, given: readonly Term[], inner: Term): Term {
  if (parameters.length === 0) return inner
  const binders = parameters.map((symbol: BoundSymbol, at): Binder => {
    const value = given[at]!
    return { symbols: [symbol], isTuple: false, set: { kind: 'set', items: [value], at: value.at, level: value.level } }
  })
  return forEach(binders, inner)
}

function guarded(guards: readonly Term[], inner: Term): Term {
  const [first] = guards
  if (first === undefined) return inner
  const condition: Term = guards.length === 1 ? first : { kind: 'and', items: guards, ...state(first.at) }
  const nothing: Term = { kind: 'set', items: [], ...state(inner.at) }
  // biome-ignore lint/suspicious/noThenProperty: the name of the part of a term
  return { kind: 'if', condition, then: inner, else: nothing, ...state(inner.at) }
}

function not(condition: Term): Term {
  return { kind: 'primitive', name: '~', arguments: [condition], ...state(condition.at) }
}
