/** UNCHANGED, and the subscripts of `[A]_e` and `<<A>>_e`. */
import type { Term } from '../semantics/term.ts'
import { canonical } from '../values/canonical.ts'
import { equal } from '../values/equality.ts'
import type { Canonical } from '../values/value.ts'
import { acceptance, follow, variableOf } from './assignment.ts'
import { type Code, codeOf } from './code.ts'
import type { Compiler, Continuation, Search } from './compiler.ts'
import type { Context } from './context.ts'
import { failure, unassigned } from './failures.ts'
import type { Scope } from './scope.ts'
import { textOf } from './text.ts'

/** `e' = e`; each variable in a tuple, or in a definition of one, is assigned its old value. */
export function unchanged(search: Search, term: Term, scope: Scope, next: Continuation): Continuation {
  const { compiler, context } = search
  const index = variableOf(compiler, term, scope, search.target.state)
  if (index !== undefined) return keeping(search, index, term, scope, next)
  if (term.kind === 'tuple') {
    return term.items.reduceRight((then, item) => unchanged(search, item, scope, then), next)
  }
  if (term.kind === 'label') return unchanged(search, term.body, scope, next)
  if (term.kind === 'reference') {
    const followed = follow(compiler, term, scope)
    if (followed !== undefined) return unchanged(search, followed.term, followed.scope, next)
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

function keeping(search: Search, index: number, term: Term, scope: Scope, next: Continuation): Continuation {
  const { compiler, context } = search
  const { state } = search.target
  const read = valueBefore(compiler, term, scope, context)
  compiler.mention(index)
  const observed = compiler.observer?.condition(compiler, keepingTerm(term), scope, context, next)
  const accepted = acceptance(search, index)
  const then = observed?.next ?? next
  return () => {
    const value = state[index]
    const old = read()
    if (value === undefined) {
      if (old === undefined) throw unassigned(textOf(term.at), true)
      state[index] = old
      if (accepted !== undefined && !accepted()) {
        observed!.refused()
        state[index] = undefined
        return false
      }
      const stopped = then()
      state[index] = undefined
      return stopped
    }
    // A variable that A leaves open in the intermediate state may have any value.
    if (old === undefined || value === old || equal(value, old)) return then()
    observed?.refused()
    return false
  }
}

/** Reads a variable in the state of a context; the result is undefined if it is unassigned. */
function valueBefore(compiler: Compiler, term: Term, scope: Scope, context: Context): () => Canonical | undefined {
  const { state } = context
  const index = variableOf(compiler, term, scope, state)
  if (index !== undefined) return () => state[index]
  const { run } = compiler.compile(term, scope, context)
  return () => canonical(run())
}

/** `UNCHANGED x`, located at the variable, for explanations. */
function keepingTerm(variable: Term): Term {
  const { at } = variable
  return { kind: 'primitive', name: 'UNCHANGED', arguments: [variable], at, level: 'action' }
}

/** `e' = e` as a value. */
export function isSame(compiler: Compiler, term: Term, scope: Scope, context: Context): Code {
  if (context.successor === undefined) throw failure('UNCHANGED is used where primes are not allowed')
  const before = compiler.compile(term, scope, context)
  const after = compiler.compile(term, scope, context.successor)
  const [first, second] = [before.run, after.run]
  return codeOf(() => {
    const value = second()
    const old = first()
    return value === old || equal(value, old)
  }, [before, after])
}

/** After the action of `<<A>>_e`: continues if `e` has changed. */
export function angle({ compiler, context }: Search, subscript: Term, scope: Scope, next: Continuation): Continuation {
  const { run } = isSame(compiler, subscript, scope, context)
  return () => run() === false && next()
}
