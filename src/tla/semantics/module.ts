/**
 * Modules resolved: unit by unit, in the order in which they stand, as a name has to be defined before it is used.
 *
 * EXTENDS takes over symbols as they are, so the same definition reached on two ways is one; INSTANCE gives references
 * that go through it. LOCAL names are seen in their module alone.
 */
import { place, TlaError } from '../error.ts'
import type { Identifier, ModuleSyntax, TheoremSyntax, Unit } from '../syntax/ast.ts'
import type { Span } from '../syntax/span.ts'
import { checkModule, type Leveled } from './check-levels.ts'
import type { Context } from './context.ts'
import { declareRecursive, defineFunction, defineOperator, mustBeDefinable, mustBeDefined } from './definition.ts'
import { resolve } from './expression.ts'
import { defineInstance, goThrough, resolveInstance } from './instance.ts'
import { describeSymbol, type Entry, Scope } from './scope.ts'
import type {
  Assumption,
  ConstantSymbol,
  DefinitionSymbol,
  InstanceSymbol,
  Module,
  Named,
  Term,
  VariableSymbol,
} from './term.ts'

/** The scope of each resolved module, with its LOCAL names. */
const scopes = new WeakMap<Module, Scope>()

export function scopeOf(module: Module): Scope {
  return scopes.get(module)!
}

/** What a name of a module is to those who instantiate it; undefined if it defines none of the name. */
export function exportsOf(module: Module, name: string): Entry | undefined {
  const entry = scopeOf(module).names.get(name)
  return entry === undefined || !isExported(entry) ? undefined : entry
}

function isExported({ symbol, isLocal }: Entry): boolean {
  return !isLocal && (symbol.kind === 'definition' || symbol.kind === 'instance')
}

/**
 * @param contextOf what resolving carries along, for a module of this name
 * @param around the scope of the module around it
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
    extend(scope, module, name)
    addMissing(constants, module.constants)
    addMissing(variables, module.variables)
    addMissing(assumptions, module.assumptions)
    for (const each of module.extended) extended.add(each)
    parents.push(module)
  }
  const items: Leveled[] = []
  extended.add(syntax.name.name)
  for (const unit of syntax.units) resolveUnit(unit)
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
  checkModule(module, items, parents)
  return module

  function resolveUnit(unit: Unit): void {
    switch (unit.kind) {
      case 'constants':
        for (const { name, arity } of unit.declared) {
          mustBeDefinable(name, scope)
          const symbol: ConstantSymbol = {
            kind: 'constant',
            name: name.name,
            arity,
            module: context.module,
            at: name.at,
          }
          scope.bind(name.name, name.at, symbol)
          constants.push(symbol)
        }
        return
      case 'variables':
        for (const { name, at } of unit.declared) {
          const symbol: VariableSymbol = { kind: 'variable', name, module: context.module, at }
          scope.bind(name, at, symbol)
          variables.push(symbol)
        }
        return
      case 'recursive':
        declareRecursive(context, unit, scope, false)
        return
      case 'operator':
        items.push(defineOperator(context, unit, scope, false))
        return
      case 'function':
        items.push(defineFunction(context, unit, scope, false))
        return
      case 'module definition':
        items.push(defineInstance(context, unit, scope))
        return
      case 'instance': {
        const instance = resolveInstance(context, unit, scope)
        take(scope, instance, unit.local, unit.at)
        items.push(instance)
        return
      }
      case 'assume': {
        const body = resolve(context, unit.body, scope)
        const assumption: Assumption = { name: unit.name?.name, body, through: [], at: unit.at }
        assumptions.push(assumption)
        items.push(assumption)
        if (unit.name !== undefined) {
          const symbol = formula(context, unit.name, body)
          context.origins.bodies.set(symbol, unit.body)
          scope.bind(unit.name.name, unit.name.at, symbol)
          items.push(symbol)
        }
        return
      }
      case 'theorem':
        if (unit.name !== undefined) nameTheorem(unit, unit.name)
        return
      case 'module': {
        const { name, at } = unit.name
        const known = scope.findModule(name)
        if (known !== undefined) {
          throw new TlaError('semantics', `there is a module \`${name}\` here already (${place(known.at)})`, at)
        }
        scope.modules.set(name, resolveModule(unit, contextOf, scope))
        return
      }
      case 'proof step':
        return
    }
  }

  /** Its statement is of no use to us unless somebody refers to it: then it is resolved. */
  function nameTheorem({ body, at }: TheoremSyntax, name: Identifier): void {
    const symbol = formula(context, name, undefined as unknown as Term)
    scope.bind(name.name, name.at, symbol, false, () => {
      if (symbol.body !== undefined) return
      if (body === undefined) {
        throw new TlaError('semantics', `\`${name.name}\` is an ASSUME/PROVE, which is not an expression`, at)
      }
      context.origins.bodies.set(symbol, body)
      symbol.body = resolve(context, body, scope)
    })
  }
}

/** The name of an assumption or a theorem, which can be referred to as an operator without parameters. */
function formula(context: Context, { name, at }: Identifier, body: Term): DefinitionSymbol {
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

/** EXTENDS: what another module has, and does not keep to itself. */
function extend(scope: Scope, module: Module, { at }: Identifier): void {
  const other = scopeOf(module)
  for (const [name, entry] of other.names) {
    if (!entry.isLocal) add(scope, name, entry, at)
  }
  for (const [name, submodule] of other.modules) scope.modules.set(name, submodule)
}

/** INSTANCE without a name: what the module defines, through the instance. */
function take(scope: Scope, instance: InstanceSymbol, isLocal: boolean, at: Span): void {
  for (const [name, entry] of scopeOf(instance.module).names) {
    if (!isExported(entry)) continue
    add(scope, name, { ...entry, through: goThrough(instance, [], entry.through), isLocal }, at)
  }
}

/** @throws TlaError if the name stands for something else already */
function add(scope: Scope, name: string, entry: Entry, at: Span): void {
  const known = scope.find(name)
  if (known === undefined) {
    scope.names.set(name, entry)
    return
  }
  if (known.symbol === entry.symbol && isSameWay(known, entry)) {
    if (known.isLocal && !entry.isLocal && scope.names.has(name)) scope.names.set(name, entry)
    return
  }
  throw new TlaError(
    'semantics',
    `\`${name}\` comes from here (${place(entry.symbol.at)}), and is ${describeSymbol(known.symbol)} already (${place(known.symbol.at)}): name one of the two anew`,
    at,
  )
}

function isSameWay({ through: left }: Entry, { through: right }: Entry): boolean {
  return left.length === right.length && left.every(({ instance }, at) => instance === right[at]!.instance)
}

function addMissing<T>(list: T[], more: readonly T[]): void {
  for (const each of more) if (!list.includes(each)) list.push(each)
}

function publicNames(scope: Scope): ReadonlyMap<string, Named> {
  const names = new Map<string, Named>()
  for (const [name, { symbol, through, isLocal, complete }] of scope.names) {
    if (!isLocal && complete === undefined && symbol.kind !== 'bound') names.set(name, { symbol, through } as Named)
  }
  return names
}
