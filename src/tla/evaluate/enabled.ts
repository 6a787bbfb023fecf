/** ENABLED: whether there is a successor, found by looking for one. */
import type { Term } from '../semantics/term.ts'
import type { Code } from './code.ts'
import type { Compiler } from './compiler.ts'
import { actionContext, type Context, type PartialState } from './context.ts'
import type { Scope } from './scope.ts'

export function enabled(compiler: Compiler, term: Term, scope: Scope, context: Context): Code {
  const primed: PartialState = compiler.variables.map(() => undefined)
  const within = actionContext(context.state, context.reads, primed)
  const target = { state: primed, isPrimed: true }
  const search = compiler.unobserved(() => compiler.action(term, scope, within, target, () => true))
  // As an expression it reads the same, but for the successor, which is found here.
  const facts = compiler.compile(term, scope, within)
  return {
    ...facts,
    reads: context.reads,
    known: undefined,
    raw: undefined,
    isSimple: false,
    run: () => {
      primed.fill(undefined)
      return search()
    },
  }
}
