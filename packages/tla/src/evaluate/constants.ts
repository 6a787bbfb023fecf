/** Applies the configuration to constants and definitions: values and replacements (`<-`). */
import type { Configuration, ConfigurationValue, ConstantSetting } from '../configuration/configuration.ts'
import { TlaError } from '../error/error.ts'
import type { Source } from '../error/span.ts'
import { modulesOf, type Warning } from '../semantics/load.ts'
import { scopeOf } from '../semantics/module.ts'
import { meant, meantOf } from '../semantics/nearest.ts'
import type { ConstantSymbol, DefinitionSymbol, Module, Symbol as TermSymbol } from '../semantics/term.ts'
import type { Identifier } from '../syntax/ast.ts'
import type { Arena } from '../values/arena.ts'
import { equal } from '../values/equality.ts'
import type { Canonical, ModelValue, Operator, Value } from '../values/value.ts'
import { Cell } from './code.ts'
import { failure, shown } from './failures.ts'
import { isNamed, type NamedSymbol, named } from './names.ts'
import type { Binding } from './scope.ts'

export interface Constants {
  /** The values of the root module's constants. */
  readonly bindings: ReadonlyMap<TermSymbol, Binding>
  /** The replacements of definitions, and of constants by `<-`. */
  readonly overrides: ReadonlyMap<TermSymbol, readonly Override[]>
  /** The model values of the configuration, by their names. */
  readonly modelValues: ReadonlyMap<string, ModelValue>
  readonly warnings: readonly Warning[]
}

/** The replacement of a symbol. */
export type Override = (
  | { readonly kind: 'definition'; readonly target: NamedSymbol }
  | { readonly kind: 'binding'; readonly binding: Binding }
) & {
  /** The source of the module it applies to (`Nat <- [M]Small`); undefined: everywhere. */
  readonly within: Source | undefined
  /** Whether it is `Foo <- Bar` of the root module, which as in TLC does not replace `I!Foo`. */
  readonly isOfRoot: boolean
}

type Overridable = ConstantSymbol | DefinitionSymbol

/**
 * @throws TlaError for unknown names, located in the configuration, and for a constant without a
 *   value, located at the constant
 */
export function constantsOf(module: Module, configuration: Configuration | undefined, arena: Arena): Constants {
  const bindings = new Map<TermSymbol, Binding>()
  const overrides = new Map<TermSymbol, Override[]>()
  const tables = new Map<TermSymbol, [readonly Canonical[], Canonical][]>()
  const modelValues = modelValuesIn(configuration, arena)
  const warnings: Warning[] = []
  for (const setting of configuration?.constants ?? []) {
    const settable = settableOf(module, setting, modelValues)
    if (settable === undefined) {
      if (!isModelValue(setting)) warnings.push(unusedValue(setting))
      continue
    }
    const override = overrideOf(module, setting, settable, arena, tables)
    const { symbol } = settable
    if (symbol.kind === 'constant' && override.kind === 'binding') bindings.set(symbol, override.binding)
    else overrides.set(symbol, [...(overrides.get(symbol) ?? []), override])
  }
  for (const constant of module.constants) {
    if (bindings.has(constant) || overrides.has(constant)) continue
    const how = constant.arity > 0 ? `${constant.name} <- SomeDefinition` : `${constant.name} = …`
    throw new TlaError(
      'configuration',
      `the constant ${constant.name} has no value: add \`CONSTANT ${how}\` to the configuration`,
      constant.at,
    )
  }
  return { bindings, overrides, modelValues, warnings }
}

function modelValuesIn(configuration: Configuration | undefined, arena: Arena): ReadonlyMap<string, ModelValue> {
  const found = new Map<string, ModelValue>()
  const collect = (value: ConfigurationValue): void => {
    if (value.kind === 'model value') found.set(value.name, arena.modelValue(value.name))
    else if (value.kind === 'set') value.items.forEach(collect)
  }
  for (const { value, arguments: given = [] } of configuration?.constants ?? []) {
    for (const each of value === undefined ? given : [...given, value]) collect(each)
  }
  return found
}

interface Settable {
  readonly symbol: Overridable
  readonly within: Source | undefined
}

/** Whether a setting only declares a model value: `m1 = m1`. */
function isModelValue({ name, value }: ConstantSetting): boolean {
  return value?.kind === 'model value' && value.name === name.name
}

/** Whether a name is that of a model value, or numbered like one: `s3` next to `s1` and `s2`. */
function isLikeOne(name: string, modelValues: ReadonlyMap<string, ModelValue>): boolean {
  if (modelValues.has(name)) return true
  const stem = name.replace(/\d+$/, '')
  return stem !== name && [...modelValues.keys()].some((other) => other.replace(/\d+$/, '') === stem)
}

/** Warns of `s1 = 1` where `s1` is a model value, as in `Server = {s1, s2}`. TLC does not. */
function unusedValue({ name }: ConstantSetting): Warning {
  const message = `\`${name.name}\` is a model value, not a constant: the value is ignored`
  return { message, at: name.at }
}

/** The symbol that a setting sets; undefined for a model value. */
function settableOf(
  root: Module,
  setting: ConstantSetting,
  modelValues: ReadonlyMap<string, ModelValue>,
): Settable | undefined {
  const { name, module: other } = setting
  const module = other === undefined ? root : modulesOf(root).get(other.name)
  if (module === undefined) {
    const near = meant(other!.name, modulesOf(root).keys())
    throw configurationError(`the specification has no module \`${other!.name}\`${near}`, other!)
  }
  const within = other === undefined ? undefined : module.at.source
  const constant = module.constants.find((candidate) => candidate.name === name.name)
  if (constant !== undefined) return { symbol: constant, within: undefined }
  // LOCAL definitions of a module can be replaced too.
  const found = other === undefined ? named(module, name.name) : scopeOf(module).find(name.name)
  if (found?.symbol.kind === 'definition') {
    // The module's own definition is replaced everywhere.
    const isItsOwn = found.symbol.module === other?.name
    return { symbol: found.symbol, within: isItsOwn ? undefined : within }
  }
  if (found === undefined && other === undefined && isLikeOne(name.name, modelValues)) return undefined
  const what = found === undefined ? 'does not exist' : 'is neither a constant nor a definition'
  const near = meantOf(name.name, [
    ...module.constants.map((symbol) => [symbol.name, { symbol }] as const),
    ...module.names,
  ])
  throw configurationError(
    `the configuration gives a value to \`${name.name}\`, which ${what} in module ${module.name}${near}`,
    name,
  )
}

function overrideOf(
  root: Module,
  { name, module: other, arguments: given, value, definition }: ConstantSetting,
  { symbol, within }: Settable,
  arena: Arena,
  tables: Map<TermSymbol, [readonly Canonical[], Canonical][]>,
): Override {
  const arity = symbol.kind === 'constant' ? symbol.arity : symbol.parameters.length
  if (definition !== undefined) {
    const target = named(root, definition.name)
    if (target === undefined || !isNamed(target) || target.symbol.kind === 'variable') {
      const near = meantOf(definition.name, root.names)
      throw configurationError(
        `the configuration replaces \`${name.name}\` with \`${definition.name}\`, but module ` +
          `${root.name} does not define \`${definition.name}\`${near}`,
        definition,
      )
    }
    const found = target.symbol.kind === 'constant' ? target.symbol.arity : target.symbol.parameters.length
    if (found !== arity) {
      throw configurationError(
        `\`${definition.name}\` has ${countOf(found)} and cannot replace \`${name.name}\`, which has ${countOf(arity)}`,
        definition,
      )
    }
    if (symbol.kind === 'constant' && arity === 0 && target.symbol.kind === 'definition') {
      const { level } = target.symbol
      if (level !== 'constant') {
        const about = level === 'state' ? 'reads variables' : level === 'action' ? 'has a prime' : 'is temporal'
        throw configurationError(
          `\`${definition.name}\` ${about}, so it cannot replace the constant \`${name.name}\``,
          definition,
        )
      }
    }
    if (target.symbol === symbol) {
      throw configurationError(`the configuration replaces \`${name.name}\` with itself`, definition)
    }
    return { kind: 'definition', target, within, isOfRoot: other === undefined }
  }
  const constant = constantValue(value!, arena)
  if (given === undefined || given.length === 0) {
    if (arity > 0) {
      throw configurationError(
        `\`${name.name}\` is an operator with ${countOf(arity)}: replace it with a definition, as in ` +
          `\`${name.name} <- SomeDefinition\``,
        name,
      )
    }
    return { kind: 'binding', binding: { kind: 'known', value: constant }, within, isOfRoot: other === undefined }
  }
  if (given.length !== arity) {
    throw configurationError(`\`${name.name}\` has ${countOf(arity)}, found ${given.length}`, name)
  }
  const table = tables.get(symbol) ?? []
  tables.set(symbol, table)
  table.push([given.map((each) => constantValue(each, arena)), constant])
  const cell = new Cell(name.name)
  const operator: Operator = (...values) => lookUp(name.name, table, values)
  cell.value = operator
  return { kind: 'binding', binding: { kind: 'operator cell', cell }, within, isOfRoot: other === undefined }
}

/** The value of a constant operator that the configuration gives as a table. */
function lookUp(name: string, table: readonly [readonly Canonical[], Canonical][], values: readonly Value[]): Value {
  for (const [key, value] of table) if (key.every((part, at) => equal(part, values[at]!))) return value
  throw failure(`the configuration gives ${name}(${values.map(shown).join(', ')}) no value`)
}

function constantValue(value: ConfigurationValue, arena: Arena): Canonical {
  switch (value.kind) {
    case 'number':
    case 'boolean':
      return value.value
    case 'string':
      return arena.string(value.value)
    case 'model value':
      return arena.modelValue(value.name)
    case 'set':
      try {
        return arena.set(value.items.map((item) => constantValue(item, arena)))
      } catch (error) {
        if (!(error instanceof TlaError)) throw error
        throw new TlaError('configuration', error.message, error.at ?? value.at)
      }
  }
}

function countOf(count: number): string {
  return count === 0 ? 'no parameters' : count === 1 ? '1 parameter' : `${count} parameters`
}

function configurationError(message: string, { at }: Identifier): TlaError {
  return new TlaError('configuration', message, at)
}
