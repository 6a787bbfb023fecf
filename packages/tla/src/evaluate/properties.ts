/**
 * The parts of a property about single states and steps, which can be checked without whole
 * behaviours. As in TLC, definitions, instances, LETs and `\A` over a constant set are unfolded.
 */
import { TlaError } from '../error/error.ts'
import type { Argument, Binder, Level } from '../semantics/term.ts'
import { apply } from '../values/functions.ts'
import { isInfinite } from '../values/symbolic-set.ts'
import type { Value } from '../values/value.ts'
import { elementsIn } from './binders.ts'
import type { Compiler } from './compiler.ts'
import { resolve } from './references.ts'
import { extend, lookup, type Scope } from './scope.ts'
import { boxedAction, type Scoped, unfolded } from './specification.ts'
import { parts, type TermOf } from './terms.ts'

export interface Properties {
  readonly invariants: Scoped[]
  readonly initial: Scoped[]
  readonly steps: Scoped[]
  /** The parts about whole behaviours. */
  readonly temporal: Scoped[]
}

/** The value of a constant term. */
type Evaluate = (scoped: Scoped) => Value

/** Bound on the cases of one `\A`: more are not unfolded. */
const MOST_CASES = 10_000

/** @throws TlaError for an action, or a set that cannot be evaluated */
export function propertiesOf(compiler: Compiler, property: Scoped, evaluate: Evaluate): Properties {
  const found: Properties = { invariants: [], initial: [], steps: [], temporal: [] }
  add(compiler, property, evaluate, found)
  return found
}

function add(compiler: Compiler, scoped: Scoped, evaluate: Evaluate, found: Properties): void {
  const { term, scope } = scoped
  if (term.kind === 'and') {
    for (const item of term.items) add(compiler, { term: item, scope }, evaluate, found)
    return
  }
  const level = levelIn(compiler, term, scope)
  if (level === 'constant' || level === 'state') {
    found.initial.push(scoped)
    return
  }
  const inner = unfolded(compiler, scoped)
  if (inner !== undefined) {
    add(compiler, inner, evaluate, found)
    return
  }
  if (term.kind === 'primitive' && term.name === '[]') {
    addBox(compiler, scoped, { term: term.arguments[0]!, scope }, found)
    return
  }
  if (level === 'action') {
    throw new TlaError(
      'semantics',
      'write a property of all steps as `[][A]_vars`: an action without `[]` constrains the first step only',
      term.at,
    )
  }
  const cases = term.kind === 'quantifier' && term.name === '\\A' ? casesOf(compiler, term, scope, evaluate) : undefined
  if (cases === undefined) found.temporal.push(scoped)
  else for (const each of cases) add(compiler, each, evaluate, found)
}

/** Adds `[]F`, where `[](F /\ G)` is `[]F /\ []G`. */
function addBox(compiler: Compiler, whole: Scoped, inside: Scoped, found: Properties): void {
  const { term, scope } = inside
  const boxed = boxedAction(compiler, inside)
  if (boxed !== undefined) {
    found.steps.push(boxed)
    return
  }
  const level = levelIn(compiler, term, scope)
  if (level === 'constant' || level === 'state') {
    found.invariants.push(inside)
    return
  }
  if (term.kind === 'and') {
    for (const item of term.items) addBox(compiler, { term: item, scope }, { term: item, scope }, found)
    return
  }
  const inner = unfolded(compiler, inside)
  if (inner !== undefined) addBox(compiler, whole, inner, found)
  else if (term.kind === 'primitive' && term.name === '[]') {
    addBox(compiler, inside, { term: term.arguments[0]!, scope }, found)
  } else found.temporal.push(whole)
}

/** The bodies of `\A` for each element; undefined for too many, or if the sets are not constant. */
function casesOf(
  compiler: Compiler,
  { binders, body }: TermOf<'quantifier'>,
  scope: Scope,
  evaluate: Evaluate,
): readonly Scoped[] | undefined {
  let scopes: Scope[] = [scope]
  for (const binder of binders) {
    if (levelIn(compiler, binder.set, scope) !== 'constant') return undefined
    const set = evaluate({ term: binder.set, scope })
    if (isInfinite(set)) return undefined
    for (const bind of bindings(binder)) {
      const extended: Scope[] = []
      for (const element of elementsIn(set)) {
        if (extended.length + scopes.length > MOST_CASES) return undefined
        for (const each of scopes) extended.push(bind(each, element))
      }
      scopes = extended
    }
  }
  return scopes.map((each) => ({ term: body, scope: each }))
}

/** For each symbol that ranges over the set by itself, how it is bound to an element. */
function bindings({ symbols, isTuple }: Binder): readonly ((scope: Scope, element: Value) => Scope)[] {
  const to = (scope: Scope, symbol: Binder['symbols'][number], value: Value) =>
    extend(scope, symbol, { kind: 'known', value })
  if (!isTuple) return symbols.map((symbol) => (scope, element) => to(scope, symbol, element))
  return [(scope, element) => symbols.reduce((inner, symbol, at) => to(inner, symbol, apply(element, at + 1)), scope)]
}

const LEVELS: readonly Level[] = ['constant', 'state', 'action', 'temporal']

/** The level of a term with what its parameters are bound to: `Box(F) == []F` gets it from F. */
function levelIn(compiler: Compiler, term: Argument, scope: Scope): Level {
  let level = term.kind === 'operator' ? 0 : LEVELS.indexOf(term.level)
  const left: Argument[] = [term]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    left.push(...parts(next))
    if (next.kind !== 'reference' || next.symbol.kind !== 'bound' || lookup(next.symbol, scope) === undefined) continue
    const resolved = resolve(compiler, next, scope)
    if (resolved.kind !== 'binding' || resolved.binding.kind !== 'closed') continue
    level = Math.max(level, LEVELS.indexOf(levelIn(compiler, resolved.binding.term, resolved.binding.scope)))
  }
  return LEVELS[level]!
}
