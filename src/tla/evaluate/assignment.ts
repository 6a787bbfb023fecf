/**
 * What gives variables their values: `x' = e` and `x' \in S` in an action, `x = e` and `x \in S` in an initial predicate.
 *
 * A variable may go by another name: a parameter that it was given for, a definition, a substitution of an instance. Where it
 * has a value already, both are conditions.
 */
import type { Term } from '../semantics/term.ts'
import { equal } from '../values/equality.ts'
import { member } from '../values/sets.ts'
import { elementsIn } from './binders.ts'
import type { Compiler, Continuation, Target } from './compiler.ts'
import type { Context } from './context.ts'
import type { ObservedCondition } from './observer.ts'
import { isPlainDefinition, type Reference, resolve } from './references.ts'
import type { Scope } from './scope.ts'
import { canonical } from './sets.ts'
import type { TermOf } from './terms.ts'

/** The variable that an equation or membership assigns: `x'` in an action, `x` in an initial predicate. */
export function assignedBy(compiler: Compiler, term: Term, scope: Scope, target: Target): number | undefined {
  if (term.kind === 'label') return assignedBy(compiler, term.body, scope, target)
  if (!target.isPrimed) return variableOf(compiler, term, scope)
  if (term.kind === 'primitive' && term.name === "'") return variableOf(compiler, term.arguments[0]!, scope)
  if (term.kind === 'reference') {
    const followed = follow(compiler, term, scope)
    return followed && assignedBy(compiler, followed.term, followed.scope, target)
  }
  return undefined
}

/** The variable that a term is another name of. */
export function variableOf(compiler: Compiler, term: Term, scope: Scope): number | undefined {
  if (term.kind === 'label') return variableOf(compiler, term.body, scope)
  if (term.kind !== 'reference') return undefined
  const resolved = resolve(compiler, term, scope)
  if (resolved.kind === 'binding' && resolved.binding.kind === 'variable') return resolved.binding.index
  const followed = follow(compiler, term, scope)
  return followed && variableOf(compiler, followed.term, followed.scope)
}

/** What a name without parameters stands for. */
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
 * The variable at `index` gets its value from the right side of an equation or membership: that, or each element of it.
 *
 * Takes the value back once all that comes after has been gone through.
 */
export function assignment(
  compiler: Compiler,
  index: number,
  term: TermOf<'primitive'>,
  scope: Scope,
  context: Context,
  { state }: Target,
  next: Continuation,
): Continuation {
  const { arena, observer } = compiler
  const { run } = compiler.compile(term.arguments[1]!, scope, context)
  const observed = observer?.condition(compiler, term, scope, context, next)
  const then = observed?.next ?? next
  if (term.name === '=') {
    return () => {
      const value = run()
      const before = state[index]
      if (before === undefined) {
        state[index] = canonical(arena, value)
        const stopped = observer === undefined || observer.accepts(index, state[index]!) ? then() : refuse(observed)
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
    for (const element of elementsIn(set)) {
      isEmpty = false
      state[index] = canonical(arena, element)
      const stopped = observer === undefined || observer.accepts(index, state[index]!) ? then() : refuse(observed)
      state[index] = undefined
      if (stopped) return true
    }
    return isEmpty ? refuse(observed) : false
  }
}

function refuse(observed: ObservedCondition | undefined): false {
  observed?.refused()
  return false
}
