/**
 * Actions and initial predicates: searches for the states that satisfy them.
 *
 * After TLC (Yu, Manolios and Lamport 1999): conjuncts run from left to right over a partial state;
 * `x' = e` and `x' \in S` assign a variable that has no value yet, and are conditions otherwise; a
 * disjunction and a bounded `\E` branch. In continuation-passing style: each part is compiled with
 * its continuation, calls it for each way to satisfy the part, and undoes its assignment. As in
 * TLC, every branch is visited even where the branches assign nothing, so one successor can be
 * found several times.
 */
import type { BoundSymbol, Term } from '../semantics/term.ts'
import { recursiveAction } from './action-calls.ts'
import { appliedFunction, mayBeAction } from './action-functions.ts'
import { angle, unchanged } from './action-parts.ts'
import { assignedBy, assignment } from './assignment.ts'
import { type Bound, bind } from './binders.ts'
import { clearing } from './code.ts'
import type { Continuation, ObservedCondition, Search } from './compiler.ts'
import { composed } from './composition.ts'
import { every, isAssigned } from './every.ts'
import { notBoolean } from './failures.ts'
import { isTest } from './is-test.ts'
import { condition, noCase } from './logic.ts'
import { expand, isPlainDefinition, letScope, resolve } from './references.ts'
import type { Scope } from './scope.ts'
import type { Reference } from './terms.ts'

export function action(search: Search, term: Term, scope: Scope, next: Continuation): Continuation {
  const { compiler, context, target } = search
  const inner = (part: Term, place: Scope, then: Continuation) => compiler.action(part, place, search, then)
  switch (term.kind) {
    case 'and':
      return term.items.reduceRight((then, item, at) => {
        const run = inner(item, scope, then)
        return at === 0 ? run : unlessAssigned(search, item, scope, run, then)
      }, next)
    case 'or':
      return branches(term.items.map((item) => inner(item, scope, next)))
    case 'quantifier': {
      if (term.name === '\\A') {
        return isTest(compiler, term, scope, target)
          ? guard(search, term, scope, next)
          : every(search, term, scope, next)
      }
      const bound = bind(compiler, term.binders, scope, context)
      const body = inner(term.body, bound.scope, next)
      return compiler.observer === undefined
        ? bound.loop(body)
        : observedLoop(bound, body, compiler.observer.condition(compiler, term, scope, context, next))
    }
    case 'if': {
      const decide = condition(compiler.compile(term.condition, scope, context), 'the condition of IF')
      const [yes, no] = [inner(term.then, scope, next), inner(term.else, scope, next)]
      return () => (decide() ? yes() : no())
    }
    case 'case': {
      const guards = term.arms.map((arm) =>
        condition(compiler.compile(arm.condition, scope, context), 'the condition of a CASE'),
      )
      const bodies = term.arms.map((arm) => inner(arm.body, scope, next))
      const other = term.other && inner(term.other, scope, next)
      return () => {
        for (let at = 0; at < guards.length; at++) if (guards[at]!()) return bodies[at]!()
        if (other !== undefined) return other()
        throw noCase()
      }
    }
    case 'let': {
      const { scope: place, closed } = letScope(term.definitions, scope)
      const body = inner(term.body, place, next)
      return clearing(
        closed.flatMap(({ cells }) => cells),
        body,
      )
    }
    case 'label':
      return inner(term.body, scope, next)
    case 'action':
      return term.shape === 'square'
        ? branches([inner(term.action, scope, next), unchanged(search, term.subscript, scope, next)])
        : inner(term.action, scope, angle(search, term.subscript, scope, next))
    case 'primitive': {
      const [left, right] = term.arguments as [Term, Term]
      switch (term.name) {
        case '=':
        case '\\in': {
          const index = assignedBy(compiler, left, scope, target)
          if (index !== undefined) return assignment(search, index, term, scope, next)
          break
        }
        case '=>': {
          const premise = condition(compiler.compile(left, scope, context), 'the left side of =>')
          const conclusion = inner(right, scope, next)
          return () => (premise() ? conclusion() : next())
        }
        case 'UNCHANGED':
          if (target.isPrimed) return unchanged(search, left, scope, next)
          break
        case '\\cdot':
          if (target.isPrimed) return composed(search, left, right, scope, next)
          break
      }
      return guard(search, term, scope, next)
    }
    case 'reference':
      return referenced(search, term, scope, next)
    case 'application':
      return appliedFunction(search, term, scope, next) ?? guard(search, term, scope, next)
    default:
      return guard(search, term, scope, next)
  }
}

/** A condition: continues if it is true. */
function guard({ compiler, context }: Search, term: Term, scope: Scope, next: Continuation): Continuation {
  const { run } = compiler.compile(term, scope, context)
  if (compiler.observer !== undefined) {
    const observed = compiler.observer.condition(compiler, term, scope, context, next)
    return () => {
      const value = run()
      if (value === true) return observed.next()
      if (value !== false) throw notBoolean('a conjunct of an action', value)
      observed.refused()
      return false
    }
  }
  return () => {
    const value = run()
    if (value === true) return next()
    if (value === false) return false
    throw notBoolean('a conjunct of an action', value)
  }
}

/** A loop that reports to the observer if the set is empty. */
function observedLoop(bound: Bound, body: Continuation, observed: ObservedCondition): Continuation {
  let isEmpty = true
  const loop = bound.loop(() => {
    isEmpty = false
    return body()
  })
  return () => {
    // Recursion may re-enter this loop from the body.
    const outer = isEmpty
    isEmpty = true
    const stopped = loop()
    if (isEmpty) observed.refused()
    isEmpty = outer
    return stopped
  }
}

export function branches(runs: readonly Continuation[]): Continuation {
  const [first, second] = runs
  if (runs.length === 1) return first!
  if (runs.length === 2) return () => first!() || second!()
  return () => {
    for (let at = 0; at < runs.length; at++) if (runs[at]!()) return true
    return false
  }
}

/**
 * As in TLC, once all variables are assigned, the remaining conjuncts are only tested: a
 * disjunction that is true twice does not produce the same state twice.
 */
function unlessAssigned(
  { compiler, context, target: { state } }: Search,
  term: Term,
  scope: Scope,
  run: Continuation,
  next: Continuation,
): Continuation {
  // An observer needs the parts.
  if (!mayBranch(term) || compiler.observer !== undefined) return run
  const holds = condition(compiler.compile(term, scope, context), 'a conjunct of an action')
  return () => (isAssigned(state) ? holds() && next() : run())
}

/** Whether an action may call its continuation more than once. */
function mayBranch(term: Term): boolean {
  switch (term.kind) {
    case 'or':
    case 'quantifier':
    case 'action':
      return true
    case 'and':
      return term.items.some((item) => mayBranch(item))
    case 'label':
    case 'let':
      return mayBranch(term.body)
    case 'if':
      return mayBranch(term.then) || mayBranch(term.else)
    case 'case':
      return term.arms.some(({ body }) => mayBranch(body)) || (term.other !== undefined && mayBranch(term.other))
    case 'primitive':
      return term.name === '=>' && mayBranch(term.arguments[1]!)
    case 'application':
      return mayBeAction(term)
    case 'reference':
      return term.symbol.kind === 'definition' || term.symbol.kind === 'bound'
    default:
      return false
  }
}

function referenced(search: Search, term: Reference, scope: Scope, next: Continuation): Continuation {
  const { compiler } = search
  const resolved = resolve(compiler, term, scope)
  if (resolved.kind === 'binding') {
    const { binding } = resolved
    if (binding.kind === 'closed') return compiler.action(binding.term, binding.scope, search, next)
    if (binding.kind === 'closed operator') {
      const { parameters, body } = binding.argument
      return entered(search, term, parameters, body, binding.scope, scope, next)
    }
    return guard(search, term, scope, next)
  }
  const { definition, scope: place } = resolved
  const isConstant = definition.level === 'constant' && definition.parameters.length === 0 && !definition.isNested
  if (isConstant || !isPlainDefinition(definition)) {
    return definition.isRecursive && !isConstant
      ? recursiveAction(search, resolved, term, scope, next)
      : guard(search, term, scope, next)
  }
  return entered(search, term, definition.parameters, definition.body, place, scope, next)
}

function entered(
  search: Search,
  term: Reference,
  parameters: readonly BoundSymbol[],
  body: Term,
  place: Scope,
  scope: Scope,
  next: Continuation,
): Continuation {
  const { compiler } = search
  const expansion = expand(parameters, place, term.arguments, scope)
  const leave = compiler.entering(term.symbol)
  const run = compiler.action(body, expansion.scope, search, next)
  leave()
  const cells = expansion.closed.flatMap((closed) => closed.cells)
  return compiler.framedAction(clearing(cells, run), term.symbol.name, term.at, parameters, expansion.scope)
}
