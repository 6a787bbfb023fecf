/**
 * Definitions, of modules and of LETs: operators, functions, RECURSIVE declarations, named
 * instances. A name comes into scope after its definition; before, only if it is declared
 * RECURSIVE.
 */

import { plural } from '#shared/text'
import { place, TlaError } from '../error/error.ts'
import type {
  Expression,
  FunctionSyntax,
  Identifier,
  LetDefinition,
  OperatorSyntax,
  RecursiveSyntax,
} from '../syntax/ast.ts'
import { bind, bindParameters, bound } from './binders.ts'
import { type Context, LEVEL_UNKNOWN, resolve } from './context.ts'
import { defineInstance } from './instance.ts'
import { within } from './label.ts'
import { Scope } from './scope.ts'
import type { BoundSymbol, DefinitionSymbol, Term } from './term.ts'

/** While a definition has no body yet. */
const NO_BODY = undefined as unknown as Term

type Unfinished = { -readonly [Key in keyof DefinitionSymbol]: DefinitionSymbol[Key] }

/** Resolves the definitions of a LET; returns its operators. */
export function defineInLet(context: Context, definitions: readonly LetDefinition[], scope: Scope): DefinitionSymbol[] {
  const defined: DefinitionSymbol[] = []
  for (const definition of definitions) {
    switch (definition.kind) {
      case 'operator':
        defined.push(defineOperator(context, definition, scope, true))
        break
      case 'function':
        defined.push(defineFunction(context, definition, scope, true))
        break
      case 'recursive':
        declareRecursive(context, definition, scope, true)
        break
      case 'module definition':
        defineInstance(context, definition, scope)
        break
    }
  }
  mustBeDefined(scope)
  return defined
}

export function defineOperator(
  context: Context,
  { name, parameters: declared, body, local }: OperatorSyntax,
  scope: Scope,
  isNested: boolean,
): DefinitionSymbol {
  const inner = new Scope(scope)
  const parameters = bindParameters(declared, inner)
  for (const { name: parameter } of declared) {
    if (parameter.name !== name.name) continue
    throw new TlaError(
      'semantics',
      `the parameter \`${name.name}\` has the name of its operator: choose another name`,
      parameter.at,
    )
  }
  const symbol = begin(context, name, parameters, scope, isNested)
  context.origins.bodies.set(symbol, body)
  symbol.body = within(context, symbol, inner, () => resolve(context, body, inner))
  if (!symbol.isRecursive) scope.bind(name.name, name.at, symbol, local)
  else if (local) scope.names.set(name.name, { ...scope.names.get(name.name)!, isLocal: true })
  return symbol
}

export function defineFunction(
  context: Context,
  { name, bounds, body, local, at }: FunctionSyntax,
  scope: Scope,
  isNested: boolean,
): DefinitionSymbol {
  const symbol = begin(context, name, [], scope, isNested)
  // Its parts are those of `[x \in S |-> e]`.
  const whole: Expression = { kind: 'function', bounds, body, at }
  context.origins.bodies.set(symbol, whole)
  const binds = bounds.reduce((sum, bound) => sum + (bound.isTuple ? 1 : bound.names.length), 0)
  context.origins.functions.set(symbol, binds)
  symbol.body = within(context, symbol, scope, () => {
    const [binders, inner] = bind(context, bounds, scope)
    if (symbol.isRecursive)
      return { kind: 'function', binders, body: resolve(context, body, inner), at, level: LEVEL_UNKNOWN }
    const self = bound(name)
    const recursion = new Scope(inner)
    recursion.bind(name.name, name.at, self)
    context.selves.set(self, false)
    const resolved = resolve(context, body, recursion)
    return context.selves.get(self)
      ? { kind: 'recursive function', self, binders, body: resolved, at, level: LEVEL_UNKNOWN }
      : { kind: 'function', binders, body: resolved, at, level: LEVEL_UNKNOWN }
  })
  context.origins.terms.set(whole, symbol.body)
  if (!symbol.isRecursive) scope.bind(name.name, name.at, symbol, local)
  return symbol
}

/**
 * The symbol of a definition whose body is still to come: the declared one if it is declared
 * RECURSIVE in this scope.
 */
function begin(
  context: Context,
  name: Identifier,
  parameters: readonly BoundSymbol[],
  scope: Scope,
  isNested: boolean,
): Unfinished {
  const declared = scope.declared.get(name.name) as Unfinished | undefined
  if (declared === undefined) {
    scope.mustBeNew(name.name, name.at)
    return {
      kind: 'definition',
      name: name.name,
      module: context.module,
      parameters,
      body: NO_BODY,
      isRecursive: false,
      isNested,
      level: 'constant',
      at: name.at,
    }
  }
  scope.declared.delete(name.name)
  if (declared.parameters.length !== parameters.length) {
    throw new TlaError(
      'semantics',
      `\`${name.name}\` has ${plural(parameters.length, 'parameter')} here and ` +
        `${declared.parameters.length} where it is declared RECURSIVE (${place(declared.at)}): declare it by \`${declaration(name.name, parameters.length)}\``,
      name.at,
    )
  }
  // A parameter may be an operator although its declaration cannot say so: SANY lets it pass, but
  // for the last one.
  const last = parameters.at(-1)
  if (last !== undefined && last.arity > 0) {
    throw new TlaError(
      'semantics',
      `the last parameter of the recursive operator \`${name.name}\` cannot be an operator: put ` +
        `\`${last.name}\` before those that are values`,
      last.at,
    )
  }
  declared.parameters = parameters
  declared.at = name.at
  return declared
}

/** `RECURSIVE F(_, _)`. */
function declaration(name: string, arity: number): string {
  return `RECURSIVE ${name}${arity === 0 ? '' : `(${Array.from({ length: arity }, () => '_').join(', ')})`}`
}

export function declareRecursive(
  context: Context,
  { declared }: RecursiveSyntax,
  scope: Scope,
  isNested: boolean,
): void {
  for (const { name, arity } of declared) {
    scope.mustBeNew(name.name, name.at)
    const symbol: DefinitionSymbol = {
      kind: 'definition',
      name: name.name,
      module: context.module,
      // Their number is all that is known before the definition.
      parameters: Array.from({ length: arity }, (_, at) => bound({ name: `_${at + 1}`, at: name.at })),
      body: NO_BODY,
      isRecursive: true,
      isNested,
      level: 'constant',
      at: name.at,
    }
    scope.bind(name.name, name.at, symbol)
    scope.declared.set(name.name, symbol)
  }
}

/** @throws TlaError if something that is declared RECURSIVE in a scope is not defined there */
export function mustBeDefined(scope: Scope): void {
  for (const { name, at } of scope.declared.values()) {
    throw new TlaError('semantics', `\`${name}\` is declared RECURSIVE but never defined`, at)
  }
}
