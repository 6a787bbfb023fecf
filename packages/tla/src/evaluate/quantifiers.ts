/** `\A`, `\E` and CHOOSE over sets. */
import type { Value } from '../values/value.ts'
import { bind, bindCell, destructure, elementsIn } from './binders.ts'
import { type Code, codeOf } from './code.ts'
import type { Compiler } from './compiler.ts'
import type { Context } from './context.ts'
import { failure, notBoolean, shown } from './failures.ts'
import type { Scope } from './scope.ts'
import type { TermOf } from './terms.ts'

export function quantifier(compiler: Compiler, term: TermOf<'quantifier'>, scope: Scope, context: Context): Code {
  const bound = bind(compiler, term.binders, scope, context)
  const body = compiler.compile(term.body, bound.scope, context)
  const { run } = body
  const role = `the body of ${term.name}`
  const decides = term.name === '\\E'
  const search = bound.loop(() => {
    const value = run()
    if (value === decides) return true
    if (typeof value !== 'boolean') throw notBoolean(role, value)
    return false
  })
  return codeOf(decides ? search : () => !search(), [...bound.sets, body], bound.cells)
}

/** The first element, in the order of the set, for which the body holds. */
export function choose(compiler: Compiler, term: TermOf<'choose'>, scope: Scope, context: Context): Code {
  if (term.set === undefined) {
    return codeOf(() => {
      throw failure(
        'an unbounded CHOOSE cannot be evaluated: add a set, as in `CHOOSE x \\in S : …`, or make what ' +
          'it defines a model value, as `None = None` in the configuration',
      )
    }, [])
  }
  const set = compiler.compile(term.set, scope, context)
  const cells = term.symbols.map((symbol) => compiler.cell(symbol.name))
  let inner = scope
  for (const [at, symbol] of term.symbols.entries()) inner = bindCell(inner, symbol, cells[at]!)
  const body = compiler.compile(term.body, inner, context)
  const domain = set.run
  const holds = body.run
  const [cell] = cells
  const assign = term.isTuple ? destructure(cells) : (element: Value) => void (cell!.value = element)
  return codeOf(
    () => {
      const from = domain()
      for (const element of elementsIn(from)) {
        assign(element)
        const value = holds()
        if (value === true) return element
        if (value !== false) throw notBoolean('the body of CHOOSE', value)
      }
      throw failure(`no element of ${shown(from)} satisfies the body of this CHOOSE`)
    },
    [set, body],
    cells,
  )
}

export function unbounded(term: TermOf<'unbounded quantifier'>): Code {
  return codeOf(() => {
    throw term.name.length > 2
      ? failure('temporal quantifiers cannot be evaluated')
      : failure(`an unbounded ${term.name} cannot be evaluated: add a set, as in \`${term.name} x \\in S : …\``)
  }, [])
}
