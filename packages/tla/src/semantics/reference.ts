/**
 * Resolves names with arguments: the symbol, the instances on the path, and whether the arguments
 * fit.
 */

import { plural } from '#shared/text'
import { place, TlaError } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import type { Argument as ArgumentSyntax, Expression, PathStep } from '../syntax/ast.ts'
import { bindParameters, bound } from './binders.ts'
import { CHAINS, isBuiltin, PRIMITIVES } from './builtin.ts'
import { type Apply, type Context, LEVEL_UNKNOWN, resolve } from './context.ts'
import { exportsOf } from './module-scope.ts'
import { meantOf } from './nearest.ts'
import { type Entry, Scope } from './scope.ts'
import { type Selected, select, type Target } from './selector.ts'
import type {
  Symbol as AnySymbol,
  Argument,
  BoundSymbol,
  InstanceSymbol,
  OperatorArgument,
  PrimitiveName,
  Term,
  Through,
} from './term.ts'
import { goThrough } from './through.ts'

const LEVEL = LEVEL_UNKNOWN

export function resolveApply(context: Context, expression: Apply, scope: Scope): Term {
  const { path, name } = expression
  if (path.length > 0) return resolvePath(context, expression, scope)
  if (isBuiltin(name)) return resolveBuiltin(context, expression, scope)
  const entry = scope.find(name)
  if (entry === undefined) throw unknown(context, name, expression.nameAt, scope)
  return refer(context, toTarget(entry, name, expression.nameAt), name, expression.arguments, scope, expression.at)
}

function resolvePath(context: Context, expression: Apply, scope: Scope): Term {
  const { target, given } = follow(context, stepsOf(expression), scope)
  return refer(context, target, written(expression), given, scope, expression.at)
}

function resolveBuiltin(context: Context, expression: Apply, scope: Scope): Term {
  const { name, arguments: given, at } = expression
  const chain = CHAINS.get(name)
  mustTake(name, PRIMITIVES.get(name) ?? (chain === undefined ? 0 : 2), given.length, at, undefined)
  const values = resolveValues(context, name, given, scope)
  if (chain !== undefined) return { kind: chain, items: values, at, level: LEVEL }
  if (name === 'TRUE' || name === 'FALSE') return { kind: 'boolean', value: name === 'TRUE', at, level: LEVEL }
  if (name === 'BOOLEAN' || name === 'STRING') return { kind: 'builtin set', name, at, level: LEVEL }
  return { kind: 'primitive', name: name as PrimitiveName, arguments: values, at, level: LEVEL }
}

/** A reference with its arguments resolved. */
function refer(
  context: Context,
  { symbol, through }: Target,
  name: string,
  given: readonly (ArgumentSyntax | undefined)[],
  scope: Scope,
  at: Span,
): Term {
  if (symbol.kind === 'bound' && context.selves.has(symbol)) context.selves.set(symbol, true)
  return {
    kind: 'reference',
    symbol,
    through,
    arguments: resolveArguments(context, symbol, name, given, scope, at),
    at,
    level: LEVEL,
  }
}

/** The arguments of an operator or an instance. @throws TlaError for a wrong number or kind */
function resolveArguments(
  context: Context,
  symbol: AnySymbol | InstanceSymbol,
  name: string,
  given: readonly (ArgumentSyntax | undefined)[],
  scope: Scope,
  at: Span,
): readonly Argument[] {
  const arities = aritiesOf(symbol)
  const has = given.includes(undefined) ? given.filter((argument) => argument !== undefined) : given
  mustTake(name, arities.length, has.length, at, symbol)
  if (given.length === 0) return NONE
  // A loop, and values directly, since the stack bounds the nesting of expressions.
  const resolved: Argument[] = []
  for (let order = 0; order < given.length; order++) {
    const argument = given[order]!
    resolved.push(
      arities[order] === 0 && isExpression(argument)
        ? resolve(context, argument, scope)
        : resolveArgument(context, argument, arities[order]!, scope, () => nth(order, name)),
    )
  }
  return resolved
}
const NONE: readonly Argument[] = []

/** How many arguments each argument of an operator takes itself. */
export function aritiesOf(symbol: AnySymbol | InstanceSymbol): readonly number[] {
  switch (symbol.kind) {
    case 'variable':
      return []
    case 'bound':
    case 'constant':
      return symbol.arity === 0 ? [] : new Array(symbol.arity).fill(0)
    default:
      return symbol.parameters.length === 0 ? [] : symbol.parameters.map(({ arity }) => arity)
  }
}

/**
 * An argument: a value, or an operator that takes `arity` arguments.
 *
 * @param describe names the argument at the start of a message: `the first argument of `F` is`
 */
export function resolveArgument(
  context: Context,
  argument: ArgumentSyntax,
  arity: number,
  scope: Scope,
  describe: () => string,
): Argument {
  if (arity === 0) return resolveValue(context, argument, scope, describe)
  const wanted = `${describe()} an operator of ${plural(arity, 'argument')}`
  if (argument.kind === 'lambda') {
    if (argument.parameters.length !== arity) {
      throw new TlaError('semantics', `${wanted}, but this LAMBDA takes ${argument.parameters.length}`, argument.at)
    }
    const inner = new Scope(scope)
    const parameters = bindParameters(argument.parameters, inner)
    return { kind: 'operator', parameters, body: resolve(context, argument.body, inner), at: argument.at }
  }
  const { at } = argument
  if (argument.kind !== 'operator symbol' && (argument.kind !== 'apply' || argument.arguments.length > 0)) {
    throw new TlaError('semantics', `${wanted}, but this is a value: pass the name of an operator or a LAMBDA`, at)
  }
  const { path, name } = argument
  if (path.length === 0 && isBuiltin(name)) {
    const takes = PRIMITIVES.get(name) ?? (CHAINS.has(name) ? 2 : 0)
    if (takes !== arity) throw new TlaError('semantics', `${wanted}, and \`${name}\` takes ${takes}`, at)
    return wholeBuiltin(name, takes, at)
  }
  const nameAt = argument.kind === 'apply' ? argument.nameAt : at
  const { target, given } = follow(context, [...path, { name, arguments: [], at: nameAt }], scope)
  if (given.some((each) => each !== undefined)) {
    throw new TlaError(
      'semantics',
      `${wanted}, and arguments are given here: a part is an operator of all its parameters, or of none`,
      at,
    )
  }
  const arities = aritiesOf(target.symbol)
  if (arities.length !== arity) {
    const takes = arities.length === 0 ? 'is a value' : `takes ${arities.length}`
    throw new TlaError('semantics', `${wanted}, and \`${name}\` ${takes} (${place(target.symbol.at)})`, at)
  }
  if (arities.some((takes) => takes > 0)) {
    throw new TlaError(
      'semantics',
      `\`${name}\` takes an operator as argument, so it cannot be passed as an argument`,
      at,
    )
  }
  if (target.symbol.kind === 'bound' && context.selves.has(target.symbol)) context.selves.set(target.symbol, true)
  return wholeOperator({ ...target, at }, name)
}

function isExpression(argument: ArgumentSyntax): argument is Expression {
  return argument.kind !== 'lambda' && argument.kind !== 'operator symbol'
}

/** The arguments of an operator that is built in: values. */
function resolveValues(context: Context, name: string, given: readonly ArgumentSyntax[], scope: Scope): Term[] {
  const values: Term[] = []
  for (let order = 0; order < given.length; order++) {
    const argument = given[order]!
    values.push(
      isExpression(argument)
        ? resolve(context, argument, scope)
        : resolveValue(context, argument, scope, () => nth(order, name)),
    )
  }
  return values
}

function resolveValue(context: Context, argument: ArgumentSyntax, scope: Scope, describe: () => string): Term {
  if (argument.kind === 'lambda') {
    throw new TlaError('semantics', `${describe()} a value, but a LAMBDA is an operator`, argument.at)
  }
  if (argument.kind === 'operator symbol') {
    throw new TlaError('semantics', `${describe()} a value, and \`${argument.name}\` is an operator`, argument.at)
  }
  return resolve(context, argument, scope)
}

/** An operator by its bare name, as the argument that calls it. Its own parameters are values. */
export function wholeOperator({ symbol, through, at }: Target, name: string): OperatorArgument {
  const parameters = freshParameters(symbol, name, at)
  const body: Term = { kind: 'reference', symbol, through, arguments: parameters.map(referTo), at, level: LEVEL }
  return { kind: 'operator', parameters, body, at }
}

function freshParameters(symbol: AnySymbol, name: string, at: Span): BoundSymbol[] {
  const names = symbol.kind === 'definition' ? symbol.parameters.map((parameter) => parameter.name) : undefined
  return aritiesOf(symbol).map((_, order) => bound({ name: names?.[order] ?? `${name}_${order + 1}`, at }))
}

function wholeBuiltin(name: string, arity: number, at: Span): OperatorArgument {
  const parameters = Array.from({ length: arity }, (_, order) => bound({ name: `_${order + 1}`, at }))
  const items = parameters.map(referTo)
  const chain = CHAINS.get(name)
  const body: Term =
    chain === undefined
      ? { kind: 'primitive', name: name as PrimitiveName, arguments: items, at, level: LEVEL }
      : { kind: chain, items, at, level: LEVEL }
  return { kind: 'operator', parameters, body, at }
}

function referTo(symbol: BoundSymbol): Term {
  return { kind: 'reference', symbol, through: [], arguments: [], at: symbol.at, level: LEVEL }
}

// Names with `!`

function stepsOf({ path, name, arguments: given, nameAt }: Apply): readonly PathStep[] {
  return [...path, { name, arguments: given, at: nameAt }]
}

/** As it is written, without arguments. */
function written({ path, name }: Apply): string {
  return [...path.map((step) => step.name), name].join('!')
}

/**
 * What a name of several steps leads to: through instances to a symbol, and from a definition on to
 * parts of its body (selector.ts). Gives the arguments that are left for it.
 */
function follow(context: Context, steps: readonly PathStep[], scope: Scope): Selected {
  const passed: Through[] = []
  let inside: InstanceSymbol | undefined
  for (const [order, step] of steps.entries()) {
    const entry: Entry | undefined = inside === undefined ? scope.find(step.name) : exportsOf(inside.module, step.name)
    if (entry === undefined) {
      if (inside === undefined) throw unknown(context, step.name, step.at, scope)
      throw new TlaError(
        'semantics',
        `module \`${inside.module.name}\`, of which \`${inside.name}\` is an instance, defines no \`${step.name}\`` +
          meantOf(step.name, inside.module.names),
        step.at,
      )
    }
    mustBeExpression(entry, step.name, step.at)
    const { symbol } = entry
    passed.push(...entry.through)
    if (symbol.kind === 'instance') {
      if (order === steps.length - 1) throw valueOfInstance(symbol, step.name, step.at)
      const given = resolveArguments(context, symbol, step.name, step.arguments, scope, step.at)
      passed.push({ instance: symbol, arguments: given })
      inside = symbol
      continue
    }
    let through: readonly Through[] = []
    for (const { instance, arguments: given } of passed.toReversed())
      through = goThrough(instance, given, symbol, through)
    const target = { symbol, through, at: step.at }
    const rest = steps.slice(order + 1)
    if (rest.length === 0) return { target, given: step.arguments }
    return select(context, target, step, rest)
  }
  throw new Error('a name has at least one step')
}

function toTarget(entry: Entry, name: string, at: Span): Target {
  mustBeExpression(entry, name, at)
  const { symbol, through } = entry
  if (symbol.kind === 'instance') throw valueOfInstance(symbol, name, at)
  return { symbol, through, at }
}

// Errors

function mustTake(
  name: string,
  takes: number,
  given: number,
  at: Span,
  symbol: AnySymbol | InstanceSymbol | undefined,
): void {
  if (takes === given) return
  const defined = symbol?.at
  const where = defined === undefined ? '' : ` (${place(defined)})`
  const what = takes === 0 ? 'takes no arguments' : `takes ${plural(takes, 'argument')}`
  throw new TlaError(
    'semantics',
    `\`${name}\` ${what}${where}, found ${given === 0 ? 'none' : given}${howToCall(name, takes, given, at, symbol)}`,
    at,
  )
}

/** What is probably wrong with a call, as the end of a sentence. */
function howToCall(
  name: string,
  takes: number,
  given: number,
  { source, endLine, endColumn }: Span,
  symbol: AnySymbol | InstanceSymbol | undefined,
): string {
  if (symbol === undefined || !/^\w/.test(name)) return ''
  if (takes === 0) {
    const places = Array.from({ length: given }, () => '_').join(', ')
    if (symbol.kind === 'constant') {
      return `; declare an operator as \`CONSTANT ${name}(${places})\`, or apply a function as \`${name}[…]\``
    }
    if (symbol.kind === 'bound') {
      return `; declare an operator parameter as \`${name}(${places})\`, or apply a function as \`${name}[…]\``
    }
    return symbol.kind === 'instance' ? '' : `; apply a function as \`${name}[…]\``
  }
  if (given > 0 || symbol.kind === 'instance') return ''
  const line = source.text.split(/\r\n|\n|\r/)[endLine - 1] ?? ''
  if (/^\s*\[/.test(line.slice(endColumn))) return `; apply an operator as \`${name}(…)\``
  const names = symbol.kind === 'definition' ? symbol.parameters.map((parameter) => parameter.name) : ['…']
  return `: write \`${name}(${names.join(', ')})\``
}

function mustBeExpression({ isSequent }: Entry, name: string, at: Span): void {
  if (isSequent) throw new TlaError('semantics', `\`${name}\` is an ASSUME/PROVE, which is not an expression`, at)
}

function unknown(context: Context, name: string, at: Span, scope: Scope): TlaError {
  return new TlaError('semantics', `\`${name}\` is not defined${context.explainUnknown(name, at, scope)}`, at)
}

function valueOfInstance({ module }: InstanceSymbol, name: string, at: Span): TlaError {
  return new TlaError(
    'semantics',
    `\`${name}\` is an instance of module \`${module.name}\`, not a value: write \`${name}!Name\` for ` +
      `one of its definitions`,
    at,
  )
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

function nth(order: number, name: string): string {
  return `the ${ORDINALS[order] ?? `${order + 1}th`} argument of \`${name}\` is`
}
