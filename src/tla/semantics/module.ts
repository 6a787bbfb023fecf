/**
 * Modules resolved: unit by unit, in the order in which they stand, as a name has to be defined before it is used.
 *
 * EXTENDS takes over symbols as they are, so the same definition reached on two ways is one; INSTANCE gives references
 * that go through it. LOCAL names are seen in their module alone.
 */
import { MAX_ERRORS, place, TlaError, throwAll } from '../error.ts'
import { isOwn } from '../library/modules.ts'
import type { Identifier, ModuleSyntax, TheoremSyntax, Unit } from '../syntax/ast.ts'
import type { Span } from '../syntax/span.ts'
import { checkModule, type Leveled } from './check-levels.ts'
import { bound, type Context, closed } from './context.ts'
import { declareRecursive, defineFunction, defineOperator, mustBeDefinable, mustBeDefined } from './definition.ts'
import { resolve } from './expression.ts'
import { defineInstance, goThrough, resolveInstance } from './instance.ts'
import { within } from './label.ts'
import { aritiesOf } from './reference.ts'
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

/** While a statement has no body yet. */
const NO_BODY = undefined as unknown as Term

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
    for (const item of items) if ('kind' in item) closed.add(item)
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
        take(context, scope, instance, unit.local, unit.at)
        items.push(instance)
        return
      }
      case 'assume': {
        const symbol = unit.name === undefined ? undefined : statement(context, unit.name, NO_BODY)
        const run = () => resolve(context, unit.body, scope)
        const body = symbol === undefined ? run() : within(context, symbol, scope, run)
        const assumption: Assumption = { name: unit.name?.name, body, through: [], at: unit.at }
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
        if (unit.name !== undefined) nameTheorem(unit, unit.name)
        return
      case 'module': {
        const { name, at } = unit.name
        const known = scope.findModule(name) ?? context.loaded(name)
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
    const symbol = statement(context, name, NO_BODY)
    nameStatement(context, scope, symbol, () => {
      if (symbol.body !== undefined) return
      if (body === undefined) {
        throw new TlaError('semantics', `\`${name.name}\` is an ASSUME/PROVE, which is not an expression`, at)
      }
      context.origins.bodies.set(symbol, body)
      symbol.body = within(context, symbol, scope, () => resolve(context, body, scope))
    })
  }
}

/**
 * Goes on after a definition that is wrong, as if it were right, so that the next thing that is wrong is told as well. After
 * anything else, what follows would be wrong only because of it.
 *
 * @throws what was thrown, if there is no going on
 */
function goOnAfter(error: unknown, unit: Unit, scope: Scope, context: Context): TlaError {
  const isDefinition = unit.kind === 'operator' || unit.kind === 'function'
  if (!(error instanceof TlaError) || error.kind !== 'semantics' || error.at?.source !== unit.at.source) throw error
  if (!isDefinition && unit.kind !== 'assume') throw error
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

/** Between RECURSIVE and the definition of what it declares only definitions may stand. */
function mustNotInterrupt({ kind, at }: Unit, scope: Scope): void {
  if (scope.declared.size === 0) return
  if (kind !== 'constants' && kind !== 'variables' && kind !== 'assume' && kind !== 'theorem' && kind !== 'module')
    return
  const [{ name, at: declaredAt }] = scope.declared.values() as Iterable<DefinitionSymbol> as unknown as [
    DefinitionSymbol,
  ]
  throw new TlaError(
    'semantics',
    `only definitions may stand between the RECURSIVE declaration of \`${name}\` (${place(declaredAt)}) and its definition`,
    at,
  )
}

/** Binds a constant or variable; a second declaration of the same is the first one again, as for SANY. */
function declare(context: Context, scope: Scope, symbol: ConstantSymbol | VariableSymbol): boolean {
  const known = scope.find(symbol.name)?.symbol
  const isSame =
    known?.kind === symbol.kind && (known.kind === 'variable' || known.arity === (symbol as ConstantSymbol).arity)
  if (!isSame) {
    mustBeDefinable(symbol, scope)
    scope.bind(symbol.name, symbol.at, symbol)
    return true
  }
  const what = describeSymbol(known)
  context.warn(
    `\`${symbol.name}\` is declared as ${what} already (${place(known.at)}), and this is the same one`,
    symbol.at,
  )
  return false
}

function nameStatement(context: Context, scope: Scope, symbol: DefinitionSymbol, complete?: () => void): void {
  const known = scope.find(symbol.name)
  if (known?.isStatement) {
    context.warn(
      `a statement named \`${symbol.name}\` stands before (${place(known.symbol.at)}), and keeps the name`,
      symbol.at,
    )
    return
  }
  mustBeDefinable(symbol, scope)
  scope.names.set(symbol.name, { symbol, through: [], isLocal: false, isStatement: true, complete })
}

/** The name of an assumption or a theorem, which can be referred to as an operator without parameters. */
function statement(context: Context, { name, at }: Identifier, body: Term): DefinitionSymbol {
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

/**
 * Modules of the community that came to extend their helpers, and kept them to themselves before. Specifications rely on
 * either: on `Range` coming with SequencesExt, or on nobody minding their own.
 */
const PASSING_ON = new Set(['FiniteSetsExt', 'Functions', 'Graphs', 'Relation', 'SequencesExt'])

function passesOn(module: Module, { symbol }: Entry): boolean {
  return (
    symbol.kind === 'definition' &&
    symbol.module !== module.name &&
    PASSING_ON.has(module.name) &&
    isOwn(module.at.source)
  )
}

/** EXTENDS: what another module has, and does not keep to itself. */
function extend(context: Context, scope: Scope, module: Module, { at }: Identifier): void {
  const other = scopeOf(module)
  for (const [name, found] of other.names) {
    if (found.isLocal) continue
    const entry = passesOn(module, found) ? { ...found, isPassedOn: true } : found
    const known = scope.find(name)
    if (known === undefined || (known.isPassedOn === true && entry.isPassedOn !== true)) scope.names.set(name, entry)
    else if (entry.isPassedOn === true) continue
    else if (!isSame(known, entry)) {
      mustBeAlike(
        context,
        name,
        known,
        entry,
        isDeclared(known) ? isDeclared(entry) : isDefined(known) && isDefined(entry),
        at,
      )
    } else if (known.isLocal || !scope.names.has(name)) scope.names.set(name, entry)
  }
  for (const [name, submodule] of other.modules) scope.modules.set(name, submodule)
}

/** INSTANCE without a name: what the module defines, through the instance. */
function take(context: Context, scope: Scope, instance: InstanceSymbol, isLocal: boolean, at: Span): void {
  for (const [name, taken] of scopeOf(instance.module).names) {
    if (!isExported(taken)) continue
    const entry = { ...taken, through: goThrough(instance, [], taken.symbol, taken.through), isLocal }
    const known = scope.find(name)
    if (known === undefined) scope.names.set(name, entry)
    else if (!isSame(known, entry)) {
      const isAlike =
        isDefined(known) && isDefined(entry) && aritiesOf(known.symbol).length === aritiesOf(entry.symbol).length
      mustBeAlike(context, name, known, entry, isAlike, at)
    } else if (known.isLocal && !isLocal && scope.names.has(name)) scope.names.set(name, entry)
  }
}

/**
 * Of two that come to have one name the first keeps it, if they are of one kind: as for SANY, which warns.
 *
 * @throws TlaError if they are not
 */
function mustBeAlike(context: Context, name: string, known: Entry, entry: Entry, isAlike: boolean, at: Span): void {
  const kind = describeSymbol(known.symbol)
  const both = `\`${name}\`, which comes from here (${place(entry.symbol.at)}), is ${kind} already (${place(known.symbol.at)})`
  if (known.isStatement !== entry.isStatement || !isAlike)
    throw new TlaError('semantics', `${both}: name one of the two anew`, at)
  context.warn(`${both}, and that one keeps the name`, at)
}

function isDeclared({ symbol }: Entry): boolean {
  return symbol.kind === 'constant' || symbol.kind === 'variable'
}

function isDefined({ symbol }: Entry): boolean {
  return symbol.kind === 'definition' || symbol.kind === 'instance'
}

function isSame(left: Entry, right: Entry): boolean {
  return left.symbol === right.symbol && isSameWay(left, right)
}

function isSameWay({ through: left }: Entry, { through: right }: Entry): boolean {
  return left.length === right.length && left.every(({ instance }, at) => instance === right[at]!.instance)
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
