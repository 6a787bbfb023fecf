/**
 * Resolves theorems, so that mistakes in their statements are reported, as in SANY. Statements are
 * evaluated only if a definition refers to a theorem by its name; proofs are skipped.
 */
import { place, TlaError } from '../error/error.ts'
import type { Identifier, NewSymbolSyntax, SequentSyntax, TheoremSyntax } from '../syntax/ast.ts'
import { bound } from './binders.ts'
import type { Statement } from './check-levels.ts'
import { type Context, resolve } from './context.ts'
import { selves } from './known-levels.ts'
import { within } from './label.ts'
import { PLAIN, type Rank } from './level.ts'
import { describeSymbol, Scope } from './scope.ts'
import type { Symbol as AnySymbol, DefinitionSymbol, Term } from './term.ts'

/** While a statement has no body yet. */
export const NO_BODY = undefined as unknown as Term

/** Resolves the statement of a theorem, and binds its name. */
export function resolveTheorem(context: Context, { name, body }: TheoremSyntax, scope: Scope): Statement {
  const symbol = name === undefined ? undefined : statement(context, name, NO_BODY)
  const isSequent = body.kind === 'sequent'
  let stated: Statement
  if (isSequent) stated = resolveSequent(context, body, symbol, scope)
  else {
    const run = () => resolve(context, body, scope)
    const term = symbol === undefined ? run() : within(context, symbol, scope, run)
    stated = { kind: 'statement', sets: [], terms: [term] }
    if (symbol !== undefined) {
      symbol.body = term
      context.origins.bodies.set(symbol, body)
    }
  }
  if (symbol !== undefined) nameStatement(context, scope, symbol, isSequent)
  return stated
}

/**
 * The name of an assumption or a theorem, which can be referred to as an operator without
 * parameters.
 */
export function statement(context: Context, { name, at }: Identifier, body: Term): DefinitionSymbol {
  return {
    kind: 'definition',
    name,
    module: context.module,
    parameters: [],
    body,
    isRecursive: false,
    isNested: false,
    level: 'constant',
    at,
  }
}

export function nameStatement(context: Context, scope: Scope, symbol: DefinitionSymbol, isSequent = false): void {
  const known = scope.find(symbol.name)
  if (known?.isStatement) {
    context.warn(
      `a statement named \`${symbol.name}\` was declared before (${place(known.symbol.at)}), and keeps the name`,
      symbol.at,
    )
    return
  }
  if (known?.symbol.kind === 'constant' || known?.symbol.kind === 'variable') {
    throw new TlaError(
      'semantics',
      `\`${symbol.name}\` is already ${describeSymbol(known.symbol)} (${place(known.symbol.at)}), ` +
        'and `==` here names the statement: compare with `=`',
      symbol.at,
    )
  }
  scope.mustBeNew(symbol.name, symbol.at)
  scope.names.set(symbol.name, { symbol, through: [], isLocal: false, isStatement: true, isSequent })
}

// Sequents

/** @param symbol of the theorem; without a name it has no labels */
function resolveSequent(
  context: Context,
  sequent: SequentSyntax,
  symbol: DefinitionSymbol | undefined,
  scope: Scope,
): Statement {
  const sets: Term[] = []
  const terms: Term[] = []
  const inner = new Scope(scope)
  const run = () => resolveParts(sequent, inner)
  // What it declares is no parameter of the labels in it.
  if (symbol === undefined) run()
  else within(context, symbol, inner, run)
  return { kind: 'statement', sets, terms }

  function resolveParts({ assumed, proved }: SequentSyntax, own: Scope): void {
    const { labels } = context
    for (const each of assumed) {
      if (each.kind === 'new') {
        declare(each, own)
        // As in SANY, declarations of a nested sequent have no labels.
        if (own !== inner) context.labels = undefined
      } else if (each.kind === 'sequent') resolveParts(each, new Scope(own))
      else terms.push(resolve(context, each, own))
    }
    terms.push(resolve(context, proved, own))
    context.labels = labels
  }

  function declare({ sort, declared: { name, arity }, set }: NewSymbolSyntax, own: Scope): void {
    if (set !== undefined) sets.push(resolve(context, set, own))
    own.mustBeNew(name.name, name.at)
    const rank = RANKS[sort]
    let declared: AnySymbol
    if (sort === 'variable') declared = { kind: 'variable', name: name.name, module: context.module, at: name.at }
    else {
      declared = bound(name, arity)
      if (rank > 0) selves.set(declared, PLAIN[rank]!)
    }
    own.bind(name.name, name.at, declared)
  }
}

const RANKS: Readonly<Record<NewSymbolSyntax['sort'], Rank>> = {
  constant: 0,
  variable: 1,
  state: 1,
  action: 2,
  temporal: 3,
}
