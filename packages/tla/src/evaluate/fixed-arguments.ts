/**
 * Arguments of recursive actions that are passed unevaluated: a variable, which the action may
 * assign; an operator, which may be an action itself.
 *
 * The body is compiled for each of them, as for expansion. Invariant: there are few, since values
 * that a recursion computes on each level are passed by value; a fixed argument is a variable, a
 * definition, or comes from outside of the recursion. TLA+ forbids primed parameters in the body of
 * a recursive operator.
 */
import type { Argument, BoundSymbol, DefinitionSymbol, Term } from '../semantics/term.ts'
import type { Fixed } from './arguments.ts'
import { namedVariable, primedVariable, type VariableBinding } from './assignment.ts'
import type { Compiler } from './compiler.ts'
import { resolve } from './references.ts'
import { type Base, type Binding, Closed, type ClosedOperator, close, type Scope } from './scope.ts'
import type { Reference } from './terms.ts'

/** The bindings of the parameters of an action that are fixed. */
export function fixedArguments(
  compiler: Compiler,
  definition: DefinitionSymbol,
  given: readonly Argument[],
  scope: Scope,
): Fixed {
  const isOuter = !compiler.isWithin(definition)
  return definition.parameters.map((parameter, at) => fixed(compiler, parameter, given[at]!, scope, isOuter))
}

export function isSameFixed(left: Fixed, right: Fixed): boolean {
  return left.length === right.length && left.every((binding, at) => binding === right[at])
}

/** Equal arguments have one binding, so that calls with them share their compiled body. */
interface Aliases {
  readonly variables: Map<number | VariableBinding, Binding>
  readonly primed: Map<number | VariableBinding, Binding>
  readonly operators: Map<Base, Map<DefinitionSymbol, Binding>>
  /** All bindings fixed by some call. */
  readonly fixed: Set<Binding>
}

const known = new WeakMap<Compiler, Aliases>()

function aliasesOf(compiler: Compiler): Aliases {
  let aliases = known.get(compiler)
  if (aliases === undefined) {
    aliases = { variables: new Map(), primed: new Map(), operators: new Map(), fixed: new Set() }
    known.set(compiler, aliases)
  }
  return aliases
}

/** The binding of a parameter. @param isOuter whether the call is outside of the recursion */
function fixed(
  compiler: Compiler,
  parameter: BoundSymbol,
  argument: Argument,
  scope: Scope,
  isOuter: boolean,
): Binding | undefined {
  const aliases = aliasesOf(compiler)
  const binding =
    argument.kind === 'operator' || parameter.arity > 0
      ? fixedOperator(compiler, aliases, argument, scope, isOuter)
      : fixedTerm(compiler, aliases, argument, scope)
  if (binding !== undefined) aliases.fixed.add(binding)
  return binding
}

function fixedTerm(compiler: Compiler, aliases: Aliases, argument: Term, scope: Scope): Binding | undefined {
  const named = namedVariable(compiler, argument, scope)
  if (named !== undefined) return once(aliases.variables, keyOf(named), () => named)
  const primed = primedVariable(compiler, argument, scope)
  if (primed === undefined) return undefined
  return once(aliases.primed, keyOf(primed), () => new Closed(nameOf(compiler, primed), argument, scope, false))
}

/** Variables of the root module by index; inner variables of ENABLED and `\cdot` by identity. */
function keyOf(binding: VariableBinding): number | VariableBinding {
  return binding.kind === 'variable' ? binding.index : binding
}

function nameOf({ variables }: Compiler, binding: VariableBinding): string {
  return binding.kind === 'variable' ? variables[binding.index]! : binding.name
}

function fixedOperator(
  compiler: Compiler,
  aliases: Aliases,
  argument: Argument,
  scope: Scope,
  isOuter: boolean,
): Binding | undefined {
  const binding = close('an operator', argument, scope)
  if (binding.kind !== 'closed operator') return undefined
  if (isOuter || aliases.fixed.has(binding)) return binding
  const definition = definitionPassed(compiler, binding)
  return definition && ofDefinition(aliases, definition.base, definition.symbol, () => binding)
}

/** The definition of a module that an operator is an alias of. */
function definitionPassed(
  compiler: Compiler,
  { argument, scope }: ClosedOperator,
): { readonly symbol: DefinitionSymbol; readonly base: Base } | undefined {
  const { body, parameters } = argument
  if (body.kind !== 'reference' || body.through.length > 0 || !isCalledWith(body, parameters)) return undefined
  const resolved = resolve(compiler, body, scope)
  if (resolved.kind !== 'definition' || resolved.definition.isNested) return undefined
  return { symbol: resolved.definition, base: resolved.scope.base }
}

function isCalledWith(body: Reference, parameters: readonly BoundSymbol[]): boolean {
  return (
    body.arguments.length === parameters.length &&
    body.arguments.every((given, at) => given.kind === 'reference' && given.symbol === parameters[at])
  )
}

function ofDefinition(aliases: Aliases, base: Base, symbol: DefinitionSymbol, make: () => Binding): Binding {
  return once(
    once(aliases.operators, base, () => new Map<DefinitionSymbol, Binding>()),
    symbol,
    make,
  )
}

function once<Key, Made>(all: Map<Key, Made>, key: Key, make: () => Made): Made {
  let made = all.get(key)
  if (made === undefined) all.set(key, (made = make()))
  return made
}
