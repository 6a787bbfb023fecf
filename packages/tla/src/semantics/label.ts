/**
 * Labels: `label(x, y) :: expression`. A label names a part of a definition for references by `!`;
 * its parameters are exactly the names bound between it and the definition or label around it.
 */
import { place, TlaError } from '../error/error.ts'
import type { Expression } from '../syntax/ast.ts'
import type { Context, Label, LabelSyntax } from './context.ts'
import type { Scope } from './scope.ts'
import type { BoundSymbol, DefinitionSymbol } from './term.ts'

/** Resolves something whose labels are its own. */
export function within<T>(context: Context, of: DefinitionSymbol | Expression, scope: Scope, run: () => T): T {
  const around = context.labels
  const known = new Map<string, Label>()
  context.labels = { known, scope }
  const result = run()
  context.labels = around
  if (known.size > 0) context.origins.labels.set(of, known)
  return result
}

/** @throws TlaError if the name is taken, or the parameters are not the bound symbols */
export function declareLabel(context: Context, expression: LabelSyntax, scope: Scope): void {
  const { name, parameters, at } = expression
  const { labels } = context
  if (labels === undefined || context.self !== undefined) {
    const where = labels === undefined ? 'outside of definitions' : 'in an EXCEPT'
    throw new TlaError('semantics', `a label is not allowed ${where}`, at)
  }
  const twin = labels.known.get(name.name)
  if (twin !== undefined) {
    throw new TlaError('semantics', `label \`${name.name}\` is already defined (${place(twin.at)})`, name.at)
  }
  const bound = boundBetween(context, labels.scope, scope)
  for (const parameter of parameters) {
    if (bound.has(parameter.name)) continue
    throw new TlaError(
      'semantics',
      `\`${parameter.name}\` is not bound between the label \`${name.name}\` and the definition or label ` +
        `around it, so it is not a parameter of the label`,
      parameter.at,
    )
  }
  const given = parameters.map((parameter) => parameter.name)
  for (const [order, parameter] of parameters.entries()) {
    if (given.indexOf(parameter.name) === order) continue
    throw new TlaError(
      'semantics',
      `the label \`${name.name}\` has the parameter \`${parameter.name}\` twice`,
      parameter.at,
    )
  }
  for (const each of bound.keys()) {
    if (given.includes(each)) continue
    throw new TlaError(
      'semantics',
      `the label \`${name.name}\` must have the parameter \`${each}\`, which is bound around it`,
      name.at,
    )
  }
  labels.known.set(name.name, { expression, symbols: given.map((each) => bound.get(each)!), at: name.at })
}

/** What is bound in scopes from one, which is left out, down to another within it. */
function boundBetween(context: Context, outer: Scope, inner: Scope): ReadonlyMap<string, BoundSymbol> {
  const scopes: Scope[] = []
  for (let scope: Scope | undefined = inner; scope !== undefined && scope !== outer; scope = scope.parent)
    scopes.push(scope)
  const bound = new Map<string, BoundSymbol>()
  for (const scope of scopes.reverse()) {
    for (const [name, { symbol }] of scope.names) {
      // The function that is being defined is not bound by anybody.
      if (symbol.kind === 'bound' && !context.selves.has(symbol)) bound.set(name, symbol)
    }
  }
  return bound
}
