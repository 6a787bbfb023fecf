/**
 * Resolves expressions: from syntax tree to terms. After "Specifying Systems" 16 (meaning) and 17.3
 * (scopes): the sets of bound names are outside of the names' scope, and all names of one binder
 * list enter the scope at once.
 */

import { plural } from '#shared/text'
import { place, TlaError } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import type { Expression, Identifier, UpdateSyntax } from '../syntax/ast.ts'
import { bind, bindNames, bound } from './binders.ts'
import { type Apply, type Context, LEVEL_UNKNOWN, resolve } from './context.ts'
import { defineInLet } from './definition.ts'
import { declareLabel, within } from './label.ts'
import { Scope } from './scope.ts'
import type { Term, Update } from './term.ts'

/** The term of an expression of any form but a name with arguments. */
export function resolveForm(context: Context, expression: Exclude<Expression, Apply>, scope: Scope): Term {
  const { at } = expression
  const level = LEVEL_UNKNOWN
  switch (expression.kind) {
    case 'number':
      return { kind: 'number', value: numberOf(expression.text), at, level }
    case 'string':
      return { kind: 'string', value: expression.value, at, level }
    case 'junction':
      return {
        kind: expression.name === '/\\' ? 'and' : 'or',
        items: resolveAll(context, expression.items, scope),
        at,
        level,
      }
    case 'product':
    case 'tuple':
    case 'set':
      return { kind: expression.kind, items: resolveAll(context, expression.items, scope), at, level }
    case 'parentheses':
      return resolve(context, expression.body, scope)
    case 'filter': {
      const [binders, inner] = bind(context, [expression.bound], scope)
      return { kind: 'filter', binder: binders[0]!, body: resolve(context, expression.body, inner), at, level }
    }
    case 'map':
    case 'function': {
      const [binders, inner] = bind(context, expression.bounds, scope)
      return { kind: expression.kind, binders, body: resolve(context, expression.body, inner), at, level }
    }
    case 'function set':
      return {
        kind: 'function set',
        domain: resolve(context, expression.domain, scope),
        range: resolve(context, expression.range, scope),
        at,
        level,
      }
    case 'application': {
      const applied = resolve(context, expression.function, scope)
      mustBeAppliedTo(context, applied, expression.arguments.length, at)
      return {
        kind: 'application',
        function: applied,
        arguments: resolveAll(context, expression.arguments, scope),
        at,
        level,
      }
    }
    case 'record':
    case 'record set': {
      const seen = new Set<string>()
      for (const { name } of expression.fields) mustDiffer(seen, name)
      const fields = expression.fields.map(({ name, value }) => ({
        name: name.name,
        value: resolve(context, value, scope),
      }))
      return { kind: expression.kind, fields, at, level }
    }
    case 'field':
      return {
        kind: 'field',
        record: resolve(context, expression.record, scope),
        name: expression.field.name,
        at,
        level,
      }
    case 'except':
      return {
        kind: 'except',
        function: resolve(context, expression.function, scope),
        updates: expression.updates.map((update) => resolveUpdate(context, update, scope)),
        at,
        level,
      }
    case 'at': {
      const { self } = context
      if (self === undefined) {
        throw new TlaError(
          'semantics',
          '`@` is defined only in EXCEPT, to the right of `=`: it is the value before the update',
          at,
        )
      }
      self.isUsed = true
      return { kind: 'reference', symbol: self.symbol, through: [], arguments: [], at, level }
    }
    case 'quantifier': {
      const [binders, inner] = bind(context, expression.bounds, scope)
      return {
        kind: 'quantifier',
        name: expression.name,
        binders,
        body: resolve(context, expression.body, inner),
        at,
        level,
      }
    }
    case 'unbounded quantifier': {
      const inner = new Scope(scope)
      const symbols = bindNames(expression.names, inner)
      return {
        kind: 'unbounded quantifier',
        name: expression.name,
        symbols,
        body: resolve(context, expression.body, inner),
        at,
        level,
      }
    }
    case 'choose': {
      const set = expression.set === undefined ? undefined : resolve(context, expression.set, scope)
      const inner = new Scope(scope)
      const symbols = bindNames(expression.names, inner)
      const body = resolve(context, expression.body, inner)
      return { kind: 'choose', symbols, isTuple: expression.isTuple, set, body, at, level }
    }
    case 'if':
      return {
        kind: 'if',
        condition: resolve(context, expression.condition, scope),
        // biome-ignore lint/suspicious/noThenProperty: the field of the term, which nobody awaits
        then: resolve(context, expression.then, scope),
        else: resolve(context, expression.else, scope),
        at,
        level,
      }
    case 'case': {
      const arms = expression.arms.map(({ condition, body }) => ({
        condition: resolve(context, condition, scope),
        body: resolve(context, body, scope),
      }))
      const other = expression.other === undefined ? undefined : resolve(context, expression.other, scope)
      return { kind: 'case', arms, other, at, level }
    }
    case 'let': {
      const inner = new Scope(scope)
      context.origins.scopes.set(expression, inner)
      const definitions = defineInLet(context, expression.definitions, inner)
      return { kind: 'let', definitions, body: resolve(context, expression.body, inner), at, level }
    }
    case 'action':
      return {
        kind: 'action',
        shape: expression.shape,
        action: resolve(context, expression.action, scope),
        subscript: resolve(context, expression.subscript, scope),
        at,
        level,
      }
    case 'fairness':
      return {
        kind: 'fairness',
        name: expression.name,
        subscript: resolve(context, expression.subscript, scope),
        action: resolve(context, expression.action, scope),
        at,
        level,
      }
    case 'label': {
      declareLabel(context, expression, scope)
      const body = within(context, expression, scope, () => resolve(context, expression.body, scope))
      return { kind: 'label', name: expression.name.name, body, at, level }
    }
  }
}

/**
 * A function defined as `f[x \in S, y \in T]` is applied to two arguments, or to a tuple of two. As
 * in SANY, this is checked for functions applied by name; others are checked during evaluation.
 *
 * @throws TlaError
 */
function mustBeAppliedTo(context: Context, applied: Term, given: number, at: Span): void {
  if (given === 1 || applied.kind !== 'reference' || applied.symbol.kind !== 'definition') return
  const { symbol } = applied
  const takes = context.origins.functions.get(symbol)
  if (takes === undefined || takes === given) return
  throw new TlaError(
    'semantics',
    `the function \`${symbol.name}\` takes ${plural(takes, 'argument')} (${place(symbol.at)}), found ${given}`,
    at,
  )
}

function resolveAll(context: Context, expressions: readonly Expression[], scope: Scope): Term[] {
  // A loop, since the stack bounds the nesting of expressions.
  const terms: Term[] = []
  for (const expression of expressions) terms.push(resolve(context, expression, scope))
  return terms
}

function resolveUpdate(context: Context, { path, value, at }: UpdateSyntax, scope: Scope): Update {
  const steps = path.map((step) =>
    step.kind === 'field'
      ? ({ kind: 'field', name: step.field.name } as const)
      : ({ kind: 'index', arguments: resolveAll(context, step.arguments, scope) } as const),
  )
  // `@` is that of the innermost EXCEPT.
  const around = context.self
  const self = { symbol: bound({ name: '@', at }), isUsed: false }
  context.self = self
  const resolved = resolve(context, value, scope)
  context.self = around
  return { path: steps, self: self.isUsed ? self.symbol : undefined, value: resolved, at }
}

function mustDiffer(seen: Set<string>, { name, at }: Identifier): void {
  if (seen.has(name)) {
    throw new TlaError('semantics', `the field \`${name}\` is given twice: a record has one value for each field`, at)
  }
  seen.add(name)
}

const BASES: Readonly<Record<string, number>> = { b: 2, o: 8, h: 16 }

/** The number that is written: `12`, `\b101`, `\o17`, `\hff`, `1.5`. */
function numberOf(text: string): number {
  if (text[0] !== '\\') return Number(text)
  return Number.parseInt(text.slice(2), BASES[text[1]!.toLowerCase()]!)
}
