/** ENABLED: searches for a successor. */
import type { Term } from '../semantics/term.ts'
import type { Code } from './code.ts'
import type { Compiler } from './compiler.ts'
import { actionContext, type Context } from './context.ts'
import { stateOfItsOwn } from './inner-variables.ts'
import type { Scope } from './scope.ts'

export function enabled(compiler: Compiler, term: Term, scope: Scope, context: Context): Code {
  const { state: primed, scope: inner } = stateOfItsOwn(compiler, scope)
  const within = actionContext(context.state, context.reads, primed)
  const search = { compiler, context: within, target: { state: primed, isPrimed: true } }
  const run = compiler.unobserved(() => compiler.action(term, inner, search, () => true))
  // Reads the same as the action as an expression, except for the successor.
  const facts = compiler.compile(term, inner, within)
  return {
    ...facts,
    reads: context.reads,
    known: undefined,
    raw: undefined,
    isSimple: false,
    run: () => {
      primed.fill(undefined)
      return run()
    },
  }
}
