/**
 * Parts of definitions by `!`: `Op(a)!1!2`, `Op!label(x)`, `Op!(x)!<<`, after the "TLA+2" notes on
 * naming subexpressions and SANY's numbering of operands.
 *
 * A part becomes a definition of its own: its body is the part, its parameters are those of the
 * definition and every name bound between there and the part.
 */

import { plural } from '#shared/text'
import { place, TlaError } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import type { Argument as ArgumentSyntax, Expression, PathStep } from '../syntax/ast.ts'
import { type Context, type Label, LEVEL_UNKNOWN } from './context.ts'
import { meant } from './nearest.ts'
import type { Scope } from './scope.ts'
import type { Symbol as AnySymbol, Binder, BoundSymbol, DefinitionSymbol, Term, Through } from './term.ts'

/** What a name refers to. */
export interface Target {
  readonly symbol: AnySymbol
  readonly through: readonly Through[]
  readonly at: Span
}

/** What `!` leads to. */
export interface Selected {
  readonly target: Target
  /**
   * One for each parameter of the target; undefined where none is given, so that it is an operator
   * of those.
   */
  readonly given: readonly (ArgumentSyntax | undefined)[]
}

/** Where a walk along the steps is. */
interface Walk {
  /** The part, or the two operands of a CASE arm. */
  part: Expression | Arm
  /**
   * If the part is the first items of a chain of `/\` or `\/`, which associates to the left: how
   * many.
   */
  items: number | undefined
  labels: ReadonlyMap<string, Label>
  /** What the step before was: names of labels follow a name, those of a LET `:` or a part. */
  after: 'name' | 'colon' | 'part'
  readonly parameters: BoundSymbol[]
  readonly given: (ArgumentSyntax | undefined)[]
}

/** @param step names the definition that `target` is; `rest` are the steps after it */
export function select(context: Context, target: Target, step: PathStep, rest: readonly PathStep[]): Selected {
  const { symbol, through } = target
  const part = symbol.kind === 'definition' ? context.origins.bodies.get(symbol) : undefined
  if (symbol.kind !== 'definition' || part === undefined) {
    throw new TlaError(
      'semantics',
      `\`${step.name}\` is not a definition, so it has no part \`${rest[0]!.name}\``,
      rest[0]!.at,
    )
  }
  if (symbol.body === undefined) {
    throw new TlaError('semantics', `\`${step.name}\` is being defined here, so it has no parts yet`, step.at)
  }
  const walk: Walk = {
    part,
    items: undefined,
    labels: labelsOf(context, symbol),
    after: 'name',
    parameters: [],
    given: [],
  }
  give(walk, symbol, step)
  for (const each of rest) take(context, walk, each)
  const last = rest.at(-1)!
  const made: DefinitionSymbol = {
    kind: 'definition',
    name: [step, ...rest].map(({ name }) => name).join('!'),
    module: symbol.module,
    parameters: walk.parameters,
    body: termOf(context, walk, last),
    isRecursive: false,
    isNested: symbol.isNested,
    level: LEVEL_UNKNOWN,
    at: last.at,
  }
  return { target: { symbol: made, through, at: last.at }, given: walk.given }
}

function labelsOf(context: Context, of: DefinitionSymbol | Expression): ReadonlyMap<string, Label> {
  return context.origins.labels.get(of) ?? NO_LABELS
}
const NO_LABELS: ReadonlyMap<string, Label> = new Map()

/** Binds the parameters of a definition: all of them or none. */
function give(walk: Walk, { parameters, at }: DefinitionSymbol, step: PathStep): void {
  giveNames(walk, parameters, step, at)
}

function giveNames(walk: Walk, parameters: readonly BoundSymbol[], step: PathStep, at: Span): void {
  const { arguments: given } = step
  if (given.length > 0 && given.length !== parameters.length) {
    throw new TlaError(
      'semantics',
      `\`${step.name}\` takes ${plural(parameters.length, 'argument')} (${place(at)}), found ${given.length}`,
      step.at,
    )
  }
  for (const [order, parameter] of parameters.entries()) {
    walk.parameters.push(parameter)
    walk.given.push(given[order])
  }
}

function take(context: Context, walk: Walk, step: PathStep): void {
  switch (step.name) {
    case ':':
      if (walk.after !== 'name')
        throw new TlaError('semantics', '`:` selects the body of the definition named right before it', step.at)
      walk.after = 'colon'
      return
    case '()':
    case '@':
      mustNotFollowColon(walk, step)
      enter(context, walk, step)
      walk.after = 'part'
      return
    case '<<':
    case '>>':
      mustNotFollowColon(walk, step)
      takeOperand(context, walk, step.name === '<<' ? 1 : 2, step)
      walk.after = 'part'
      return
  }
  if (!/^\d+$/.test(step.name)) {
    takeName(context, walk, step)
    walk.after = 'name'
    return
  }
  mustNotFollowColon(walk, step)
  takeOperand(context, walk, Number(step.name), step)
  walk.after = 'part'
}

function mustNotFollowColon({ after }: Walk, { at }: PathStep): void {
  if (after !== 'colon') return
  throw new TlaError('semantics', 'only the name of a LET definition can follow `!:`; select a part without it', at)
}

/** A label, or a definition of a LET. */
function takeName(context: Context, walk: Walk, step: PathStep): void {
  const { name, at } = step
  if (walk.after === 'name') {
    const label = walk.labels.get(name)
    if (label === undefined) {
      const isLet = letScope(context, walk)?.names.has(name)
      const hint = isLet ? `: what its LET defines is \`!:!${name}\`` : meant(name, walk.labels.keys())
      throw new TlaError('semantics', `there is no label \`${name}\` here${hint}`, at)
    }
    giveNames(walk, label.symbols, step, label.at)
    walk.labels = labelsOf(context, label.expression)
    walk.part = label.expression.body
  } else {
    const scope = letScope(context, walk)
    const symbol = scope?.names.get(name)?.symbol
    if (symbol?.kind !== 'definition') {
      const what = scope === undefined ? 'this part is not a LET, so it defines no' : 'this LET defines no operator'
      throw new TlaError('semantics', `${what} \`${name}\`${meant(name, scope?.names.keys() ?? [])}`, at)
    }
    giveNames(walk, symbol.parameters, step, symbol.at)
    walk.labels = labelsOf(context, symbol)
    walk.part = context.origins.bodies.get(symbol)!
  }
  walk.items = undefined
}

function letScope(context: Context, walk: Walk): Scope | undefined {
  const part = bare(walk)
  return part?.kind === 'let' ? context.origins.scopes.get(part) : undefined
}

/**
 * Selects the body of a quantifier, a set or a function: with values for its bound symbols, or as an
 * operator of them.
 */
function enter(context: Context, walk: Walk, step: PathStep): void {
  const part = bare(walk)
  const term = part === undefined ? undefined : context.origins.terms.get(part)
  const symbols = term === undefined ? undefined : symbolsOf(term)
  if (part === undefined || symbols === undefined || !('body' in part)) {
    throw new TlaError(
      'semantics',
      `\`!${step.name === '@' ? '@' : '(…)'}\` selects from an expression that binds names, but this part binds none`,
      step.at,
    )
  }
  const { arguments: given } = step
  if (step.name === '()' && given.length !== symbols.length) {
    throw new TlaError('semantics', `this part binds ${plural(symbols.length, 'name')}, found ${given.length}`, step.at)
  }
  for (const [order, symbol] of symbols.entries()) {
    walk.parameters.push(symbol)
    walk.given.push(given[order])
  }
  walk.part = part.body as Expression
}

/** What a term binds in its body. */
function symbolsOf(term: Term): readonly BoundSymbol[] | undefined {
  switch (term.kind) {
    case 'filter':
      return term.binder.symbols
    case 'map':
    case 'function':
    case 'recursive function':
    case 'quantifier':
      return term.binders.flatMap(({ symbols }: Binder) => symbols)
    case 'unbounded quantifier':
    case 'choose':
      return term.symbols
    default:
      return undefined
  }
}

function takeOperand(context: Context, walk: Walk, number: number, step: PathStep): void {
  const { part } = walk
  if (isArm(part)) {
    const operand = part[number - 1]
    if (operand === undefined) throw noOperand(step, 2)
    walk.part = operand
    return
  }
  const whole = bare(walk)!
  if (whole.kind === 'junction' && isChain(whole)) {
    // `a /\ b /\ c` is `(a /\ b) /\ c`.
    const items = walk.items ?? whole.items.length
    if (number < 1 || number > 2) throw noOperand(step, 2)
    walk.items = undefined
    if (number === 2) walk.part = whole.items[items - 1]!
    else if (items === 2) walk.part = whole.items[0]!
    else {
      walk.part = whole
      walk.items = items - 1
    }
    return
  }
  const operands = operandsOf(context, whole)
  const operand = operands[number - 1]
  if (operand === undefined || (step.name === '>>' && operands.length !== 2)) throw noOperand(step, operands.length)
  if (!isArm(operand) && (operand.kind === 'lambda' || operand.kind === 'operator symbol')) {
    throw new TlaError('semantics', 'this argument is an operator, not a part with a value', step.at)
  }
  if (!isArm(operand) && !context.origins.terms.has(operand)) {
    throw new TlaError('semantics', 'this part is an operator, so it has no value', step.at)
  }
  walk.part = operand
}

/** The condition of OTHER is none that can be named. */
type Arm = readonly [Expression | undefined, Expression]
type Operand = ArgumentSyntax | Arm

function isArm(part: Operand): part is Arm {
  return Array.isArray(part)
}

/** The operands of an expression, as SANY counts them. */
function operandsOf(context: Context, part: Expression): readonly Operand[] {
  switch (part.kind) {
    case 'apply':
      return part.arguments
    case 'junction':
    case 'product':
    case 'tuple':
    case 'set':
      return part.items
    case 'filter':
      return [part.bound.set]
    case 'map':
    case 'function':
    case 'quantifier':
      return part.bounds.map(({ set }) => set)
    case 'choose':
      return part.set === undefined ? [] : [part.set]
    case 'function set':
      return [part.domain, part.range]
    case 'application': {
      const [only, ...more] = part.arguments
      if (only !== undefined && more.length === 0) return [part.function, only]
      const tuple: Expression = { kind: 'tuple', items: part.arguments, at: part.at }
      const items = part.arguments.map((argument) => context.origins.terms.get(argument)!)
      context.origins.terms.set(tuple, { kind: 'tuple', items, at: part.at, level: LEVEL_UNKNOWN })
      return [part.function, tuple]
    }
    case 'record':
    case 'record set':
      return part.fields.map(({ value }) => value)
    case 'field': {
      const { name, at } = part.field
      const field: Expression = { kind: 'string', value: name, at }
      context.origins.terms.set(field, { kind: 'string', value: name, at, level: LEVEL_UNKNOWN })
      return [part.record, field]
    }
    case 'if':
      return [part.condition, part.then, part.else]
    case 'case': {
      const arms: Operand[] = part.arms.map(({ condition, body }) => [condition, body] as const)
      return part.other === undefined ? arms : [...arms, [undefined, part.other]]
    }
    case 'let':
      return [part.body]
    case 'action':
      return [part.action, part.subscript]
    case 'fairness':
      return [part.subscript, part.action]
    case 'except':
      // What it changes has no name.
      return [part.function]
    default:
      return []
  }
}

/** Written by infix operators, and not as a list. */
function isChain({ at, items }: Extract<Expression, { kind: 'junction' }>): boolean {
  const first = items[0]!.at
  return at.line === first.line && at.column === first.column
}

/** The part without parentheses and labels around it. */
function bare({ part }: Walk): Expression | undefined {
  if (isArm(part)) return undefined
  let inside = part
  while (inside.kind === 'parentheses' || inside.kind === 'label') inside = inside.body
  return inside
}

function termOf(context: Context, { part, items }: Walk, step: PathStep): Term {
  if (isArm(part)) {
    throw new TlaError(
      'semantics',
      'an arm of CASE is not an expression: continue with `!1` to its condition, `!2` to its value',
      step.at,
    )
  }
  const term = context.origins.terms.get(part)!
  if (items === undefined || (term.kind !== 'and' && term.kind !== 'or')) return term
  return { ...term, items: term.items.slice(0, items) }
}

function noOperand({ name, at }: PathStep, has: number): TlaError {
  return new TlaError('semantics', `there is no operand \`${name}\` here: this part has ${plural(has, 'operand')}`, at)
}
