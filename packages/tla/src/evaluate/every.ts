/** `\A x \in S : A` where `A` may be an action: a conjunction over the elements. */
import { bind } from './binders.ts'
import type { Continuation, Search } from './compiler.ts'
import { restore, save } from './kept.ts'
import { condition } from './logic.ts'
import type { Scope } from './scope.ts'
import type { TermOf } from './terms.ts'

/** The progress of a conjunction over the elements of a set. */
interface Round {
  /** For each element, a function that binds it. */
  readonly left: readonly (() => void)[]
  at: number
  /** The enclosing round, if recursion re-entered the quantifier. */
  readonly outer: Round | undefined
}

export function every(search: Search, term: TermOf<'quantifier'>, scope: Scope, next: Continuation): Continuation {
  const { compiler, context, target } = search
  const bound = bind(compiler, term.binders, scope, context)
  const mark = compiler.cells.length
  let round: Round | undefined
  const step = (): boolean => {
    const own = round!
    const { left, at } = own
    if (at === left.length) {
      round = own.outer
      const stopped = next()
      round = own
      return stopped
    }
    if (at > 0 && isAssigned(target.state)) return rest(own)
    left[at]!()
    return body()
  }
  // Once all variables are assigned, a loop replaces the recursion over elements.
  const rest = (own: Round): boolean => {
    const saved = save(within)
    const { left, at } = own
    let isTrue = true
    while (isTrue && own.at < left.length) {
      left[own.at++]!()
      isTrue = holds()
    }
    const stopped = isTrue && step()
    own.at = at
    restore(within, saved)
    return stopped
  }
  const inner = (): Continuation => compiler.action(term.body, bound.scope, search, following)
  // The cells bound for one element are bound again for the next, and restored afterwards.
  const following = (): boolean => {
    const saved = save(within)
    const own = round!
    own.at++
    const stopped = step()
    own.at--
    restore(within, saved)
    return stopped
  }
  const body = inner()
  const holds = condition(compiler.compile(term.body, bound.scope, context), 'the body of \\A')
  const within = [...bound.cells, ...compiler.cells.slice(mark)]
  const collected: (() => void)[] = []
  const collect = bound.loop(() => {
    const values = save(bound.cells)
    collected.push(() => restore(bound.cells, values))
    return false
  })
  return () => {
    collected.length = 0
    collect()
    const own: Round = { left: [...collected], at: 0, outer: round }
    round = own
    const stopped = step()
    round = own.outer
    return stopped
  }
}

/** Whether all variables are assigned. */
export function isAssigned(state: readonly unknown[]): boolean {
  for (let at = 0; at < state.length; at++) if (state[at] === undefined) return false
  return true
}
