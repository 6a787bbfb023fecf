/**
 * `A \cdot B`: a step of A to some state between, and from there one of B.
 *
 * A is searched from the current state, B from each state between, over the same successor as
 * everything else; what A leaves open has no value there, and may be anything as long as B does not
 * ask for it. As an expression, of a successor that is known, it is the same search with nothing
 * left to assign.
 *
 * Departure, as TLC's tests have it: a variable that has its next value before the composition is
 * come to, and of which B says nothing at all, has that value in the state between as well.
 * Otherwise A would say of it what nobody sees.
 *
 * Where such a variable is asked for in the state between, and A leaves it open, it is as it was
 * before: any value would do, and this is TLC's. So in a trace specification, which counts its
 * lines before it takes a composed step, both parts read one line.
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
  const carried: PartialState | undefined = inner === scope ? between.slice() : undefined
  // Contexts of their own, so that nothing of the second is compiled already and all that it
  // mentions is heard of.
  const { before, after } = contextsOf(context, between, carried)
  const { result: follows, mentioned } = compiler.mentioning(() => compiler.action(second, inner, after, target, next))
  const run = compiler.action(
    first,
    inner,
    before,
    { state: between, isPrimed: true, role: 'between', carried },
    follows,
  )
  const silent = compiler.variables.flatMap((_, index) => (mentioned.has(index) ? [] : [index]))
  const begin = () => {
    if (carried === undefined) return
    for (const at of silent) between[at] = target.state[at]
    for (let at = 0; at < carried.length; at++) {
      const isKnown = target.state[at] !== undefined || target.carried?.[at] !== undefined
      carried[at] = isKnown ? (context.state[at] ?? context.carried?.[at]) : undefined
    }
  }
  return entering(carried === undefined ? [between] : [between, carried], begin, run)
}

/** Begins with empty states, also where what comes after the composition comes back to it. */
function entering(states: readonly PartialState[], begin: () => void, run: Continuation): Continuation {
  let active = 0
  return () => {
    const outer = active > 0 ? states.map((state) => state.slice()) : undefined
    for (const state of states) state.fill(undefined)
    begin()
    active++
    const stopped = run()
    active--
    if (outer !== undefined) for (const [which, state] of states.entries()) restore(state, outer[which]!)
    return stopped
  }
}

function restore(state: PartialState, values: PartialState): void {
  for (let at = 0; at < values.length; at++) state[at] = values[at]
}

/** Whether a step is one of the first and then one of the second. */
export function composition(compiler: Compiler, first: Term, second: Term, scope: Scope, context: Context): Code {
  const { successor } = context
  if (successor === undefined) {
    return codeOf(() => {
      throw failure('\\cdot composes steps, but this is evaluated in a single state')
    }, [])
  }
  const target: Target = { state: successor.state, isPrimed: true, role: 'known' }
  const run = compiler.unobserved(() => composed(compiler, first, second, scope, context, target, () => true))
  const { before, after } = contextsOf(context, [], undefined)
  // What is read and bound is the same as if the operands were evaluated, but for the state
  // between.
  const facts = gather([compiler.compile(first, scope, before), compiler.compile(second, scope, after)])
  return { ...facts, reads: UNSETTLED, run, known: undefined, isSimple: false, raw: undefined }
}

function contextsOf(
  context: Context,
  between: PartialState,
  carried: PartialState | undefined,
): { readonly before: Context; readonly after: Context } {
  const { successor } = context
  return {
    before: {
      ...context,
      successor: { state: between, reads: UNSETTLED, isPrimed: true, successor: undefined, carried },
    },
    after: { state: between, reads: STEADY, isPrimed: true, successor: successor && { ...successor }, carried },
  }
}
