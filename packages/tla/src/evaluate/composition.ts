/**
 * `A \cdot B`: a step of A to an intermediate state, and a step of B from there.
 *
 * A is searched from the current state, B from each intermediate state, over the common successor.
 * A variable that A leaves open has no value in the intermediate state, and may be anything as long
 * as B does not read it. As an expression, with a given successor, it is the same search with
 * nothing left to assign.
 *
 * Departure, as in TLC's tests: a variable that has its next value before the composition, and that
 * B does not mention, has that value in the intermediate state as well. Otherwise A's conditions on
 * it would have no effect.
 *
 * If such a variable is read in the intermediate state, and A leaves it open, it has its old value:
 * any value would do, and this is TLC's. So in a trace specification that counts its lines before a
 * composed step, both parts read the same line.
 */
import type { Term } from '../semantics/term.ts'
import { type Code, codeOf, gather, STEADY, UNSETTLED } from './code.ts'
import type { Compiler, Continuation, Search, Target } from './compiler.ts'
import type { Context, PartialState } from './context.ts'
import { failure } from './failures.ts'
import { stateOfItsOwn } from './inner-variables.ts'
import type { Scope } from './scope.ts'

export function composed(
  { compiler, context, target }: Search,
  first: Term,
  second: Term,
  scope: Scope,
  next: Continuation,
): Continuation {
  const { state: between, scope: inner } = stateOfItsOwn(compiler, scope, true)
  const carried: PartialState | undefined = inner === scope ? between.slice() : undefined
  // Separate contexts, so that nothing of the second is compiled already, and all of its variables
  // are recorded.
  const { before, after } = contextsOf(context, between, carried)
  const { result: follows, mentioned } = compiler.mentioning(() =>
    compiler.action(second, inner, { compiler, context: after, target }, next),
  )
  const intermediate: Target = { state: between, isPrimed: true, role: 'between', carried }
  const run = compiler.action(first, inner, { compiler, context: before, target: intermediate }, follows)
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

/** Begins with empty states, even if the continuation re-enters the composition. */
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
  const run = compiler.unobserved(() => composed({ compiler, context, target }, first, second, scope, () => true))
  const { before, after } = contextsOf(context, [], undefined)
  // Reads and binds the same as its operands as expressions, except for the intermediate state.
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
