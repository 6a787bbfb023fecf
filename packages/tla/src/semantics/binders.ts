/**
 * Bound names. The sets of a binder list are outside of its names' scope, and all names of one list
 * enter the scope at once ("Specifying Systems" 17.3).
 */
import type { Bound, DeclaredOperator, Identifier } from '../syntax/ast.ts'
import { type Context, resolve } from './context.ts'
import { Scope } from './scope.ts'
import type { Binder, BoundSymbol } from './term.ts'

export function bound(name: Identifier, arity = 0): BoundSymbol {
  return { kind: 'bound', name: name.name, arity, at: name.at }
}

/** The binders, and the scope within. */
export function bind(context: Context, bounds: readonly Bound[], scope: Scope): [readonly Binder[], Scope] {
  const sets = bounds.map(({ set }) => resolve(context, set, scope))
  const inner = new Scope(scope)
  const binders = bounds.map(({ names, isTuple }, at) => ({
    symbols: bindNames(names, inner),
    isTuple,
    set: sets[at]!,
  }))
  return [binders, inner]
}

export function bindNames(names: readonly Identifier[], scope: Scope): BoundSymbol[] {
  return names.map((name) => {
    const symbol = bound(name)
    scope.bind(name.name, name.at, symbol)
    return symbol
  })
}

/** The parameters of an operator or an instance, bound in its scope. */
export function bindParameters(declared: readonly DeclaredOperator[], scope: Scope): BoundSymbol[] {
  return declared.map(({ name, arity }) => {
    const symbol = bound(name, arity)
    scope.bind(name.name, name.at, symbol)
    return symbol
  })
}
