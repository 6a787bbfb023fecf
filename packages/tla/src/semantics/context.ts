/** The state of resolving one module, and the entry that the rules of resolving recurse through. */
import { TlaError } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import type { Expression, Identifier } from '../syntax/ast.ts'
import type { Scope } from './scope.ts'
import type { BoundSymbol, DefinitionSymbol, Module, Term } from './term.ts'

/** Bound on the nesting of expressions: far above real ones, well below Node's stack. */
const MAX_DEPTH = 800

export type LabelSyntax = Extract<Expression, { kind: 'label' }>
export type Apply = Extract<Expression, { kind: 'apply' }>

export interface Label {
  readonly expression: LabelSyntax
  readonly symbols: readonly BoundSymbol[]
  readonly at: Span
}

/** The labels of the definition or label that is resolved. */
interface Labels {
  readonly known: Map<string, Label>
  /** The scope of the definition or label: symbols bound within it are parameters of its labels. */
  readonly scope: Scope
}

/** The rules by the form of an expression, above the files that recurse through `resolve`. */
interface Rules {
  apply(context: Context, expression: Apply, scope: Scope): Term
  /** All other forms. */
  form(context: Context, expression: Exclude<Expression, Apply>, scope: Scope): Term
}

export interface Context {
  readonly rules: Rules
  /** The name of the module that is resolved. */
  readonly module: string
  /** What expressions became, for those who refer to a part of a definition by `!`. */
  readonly origins: Origins
  /** The module that an INSTANCE names. @throws TlaError if there is none */
  findModule(name: Identifier, scope: Scope): Module
  /** A module that was loaded, of this name. */
  loaded(name: string): Module | undefined
  /** What can be said about a name that is not defined, as the end of a sentence. */
  explainUnknown(name: string, at: Span, scope: Scope): string
  /** Warns of legal constructs that are probably mistakes. */
  warn(message: string, at: Span): void
  /** The meaning of `@`. */
  self: { readonly symbol: BoundSymbol; isUsed: boolean } | undefined
  /** The labels of the current definition. */
  labels: Labels | undefined
  /**
   * The functions that are being defined, as they are called within themselves, and whether they
   * were.
   */
  readonly selves: Map<BoundSymbol, boolean>
  /** How deep the expression that is resolved is nested. */
  depth: number
}

/** Of whole specifications: how a definition, a LET and each of its expressions came to be. */
export interface Origins {
  readonly terms: WeakMap<Expression, Term>
  /** The expression that is the body of a definition. */
  readonly bodies: WeakMap<DefinitionSymbol, Expression>
  /** How many values a definition of the form `f[x \in S, y \in T] == e` binds. */
  readonly functions: WeakMap<DefinitionSymbol, number>
  /** What a LET defines. */
  readonly scopes: WeakMap<Expression, Scope>
  /** The labels of definitions, and of labels. */
  readonly labels: WeakMap<DefinitionSymbol | Expression, ReadonlyMap<string, Label>>
}

export function noOrigins(): Origins {
  return {
    terms: new WeakMap(),
    bodies: new WeakMap(),
    functions: new WeakMap(),
    scopes: new WeakMap(),
    labels: new WeakMap(),
  }
}

/** Where resolving is, for `withinStack`. */
let latest: Span | undefined

/** Resolves a level of nesting down. @throws TlaError if it is too deep */
function descend(context: Context, at: Span): void {
  latest = at
  if (++context.depth > MAX_DEPTH) {
    throw new TlaError(
      'semantics',
      `this is nested more than ${MAX_DEPTH} levels deep: define parts of it as operators of their own`,
      at,
    )
  }
}

/**
 * Runs something that recurses; a stack that does not suffice, because the caller used it up, is an
 * error with a place.
 */
export function withinStack<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof RangeError)
      throw new TlaError('semantics', "this is nested too deeply for Node's stack", latest)
    throw error
  }
}

/** The term of an expression. Levels are not computed yet (level.ts). @throws TlaError */
export function resolve(context: Context, expression: Expression, scope: Scope): Term {
  descend(context, expression.at)
  // Two rules: the frame of a function with many cases is large, and names with arguments nest
  // deepest.
  const { rules } = context
  const term =
    expression.kind === 'apply' ? rules.apply(context, expression, scope) : rules.form(context, expression, scope)
  context.depth--
  context.origins.terms.set(expression, term)
  return term
}

/** The terms of a level before levels are computed (level.ts). */
export const LEVEL_UNKNOWN = 'constant'
