/** UNCHANGED, the subscripts of `[A]_e` and `<<A>>_e`, and the composition of actions. */
import type { Term } from '../semantics/term.ts'
import { equal } from '../values/equality.ts'
import { follow, variableOf } from './assignment.ts'
import { type Code, codeOf, STEADY, UNSETTLED } from './code.ts'
import type { Compiler, Continuation, Target } from './compiler.ts'
import type { Context, PartialState } from './context.ts'
import { failure } from './failures.ts'
import type { Scope } from './scope.ts'

/** `e' = e`, where each variable of a tuple, or of a name for one, is assigned what it was. */
export function unchanged(
  compiler: Compiler,
  term: Term,
  scope: Scope,
  context: Context,
  target: Target,
  next: Continuation,
): Continuation {
  const index = variableOf(compiler, term, scope)
  if (index !== undefined) return keeping(compiler, index, term, scope, context, target, next)
  if (term.kind === 'tuple') {
    return term.items.reduceRight((then, item) => unchanged(compiler, item, scope, context, target, then), next)
  }
  if (term.kind === 'label') return unchanged(compiler, term.body, scope, context, target, next)
  if (term.kind === 'reference') {
    const followed = follow(compiler, term, scope)
    if (followed !== undefined) return unchanged(compiler, followed.term, followed.scope, context, target, next)
  }
  const { run } = isSame(compiler, term, scope, context)
  const observed = compiler.observer?.condition(compiler, term, scope, context, next)
  const then = observed?.next ?? next
  return () => {
    if (run() === true) return then()
    observed?.refused()
    return false
  }
}

function keeping(
  compiler: Compiler,
  index: number,
  term: Term,
  scope: Scope,
  context: Context,
  { state }: Target,
  next: Continuation,
): Continuation {
  const before = context.state
  const { observer } = compiler
  const observed = observer?.condition(compiler, keepingTerm(term), scope, context, next)
  const then = observed?.next ?? next
  return () => {
    const value = state[index]
    if (value === undefined) {
      state[index] = before[index]
      if (observer !== undefined && !observer.accepts(index, state[index]!)) {
        observed!.refused()
        state[index] = undefined
        return false
      }
      const stopped = then()
      state[index] = undefined
      return stopped
    }
    const old = before[index]!
    if (value === old || equal(value, old)) return then()
    observed?.refused()
    return false
  }
}

/** `x' = x` at the place where UNCHANGED names the variable, for explanations. */
function keepingTerm(variable: Term): Term {
  const { at } = variable
  return { kind: 'primitive', name: 'UNCHANGED', arguments: [variable], at, level: 'action' }
}

/** `e' = e` as a value. */
export function isSame(compiler: Compiler, term: Term, scope: Scope, context: Context): Code {
  if (context.successor === undefined) throw failure('UNCHANGED is used where nothing may be primed')
  const before = compiler.compile(term, scope, context)
  const after = compiler.compile(term, scope, context.successor)
  const [first, second] = [before.run, after.run]
  return codeOf(() => {
    const value = second()
    const old = first()
    return value === old || equal(value, old)
  }, [before, after])
}

/** After the action of `<<A>>_e`: goes on if `e` has changed. */
export function angle(
  compiler: Compiler,
  subscript: Term,
  scope: Scope,
  context: Context,
  next: Continuation,
): Continuation {
  const { run } = isSame(compiler, subscript, scope, context)
  return () => run() === false && next()
}

/** `A \cdot B`: a step of A to some state, and from there one of B. */
export function composed(
  compiler: Compiler,
  first: Term,
  second: Term,
  scope: Scope,
  context: Context,
  target: Target,
  next: Continuation,
): Continuation {
  const middle: PartialState = compiler.variables.map(() => undefined)
  const before: Context = {
    ...context,
    successor: { state: middle, reads: UNSETTLED, isPrimed: true, successor: undefined },
  }
  const after: Context = { state: middle, reads: STEADY, isPrimed: false, successor: context.successor }
  const follows = compiler.action(second, scope, after, target, next)
  return compiler.action(first, scope, before, { state: middle, isPrimed: true }, follows)
}
