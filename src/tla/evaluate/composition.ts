/**
 * `A \cdot B`: a step of A to some state between, and from there one of B.
 *
 * A is searched from the current state, B from each state between, over the same successor as everything else; what A leaves
 * open has no value there, and may be anything as long as B does not ask for it. As an expression, of a successor that is
 * known, it is the same search with nothing left to assign.
 *
 * Departure, as TLC's tests have it: a variable that has its next value before the composition is come to, and of which B says
 * nothing at all, has that value in the state between as well. Otherwise A would say of it what nobody sees.
 */
import type { Term } from '../semantics/term.ts'
import { type Code, codeOf, gather, STEADY, UNSETTLED } from './code.ts'
import type { Compiler, Continuation, Target } from './compiler.ts'
import type { Context, PartialState } from './context.ts'
import { failure } from './failures.ts'
import { stateOfItsOwn } from './inner-variables.ts'
import type { Scope } from './scope.ts'

export function composed(
  compiler: Compiler,
  first: Term,
  second: Term,
  scope: Scope,
  context: Context,
  target: Target,
  next: Continuation,
): Continuation {
  const { state: between, scope: inner } = stateOfItsOwn(compiler, scope, true)
  // Contexts of their own, so that nothing of the second is compiled already and all that it mentions is heard of.
  const { before, after } = contextsOf(context, between)
  const { result: follows, mentioned } = compiler.mentioning(() => compiler.action(second, inner, after, target, next))
  const run = compiler.action(first, inner, before, { state: between, isPrimed: true, role: 'between' }, follows)
  const silent = compiler.variables.flatMap((_, index) => (mentioned.has(index) ? [] : [index]))
  return entering(between, target.state, inner === scope ? silent : [], run)
}

/** Begins with an empty state between, also where what comes after the composition comes back to it. */
function entering(
  between: PartialState,
  final: PartialState,
  silent: readonly number[],
  run: Continuation,
): Continuation {
  let active = 0
  return () => {
    const outer = active > 0 ? between.slice() : undefined
    between.fill(undefined)
    for (let at = 0; at < silent.length; at++) between[silent[at]!] = final[silent[at]!]
    active++
    const stopped = run()
    active--
    if (outer !== undefined) for (let at = 0; at < outer.length; at++) between[at] = outer[at]
    return stopped
  }
}

/** Whether a step is one of the first and then one of the second. */
export function composition(compiler: Compiler, first: Term, second: Term, scope: Scope, context: Context): Code {
  const { successor } = context
  if (successor === undefined) {
    return codeOf(() => {
      throw failure('this is evaluated in one state, so there are no steps for \\cdot to put together')
    }, [])
  }
  const target: Target = { state: successor.state, isPrimed: true, role: 'known' }
  const run = compiler.unobserved(() => composed(compiler, first, second, scope, context, target, () => true))
  const { before, after } = contextsOf(context, [])
  // What is read and bound is the same as if the operands were evaluated, but for the state between.
  const facts = gather([compiler.compile(first, scope, before), compiler.compile(second, scope, after)])
  return { ...facts, reads: UNSETTLED, run, known: undefined, isSimple: false, raw: undefined }
}

function contextsOf(context: Context, between: PartialState): { readonly before: Context; readonly after: Context } {
  const { successor } = context
  return {
    before: { ...context, successor: { state: between, reads: UNSETTLED, isPrimed: true, successor: undefined } },
    after: { state: between, reads: STEADY, isPrimed: true, successor: successor && { ...successor } },
  }
}
