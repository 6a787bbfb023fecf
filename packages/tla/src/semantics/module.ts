/**
 * Resolves modules unit by unit, in order, since a name must be defined before it is used.
 *
 * EXTENDS imports symbols unchanged, so a definition reached on two paths is one; INSTANCE creates
 * references through it. LOCAL names are visible in their module only.
 */
import { MAX_ERRORS, place, TlaError, throwAll } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import type { ModuleSyntax, Unit } from '../syntax/ast.ts'
import { bound } from './binders.ts'
import { isBuiltin } from './builtin.ts'
import { checkModule, type Leveled } from './check-levels.ts'
import { type Context, resolve } from './context.ts'
import { declareRecursive, defineFunction, defineOperator, mustBeDefined } from './definition.ts'
import { defineInstance, resolveInstance } from './instance.ts'
import { within } from './label.ts'
import { scopes } from './module-scope.ts'
import { describeSymbol, Scope } from './scope.ts'
import { NO_BODY, nameStatement, resolveTheorem, statement } from './statement.ts'
import { extend, take } from './take-over.ts'
import type { Assumption, ConstantSymbol, Module, Named, VariableSymbol } from './term.ts'
import { closed } from './through.ts'

export { scopeOf } from './module-scope.ts'

/**
 * @param contextOf makes the context for a module of this name
 * @param around the scope of the enclosing module
 */
export function resolveModule(syntax: ModuleSyntax, contextOf: (name: string) => Context, around?: Scope): Module {
  const context = contextOf(syntax.name.name)
  const scope = new Scope(around)
  const constants: ConstantSymbol[] = []
  const variables: VariableSymbol[] = []
  const assumptions: Assumption[] = []
  const extended = new Set<string>()
  const parents: Module[] = []
  for (const name of syntax.extends) {
    const module = context.findModule(name, scope)
    extend(context, scope, module, name)
    // Those that others hide are none of this module.
    addMissing(
      constants,
      module.constants.filter((symbol) => scope.names.get(symbol.name)?.symbol === symbol),
    )
    addMissing(
      variables,
      module.variables.filter((symbol) => scope.names.get(symbol.name)?.symbol === symbol),
    )
    addMissing(assumptions, module.assumptions)
    for (const each of module.extended) extended.add(each)
    parents.push(module)
  }
  const items: Leveled[] = []
  extended.add(syntax.name.name)
  const wrong: TlaError[] = []
  for (const unit of syntax.units) {
    try {
      resolveUnit(unit)
    } catch (error) {
      wrong.push(goOnAfter(error, unit, scope, context))
    }
    if (wrong.length === MAX_ERRORS) break
  }
  throwAll(wrong)
  mustBeDefined(scope)
  const module: Module = {
    name: syntax.name.name,
    at: syntax.at,
    constants,
    variables,
    names: publicNames(scope),
    assumptions,
    extended,
  }
  scopes.set(module, scope)
  if (around === undefined && constants.length === 0 && variables.length === 0) {
    for (const item of items) if ('kind' in item && item.kind !== 'statement') closed.add(item)
  }
  checkModule(module, items, parents)
  return module

  function resolveUnit(unit: Unit): void {
    mustNotInterrupt(unit, scope)
    switch (unit.kind) {
      case 'constants':
        for (const { name, arity } of unit.declared) {
          const symbol: ConstantSymbol = {
            kind: 'constant',
            name: name.name,
            arity,
            module: context.module,
            at: name.at,
          }
          if (declare(context, scope, symbol)) constants.push(symbol)
        }
        return
      case 'variables':
        for (const { name, at } of unit.declared) {
          const symbol: VariableSymbol = { kind: 'variable', name, module: context.module, at }
          if (declare(context, scope, symbol)) variables.push(symbol)
        }
        return
      case 'recursive':
        declareRecursive(context, unit, scope, false)
        return
      case 'operator':
        mustNotBeBrought({ kind: 'definition', ...unit.name }, context, scope)
        items.push(defineOperator(context, unit, scope, false))
        return
      case 'function':
        mustNotBeBrought({ kind: 'definition', ...unit.name }, context, scope)
        items.push(defineFunction(context, unit, scope, false))
        return
      case 'module definition':
        items.push(defineInstance(context, unit, scope))
        return
      case 'instance': {
        const instance = resolveInstance(context, unit, scope)
        take(context, scope, instance, unit.local, unit.at)
        items.push(instance)
        return
      }
      case 'assume': {
        const symbol = unit.name === undefined ? undefined : statement(context, unit.name, NO_BODY)
        const run = () => resolve(context, unit.body, scope)
        const body = symbol === undefined ? run() : within(context, symbol, scope, run)
        const { isAxiom } = unit
        const assumption: Assumption = { isAxiom, name: unit.name?.name, body, through: [], at: unit.at }
        assumptions.push(assumption)
        items.push(assumption)
        if (symbol !== undefined) {
          symbol.body = body
          context.origins.bodies.set(symbol, unit.body)
          items.push(symbol)
          nameStatement(context, scope, symbol)
        }
        return
      }
      case 'theorem':
        items.push(resolveTheorem(context, unit, scope))
        return
      case 'module': {
        const { name, at } = unit.name
        const known = scope.findModule(name) ?? context.loaded(name)
        if (known !== undefined) {
          throw new TlaError('semantics', `module \`${name}\` is already defined here (${place(known.at)})`, at)
        }
        scope.modules.set(name, resolveModule(unit, contextOf, scope))
        return
      }
    }
  }
}

/**
 * Continues after an error in a definition, treating it as correct, so that further errors are
 * found. Errors after any other one would only be consequences.
 *
 * @throws the error, if resolution cannot continue
 */
function goOnAfter(error: unknown, unit: Unit, scope: Scope, context: Context): TlaError {
  const isDefinition = unit.kind === 'operator' || unit.kind === 'function'
  if (!(error instanceof TlaError) || error.kind !== 'semantics' || error.at?.source !== unit.at.source) throw error
  if (!isDefinition && unit.kind !== 'assume' && unit.kind !== 'theorem') throw error
  // Half-way in it.
  context.self = undefined
  context.labels = undefined
  context.depth = 0
  if (isDefinition && scope.find(unit.name.name) === undefined) {
    const parameters = unit.kind === 'operator' ? unit.parameters : []
    const symbol = {
      ...statement(context, unit.name, NO_BODY),
      parameters: parameters.map(({ name, arity }) => bound(name, arity)),
    }
    scope.bind(unit.name.name, unit.name.at, symbol)
  }
  if (isDefinition) scope.declared.delete(unit.name.name)
  return error
}

const INTERRUPTS: ReadonlySet<Unit['kind']> = new Set([
  ...(['constants', 'variables', 'assume', 'theorem', 'module'] as const),
])

/** Allows only definitions between RECURSIVE and the definitions of its operators. */
function mustNotInterrupt({ kind, at }: Unit, scope: Scope): void {
  if (!INTERRUPTS.has(kind)) return
  for (const { name, at: declaredAt } of scope.declared.values()) {
    throw new TlaError(
      'semantics',
      `only definitions may stand between the RECURSIVE declaration of \`${name}\` ` +
        `(${place(declaredAt)}) and its definition`,
      at,
    )
  }
}

/**
 * Binds a constant or variable; a second declaration of the same is the first one again, as for
 * SANY.
 */
function declare(context: Context, scope: Scope, symbol: ConstantSymbol | VariableSymbol): boolean {
  const known = scope.find(symbol.name)?.symbol
  const isSame =
    known?.kind === symbol.kind && (known.kind === 'variable' || known.arity === (symbol as ConstantSymbol).arity)
  if (!isSame) {
    mustNotBeBrought(symbol, context, scope)
    scope.mustBeNew(symbol.name, symbol.at)
    scope.bind(symbol.name, symbol.at, symbol)
    return true
  }
  const what = describeSymbol(known)
  context.warn(
    `\`${symbol.name}\` is already declared as ${what} (${place(known.at)}), and this is the same one`,
    symbol.at,
  )
  return false
}

/**
 * Rejects a declaration or definition of a name that is taken, with advice that differs from that
 * for names bound in expressions.
 */
function mustNotBeBrought(
  {
    kind,
    name,
    at,
  }: { readonly kind: 'constant' | 'variable' | 'definition'; readonly name: string; readonly at: Span },
  context: Context,
  scope: Scope,
): void {
  const entry = scope.find(name)
  if (entry === undefined || entry.isPassedOn === true || scope.declared.has(name) || isBuiltin(name)) return
  const known = entry.symbol
  const start = `\`${name}\` is already ${describeSymbol(known)} (${place(known.at)})`
  if (kind === 'definition' && known.kind === 'constant' && known.module === context.module) {
    throw new TlaError(
      'semantics',
      `${start}, so it cannot be defined: remove its declaration, or replace it in the configuration, as ` +
        `in \`CONSTANT ${name} <- My${name}\``,
      at,
    )
  }
  if (known.kind !== 'definition' || known.module === context.module) return
  const brought = `${start}: it comes from module \`${known.module}\``
  const value = `replace it for a check in the configuration, as in \`CONSTANT ${name} <- My${name}\``
  const isValue = known.parameters.length === 0 || name === 'Seq'
  const remedy =
    kind === 'constant'
      ? `remove this declaration; ${value}`
      : kind === 'variable'
        ? 'remove this declaration, or choose another name'
        : `remove this definition, or choose another name${isValue ? `; ${value}` : ''}`
  throw new TlaError('semantics', `${brought}; ${remedy}`, at)
}

function addMissing<T>(list: T[], more: readonly T[]): void {
  for (const each of more) if (!list.includes(each)) list.push(each)
}

function publicNames(scope: Scope): ReadonlyMap<string, Named> {
  const names = new Map<string, Named>()
  for (const [name, { symbol, through, isLocal, isStatement }] of scope.names) {
    if (!isLocal && !isStatement && symbol.kind !== 'bound') names.set(name, { symbol, through } as Named)
  }
  return names
}
