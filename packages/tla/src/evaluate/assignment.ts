/**
 * Assignments: `x' = e` and `x' \in S` in an action, `x = e` and `x \in S` in an initial predicate.
 *
 * The left side may be an alias of a variable: a parameter, a definition, a substitution of an
 * instance. If the variable has a value already, both forms are conditions.
 */
import type { Term } from '../semantics/term.ts'
import { canonical } from '../values/canonical.ts'
import { Union } from '../values/combined-sets.ts'
import { equal } from '../values/equality.ts'
import { member } from '../values/member.ts'
import { elementsIn } from './binders.ts'
import type { Compiler, Continuation, ObservedCondition, Search, Target } from './compiler.ts'
import type { PartialState } from './context.ts'
import { unassigned } from './failures.ts'
import { isPlainDefinition, resolve } from './references.ts'
import type { Binding, Scope } from './scope.ts'
import type { Reference, TermOf } from './terms.ts'

/** The variable on the left of an assignment: `x'` in an action, `x` in an initial predicate. */
export function assignedBy(compiler: Compiler, term: Term, scope: Scope, target: Target): number | undefined {
  const binding = target.isPrimed ? primedVariable(compiler, term, scope) : namedVariable(compiler, term, scope)
  return binding && indexIn(compiler, binding, target.state)
}

/** The variable of a state that a term is an alias of. */
export function variableOf(compiler: Compiler, term: Term, scope: Scope, state: PartialState): number | undefined {
  const binding = namedVariable(compiler, term, scope)
  return binding && indexIn(compiler, binding, state)
}

export type VariableBinding = Extract<Binding, { readonly kind: 'variable' | 'inner variable' }>

/** The binding of the variable that a term is an alias of. */
export function namedVariable(compiler: Compiler, term: Term, scope: Scope): VariableBinding | undefined {
  if (term.kind === 'label') return namedVariable(compiler, term.body, scope)
  if (term.kind !== 'reference') return undefined
  const resolved = resolve(compiler, term, scope)
  if (resolved.kind === 'binding') {
    const { binding } = resolved
    if (binding.kind === 'variable' || binding.kind === 'inner variable') return binding
  }
  const followed = follow(compiler, term, scope)
  return followed && namedVariable(compiler, followed.term, followed.scope)
}

/** As `namedVariable`, for an alias of `x'`. */
export function primedVariable(compiler: Compiler, term: Term, scope: Scope): VariableBinding | undefined {
  if (term.kind === 'label') return primedVariable(compiler, term.body, scope)
  if (term.kind === 'primitive' && term.name === "'") return namedVariable(compiler, term.arguments[0]!, scope)
  if (term.kind !== 'reference') return undefined
  const followed = follow(compiler, term, scope)
  return followed && primedVariable(compiler, followed.term, followed.scope)
}

function indexIn(compiler: Compiler, binding: Binding, state: PartialState): number | undefined {
  switch (binding.kind) {
    case 'variable':
      return binding.index
    case 'inner variable':
      return binding.state === state ? binding.index : indexIn(compiler, binding.substituted, state)
    case 'closed':
      return variableOf(compiler, binding.term, binding.scope, state)
    default:
      return undefined
  }
}

/** The term that a name without parameters stands for. */
export function follow(
  compiler: Compiler,
  term: Reference,
  scope: Scope,
): { readonly term: Term; readonly scope: Scope } | undefined {
  const resolved = resolve(compiler, term, scope)
  if (resolved.kind === 'definition') {
    const { definition } = resolved
    if (definition.parameters.length > 0 || !isPlainDefinition(definition)) return undefined
    return { term: definition.body, scope: resolved.scope }
  }
  const { binding } = resolved
  return binding.kind === 'closed' ? { term: binding.term, scope: binding.scope } : undefined
}

/**
 * Assigns the variable at `index` the right side of an equation, or each element of the right side
 * of a membership. Undoes the assignment after the continuation.
 */
export function assignment(
  search: Search,
  index: number,
  term: TermOf<'primitive'>,
  scope: Scope,
  next: Continuation,
): Continuation {
  const { compiler, context } = search
  const { state } = search.target
  compiler.mention(index)
  const { run } = compiler.compile(term.arguments[1]!, scope, context)
  const observed = compiler.observer?.condition(compiler, term, scope, context, next)
  const accepted = acceptance(search, index)
  const then = observed?.next ?? next
  if (term.name === '=') {
    return () => {
      const value = run()
      const before = state[index]
      if (before === undefined) {
        state[index] = canonical(value)
        const stopped = accepted === undefined || accepted() ? then() : refuse(observed)
        state[index] = undefined
        return stopped
      }
      return before === value || equal(before, value) ? then() : refuse(observed)
    }
  }
  return () => {
    const set = run()
    const before = state[index]
    if (before !== undefined) return member(before, set) ? then() : refuse(observed)
    let isEmpty = true
    for (const element of set instanceof Union ? set.inTurn() : elementsIn(set)) {
      isEmpty = false
      state[index] = canonical(element)
      const stopped = accepted === undefined || accepted() ? then() : refuse(observed)
      state[index] = undefined
      if (stopped) return true
    }
    return isEmpty ? refuse(observed) : false
  }
}

/** Tests a value that was just assigned. Undefined if any value is accepted. */
export function acceptance({ compiler, target }: Search, index: number): (() => boolean) | undefined {
  const { observer, variables } = compiler
  const { state, role } = target
  if (role === 'known') {
    return () => {
      state[index] = undefined
      throw unassigned(variables[index] ?? 'a variable', true)
    }
  }
  return observer === undefined || role === 'between' ? undefined : () => observer.accepts(index, state[index]!)
}

function refuse(observed: ObservedCondition | undefined): false {
  observed?.refused()
  return false
}
