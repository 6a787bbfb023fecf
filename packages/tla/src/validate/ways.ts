/**
 * Derives the possible values of parameters that a trace lacks from the ways in which the
 * next-state relation reaches the action.
 *
 * `\E s \in Servers : \E m \in Inbox(s) : Receive(s, m)` becomes the set of tuples `UNION {{<<s, m>>
 * : m \in Inbox(s)} : s \in Servers}`. The context is kept: LET, conjuncts about the state before
 * the action (so `m \in messages /\ Receive(m)` counts too), IF and CASE; the parameter p of an
 * enclosing operator called with e becomes `p \in {e}`. If the trace gives k for s, s is taken from
 * `{x \in {k} : x \in Servers}`. The set is a term of state level, compiled like any other.
 *
 * A way through an instance, `R!Next` to `R!Receive(s, m)`, continues in the instance's module: the
 * result there becomes the body of a new definition, referred to through the instance.
 *
 * Invariant: either all ways are known or there is no result, so a value outside the result is
 * impossible. There is no result if the action occurs under `\A`, in an operator argument, in a
 * recursive operator or in an instance with parameters.
 */

import type { Span } from '../error/span.ts'
import { parts } from '../evaluate/terms.ts'
import { textOf } from '../evaluate/text.ts'
import type { Argument, Binder, BoundSymbol, DefinitionSymbol, Term, Through } from '../semantics/term.ts'

/** Bounds on the terms visited, and on their nesting; beyond, there is no result. */
const MAX_VISITS = 20_000
const MAX_DEPTH = 100

/** The set of parameter tuples with which an action may be taken. */
export interface ParametersTerm {
  readonly term: Term
  /** Symbols of the parameters given by the trace, in order; the evaluation binds them. */
  readonly known: readonly BoundSymbol[]
  /** For each parameter, the set it is taken from, as source text; undefined if it is complex. */
  readonly from: readonly (string | undefined)[]
}

/**
 * @param isKnown for each parameter of the action, whether the trace gives it
 * @returns undefined if the possible values are unknown
 */
export function parametersTerm(
  relation: Term,
  action: string,
  isKnown: readonly boolean[],
): ParametersTerm | undefined {
  const search: Search = { ways: [], reached: new Set(), visits: 0 }
  walk(relation, action, { frames: [], path: [] }, search)
  const { ways } = search
  const [first] = ways
  if (first === undefined || !isComplete(relation, action, search)) return undefined
  const symbols = isKnown.map((known, at): BoundSymbol | undefined =>
    known ? { kind: 'bound', name: `parameter ${at + 1}`, arity: 0, at: first.at } : undefined,
  )
  const sets = ways.map((way) => setOf(way, symbols))
  return {
    term: sets.length === 1 ? sets[0]! : unionOf({ kind: 'set', items: sets, ...state(first.at) }),
    known: symbols.filter((symbol) => symbol !== undefined),
    from: isKnown.map((_, place) => takenFrom(ways, place)),
  }
}

function takenFrom(ways: readonly Way[], place: number): string | undefined {
  const sets = ways.map(({ arguments: given, frames }) => {
    const symbol = sourceOf(given[place]!, frames)
    const binders = frames.flatMap((frame) => (frame.kind === 'binders' ? frame.binders : []))
    const binder = binders.find(({ symbols }) => symbol !== undefined && symbols.includes(symbol))
    return binder && textOf(binder.set.at)
  })
  const distinct = new Set(sets)
  return distinct.has(undefined) ? undefined : [...distinct].join(' or ')
}

/** One construct around a reference to the action. */
type Frame =
  | { readonly kind: 'binders'; readonly binders: readonly Binder[] }
  | { readonly kind: 'guard'; readonly guards: readonly Term[] }
  | { readonly kind: 'let'; readonly definitions: readonly DefinitionSymbol[] }
  /** A definition of an instance, and its arguments. */
  | {
      readonly kind: 'instance'
      readonly symbol: DefinitionSymbol
      readonly through: readonly Through[]
      readonly given: readonly Term[]
    }

/** A position in the relation. */
interface Place {
  /** Outermost first. */
  readonly frames: readonly Frame[]
  /** The names of the instances around it. */
  readonly path: readonly string[]
}

interface Way {
  readonly frames: readonly Frame[]
  /** Of the action. */
  readonly arguments: readonly Term[]
  readonly at: Span
}

interface Search {
  readonly ways: Way[]
  /** The references to the action that were found. */
  readonly reached: Set<Term>
  visits: number
}

/** A definition's name from the root module: `R!Receive`; undefined if it has none. */
function nameAt(path: readonly string[], { name, isNested }: DefinitionSymbol, through: readonly Through[]) {
  return isNested ? undefined : [...pathThrough(path, through), name].join('!')
}

/** Instances without a name add nothing. */
function pathThrough(path: readonly string[], through: readonly Through[]): readonly string[] {
  return [...path, ...through.flatMap(({ instance }) => instance.name ?? [])]
}

/** Definitions of an instance with parameters cannot be named by a trace. */
function hasParameters(through: readonly Through[]): boolean {
  return through.some(({ arguments: given }) => given.length > 0)
}

/** Whether all references to the action in the relation were found. */
function isComplete(relation: Term, action: string, { reached, visits }: Search): boolean {
  if (visits > MAX_VISITS) return false
  const entered = new Set<string>()
  const numbers = new Map<DefinitionSymbol, number>()
  const left: { readonly term: Argument; readonly path: readonly string[] }[] = [{ term: relation, path: [] }]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { term, path } = next
    if (term.kind !== 'operator' && term.level !== 'action') continue
    for (const part of parts(term)) left.push({ term: part, path })
    if (term.kind !== 'reference' || term.symbol.kind !== 'definition' || hasParameters(term.through)) continue
    const { symbol, through } = term
    if (nameAt(path, symbol, through) === action) {
      if (!reached.has(term)) return false
      continue
    }
    const inner = pathThrough(path, through)
    if (!numbers.has(symbol)) numbers.set(symbol, numbers.size)
    const key = `${numbers.get(symbol)} ${inner.join('!')}`
    if (entered.has(key)) continue
    entered.add(key)
    left.push({ term: symbol.body, path: inner })
  }
  return true
}

function walk(term: Term, action: string, { frames, path }: Place, search: Search): void {
  if (search.visits++ > MAX_VISITS || frames.length > MAX_DEPTH) return
  const inside = (next: Term, ...more: readonly Frame[]) =>
    walk(next, action, { frames: [...frames, ...more], path }, search)
  switch (term.kind) {
    case 'reference': {
      const { symbol, through, arguments: given, at } = term
      if (symbol.kind !== 'definition' || given.some(({ kind }) => kind === 'operator')) return
      if (hasParameters(through)) return
      if (nameAt(path, symbol, through) === action) {
        search.reached.add(term)
        search.ways.push({ frames, arguments: given as readonly Term[], at })
      } else if (symbol.isRecursive || symbol.level !== 'action') return
      else if (through.length === 0) {
        inside(symbol.body, { kind: 'binders', binders: bound(symbol, given as readonly Term[]) })
      } else {
        const frame: Frame = { kind: 'instance', symbol, through, given: given as readonly Term[] }
        walk(symbol.body, action, { frames: [...frames, frame], path: pathThrough(path, through) }, search)
      }
      return
    }
    case 'quantifier':
      if (term.name === '\\E') inside(term.body, { kind: 'binders', binders: term.binders })
      return
    case 'or':
      for (const item of term.items) inside(item)
      return
    case 'and':
      for (const [place, item] of term.items.entries()) {
        if (item.level === 'action') inside(item, { kind: 'guard', guards: term.items.slice(0, place).filter(isGuard) })
      }
      return
    case 'if':
      inside(term.then, { kind: 'guard', guards: [term.condition] })
      inside(term.else, { kind: 'guard', guards: [not(term.condition)] })
      return
    case 'case':
      for (const { condition, body } of term.arms) inside(body, { kind: 'guard', guards: [condition] })
      if (term.other !== undefined) inside(term.other)
      return
    case 'let':
      inside(term.body, { kind: 'let', definitions: term.definitions })
      return
    case 'label':
      inside(term.body)
      return
    case 'action':
      inside(term.action)
      return
  }
}

/** @param known the symbols of the parameters given by the trace */
function setOf({ frames, arguments: given, at }: Way, known: readonly (BoundSymbol | undefined)[]): Term {
  /** Bound symbols whose value the trace gives. */
  const fixed = new Map<BoundSymbol, BoundSymbol>()
  const unfixed: Term[] = []
  for (const [place, symbol] of known.entries()) {
    if (symbol === undefined) continue
    const source = sourceOf(given[place]!, frames)
    if (source !== undefined && !fixed.has(source)) fixed.set(source, symbol)
    else unfixed.push(equals(given[place]!, symbol))
  }
  const tuple: Term = { kind: 'tuple', items: given, ...state(at) }
  const innermost = guarded(unfixed, { kind: 'set', items: [tuple], ...state(at) })
  const told = known.filter((symbol) => symbol !== undefined)
  return frames.reduceRight((inner, frame) => around(frame, inner, fixed, told), innermost)
}

function around(
  frame: Frame,
  inner: Term,
  fixed: ReadonlyMap<BoundSymbol, BoundSymbol>,
  told: readonly BoundSymbol[],
): Term {
  switch (frame.kind) {
    case 'instance': {
      const { symbol, through, given } = frame
      const { name, module, at } = symbol
      // Pass on the given parameters: an instance does not see symbols bound outside.
      const parameters = [...symbol.parameters, ...told]
      const definition: DefinitionSymbol = {
        kind: 'definition',
        name,
        module,
        parameters,
        body: inner,
        isRecursive: false,
        isNested: false,
        level: 'state',
        at,
      }
      return {
        kind: 'reference',
        symbol: definition,
        through,
        arguments: [...given, ...told.map(nameOf)],
        ...state(at),
      }
    }
    case 'guard':
      return guarded(frame.guards, inner)
    case 'let':
      return { kind: 'let', definitions: frame.definitions, body: inner, ...state(inner.at) }
    case 'binders': {
      if (frame.binders.length === 0) return inner
      const binders = frame.binders.flatMap((binder) => (binder.isTuple ? [binder] : restricted(binder, fixed)))
      return unionOf({ kind: 'map', binders, body: inner, ...state(inner.at) })
    }
  }
}

/** Restricts each symbol whose value is given to that value, if its set contains it. */
function restricted({ symbols, isTuple, set }: Binder, fixed: ReadonlyMap<BoundSymbol, BoundSymbol>): Binder[] {
  return symbols.map((symbol) => {
    const known = fixed.get(symbol)
    if (known === undefined) return { symbols: [symbol], isTuple, set }
    const element: BoundSymbol = { kind: 'bound', name: symbol.name, arity: 0, at: symbol.at }
    const isIn: Term = {
      kind: 'primitive',
      name: '\\in',
      arguments: [nameOf(element), set],
      ...state(set.at),
    }
    const only: Term = { kind: 'set', items: [nameOf(known)], ...state(set.at) }
    const binder = { symbols: [element], isTuple: false, set: only }
    return { symbols: [symbol], isTuple, set: { kind: 'filter', binder, body: isIn, ...state(set.at) } }
  })
}

/** The quantified symbol that an argument refers to, directly or through operator parameters. */
function sourceOf(argument: Term, frames: readonly Frame[]): BoundSymbol | undefined {
  let term = argument
  for (let at = frames.length - 1; at >= 0; at--) {
    if (term.kind !== 'reference' || term.symbol.kind !== 'bound' || term.arguments.length > 0) return undefined
    const { symbol } = term
    const frame = frames[at]!
    if (frame.kind === 'instance') {
      const place = frame.symbol.parameters.indexOf(symbol as BoundSymbol)
      if (place >= 0) term = frame.given[place]!
      continue
    }
    if (frame.kind !== 'binders') continue
    const binder = frame.binders.find(({ symbols }) => symbols.includes(symbol as BoundSymbol))
    if (binder === undefined) continue
    if (binder.isTuple) return undefined
    // A parameter bound as `p \in {e}` stands for e.
    if (!(binder.set.kind === 'set' && binder.set.items.length === 1)) return symbol as BoundSymbol
    term = binder.set.items[0]!
  }
  return undefined
}

function state(at: Span) {
  return { at, level: 'state' } as const
}

function isGuard({ level }: Term): boolean {
  return level === 'constant' || level === 'state'
}

function nameOf(symbol: BoundSymbol): Term {
  return { kind: 'reference', symbol, through: [], arguments: [], at: symbol.at, level: 'constant' }
}

function equals(left: Term, symbol: BoundSymbol): Term {
  return { kind: 'primitive', name: '=', arguments: [left, nameOf(symbol)], ...state(left.at) }
}

function unionOf(set: Term): Term {
  return { kind: 'primitive', name: 'UNION', arguments: [set], ...state(set.at) }
}

/** Binds the parameters of an operator to its arguments: `p \in {e}`. */
function bound({ parameters }: DefinitionSymbol, given: readonly Term[]): readonly Binder[] {
  return parameters.map((symbol, at) => {
    const value = given[at]!
    const set: Term = { kind: 'set', items: [value], at: value.at, level: value.level }
    return { symbols: [symbol], isTuple: false, set }
  })
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
