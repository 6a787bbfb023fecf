/**
 * INSTANCE: the substitutions for the constants and variables of an instantiated module. Without a
 * WITH, the symbol of the same name at the INSTANCE is substituted ("Specifying Systems" 4.2); each
 * needs a substitution.
 */

import { plural } from '#shared/text'
import { place, TlaError } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import type { InstanceSyntax, ModuleDefinitionSyntax } from '../syntax/ast.ts'
import { bindParameters } from './binders.ts'
import type { Context } from './context.ts'
import { meant } from './nearest.ts'
import { resolveArgument, wholeOperator } from './reference.ts'
import { Scope } from './scope.ts'
import type { Argument, ConstantSymbol, InstanceSymbol, Module, VariableSymbol } from './term.ts'

type Parameter = ConstantSymbol | VariableSymbol

/** `I(x) == INSTANCE M WITH …`, of a module or a LET. */
export function defineInstance(context: Context, unit: ModuleDefinitionSyntax, scope: Scope): InstanceSymbol {
  const { name, parameters: declared, instance, local } = unit
  const known = scope.find(name.name)?.symbol
  const isKnown = known?.kind === 'instance' && known.parameters.length === declared.length
  if (isKnown) {
    context.warn(
      `instance \`${name.name}\` is already defined (${place(known.at)}), and the name keeps referring to it`,
      name.at,
    )
  } else {
    scope.mustBeNew(name.name, name.at)
  }
  const inner = new Scope(scope)
  const parameters = bindParameters(declared, inner)
  const module = context.findModule(instance.module, scope)
  const substitutions = substitute(context, instance, module, inner)
  const symbol: InstanceSymbol = { kind: 'instance', name: name.name, parameters, module, substitutions, at: name.at }
  if (!isKnown) scope.bind(name.name, name.at, symbol, local)
  return symbol
}

/** `INSTANCE M WITH …`, without a name. */
export function resolveInstance(context: Context, unit: InstanceSyntax, scope: Scope): InstanceSymbol {
  const module = context.findModule(unit.module, scope)
  const substitutions = substitute(context, unit, module, scope)
  return { kind: 'instance', name: undefined, parameters: [], module, substitutions, at: unit.at }
}

function substitute(
  context: Context,
  { module: { name, at }, substitutions }: InstanceSyntax,
  module: Module,
  scope: Scope,
): ReadonlyMap<Parameter, Argument> {
  const parameters = new Map<string, Parameter>()
  for (const parameter of [...module.constants, ...module.variables]) parameters.set(parameter.name, parameter)
  const given = new Map<Parameter, Argument>()
  for (const { name: target, value } of substitutions) {
    const parameter = parameters.get(target.name)
    if (parameter === undefined) {
      throw new TlaError(
        'semantics',
        `module \`${name}\` declares no constant or variable ` +
          `\`${target.name}\`${meant(target.name, parameters.keys())}`,
        target.at,
      )
    }
    if (given.has(parameter)) {
      throw new TlaError('semantics', `\`${target.name}\` is substituted twice`, target.at)
    }
    given.set(
      parameter,
      resolveArgument(context, value, arityOf(parameter), scope, () => `\`${target.name}\` stands for`),
    )
  }
  // In the order of the declarations, whatever the order of the substitutions.
  const all = new Map<Parameter, Argument>()
  for (const parameter of parameters.values()) {
    const argument = given.get(parameter) ?? implicit(name, parameter, scope, at)
    if (argument !== undefined) all.set(parameter, argument)
  }
  return all
}

/**
 * The symbol of the same name; undefined if it is the same symbol, as that of a module around both.
 */
function implicit(module: string, parameter: Parameter, scope: Scope, at: Span): Argument | undefined {
  const entry = scope.find(parameter.name)
  const declaration = `${parameter.kind === 'constant' ? 'the constant' : 'the variable'} \`${parameter.name}\``
  if (entry === undefined || entry.symbol.kind === 'instance') {
    throw new TlaError(
      'semantics',
      `no substitution for ${declaration} of module \`${module}\` (${place(parameter.at)}): ` +
        `add \`WITH ${parameter.name} <- …\`, or declare \`${parameter.name}\` here too`,
      at,
    )
  }
  if (entry.symbol === parameter && entry.through.length === 0) return undefined
  const { symbol, through } = entry
  const arity = arityOf(parameter)
  const has = symbol.kind === 'definition' ? symbol.parameters.length : symbol.kind === 'variable' ? 0 : symbol.arity
  if (has !== arity) {
    throw new TlaError(
      'semantics',
      `\`${parameter.name}\` takes ${plural(has, 'argument')} here (${place(symbol.at)}), so it cannot be substituted for ${declaration} ` +
        `of module \`${module}\`, which takes ${arity} (${place(parameter.at)})`,
      at,
    )
  }
  if (arity > 0) return wholeOperator({ symbol, through, at }, parameter.name)
  return { kind: 'reference', symbol, through, arguments: [], at, level: 'constant' }
}

function arityOf(parameter: Parameter): number {
  return parameter.kind === 'constant' ? parameter.arity : 0
}
