/**
 * Compiles references: names with their arguments and instances.
 *
 * Definitions are expanded in place, with their arguments closed over the scope of the reference,
 * so an unused argument is never evaluated. Definitions of a module without parameters are compiled
 * once for all references. Recursive definitions, and those expanded too often, are called instead
 * (calls.ts).
 */

import { randomFrom } from '#shared/random'
import type { Source, Span } from '../error/span.ts'
import { nativeFor } from '../library/natives.ts'
import type {
  Argument,
  BoundSymbol,
  ConstantSymbol,
  DefinitionSymbol,
  InstanceSymbol,
  Term,
  Symbol as TermSymbol,
  Through,
  VariableSymbol,
} from '../semantics/term.ts'
import type { Operator, Value } from '../values/value.ts'
import { callOf, callWith, type Use } from './calls.ts'
import {
  type Cell,
  type Code,
  cellCode,
  clearing,
  codeOf,
  isDoneOnce,
  isFixed,
  keptIn,
  knownCode,
  once,
  SETTLED,
  UNSETTLED,
} from './code.ts'
import type { Compiler } from './compiler.ts'
import type { Override } from './constants.ts'
import type { Context } from './context.ts'
import { Deferred } from './deferred.ts'
import { failure, unassigned } from './failures.ts'
import { nativeCall } from './natives.ts'
import { Base, type Binding, Closed, close, extend, lookup, Nested, type Scope } from './scope.ts'
import { isNestedInstance, type Reference } from './terms.ts'

/** The meaning of a reference, resolved through instances and bindings. */
export type Resolved =
  | { readonly kind: 'binding'; readonly binding: Binding }
  | {
      readonly kind: 'definition'
      readonly definition: DefinitionSymbol
      readonly scope: Scope
      readonly nested: Nested | undefined
    }

/** Bound on chains of replacements. */
const MOST_OVERRIDES = 100

export function resolve(
  compiler: Compiler,
  term: Pick<Reference, 'symbol' | 'through'> & { readonly at?: Span },
  scope: Scope,
  overridden = 0,
): Resolved {
  const place = enter(term.through, scope)
  const isByInstance = term.through.at(-1)?.instance.name !== undefined
  return resolveSymbol(compiler, term.symbol, place, term.at?.source, isByInstance, overridden)
}

function resolveSymbol(
  compiler: Compiler,
  symbol: TermSymbol,
  place: Scope,
  source: Source | undefined,
  isByInstance: boolean,
  overridden: number,
): Resolved {
  const override = compiler.overrides
    .get(symbol)
    ?.find(({ within, isOfRoot }) => (within === undefined || within === source) && !(isOfRoot && isByInstance))
  if (override !== undefined && !isBuiltOn(compiler, symbol, override)) {
    if (override.kind === 'binding') return { kind: 'binding', binding: override.binding }
    if (overridden > MOST_OVERRIDES) throw failure(`${symbol.name} is replaced by itself through other replacements`)
    return resolve(compiler, override.target, { base: compiler.root, local: undefined }, overridden + 1)
  }
  const binding = lookup(symbol, place)
  if (symbol.kind === 'definition') {
    if (binding instanceof Nested)
      return { kind: 'definition', definition: symbol, scope: binding.scope, nested: binding }
    if (binding !== undefined) return { kind: 'binding', binding }
    const own = symbol.isNested ? place : { base: place.base, local: undefined }
    return { kind: 'definition', definition: symbol, scope: own, nested: undefined }
  }
  if (binding === undefined) throw failure(`${symbol.name} has no value`)
  return { kind: 'binding', binding }
}

/** Within the replacement of a definition, the original applies: the replacement may build on it. */
function isBuiltOn(compiler: Compiler, symbol: TermSymbol, override: Override): boolean {
  if (override.kind !== 'definition') return false
  return compiler.isWithin(symbol) || compiler.isWithin(override.target.symbol)
}

/** Whether a definition is neither native nor recursive, so that its body can stand for it. */
export function isPlainDefinition(definition: DefinitionSymbol): boolean {
  return !definition.isRecursive && nativeFor(definition) === undefined
}

/** The scope of the module that a reference leads into. */
function enter(through: readonly Through[], scope: Scope): Scope {
  let place = scope
  for (const { instance, arguments: given } of through) place = enterInstance(instance, given, place, scope)
  return place
}

function enterInstance(instance: InstanceSymbol, given: readonly Argument[], place: Scope, caller: Scope): Scope {
  const isNested = isNestedInstance(instance)
  const isShared = given.length === 0 && !isNested
  const known = isShared ? place.base.instances.get(instance) : undefined
  if (known !== undefined) return { base: known, local: undefined }
  let around: Scope = isNested ? place : { base: place.base, local: undefined }
  for (const [at, argument] of given.entries()) {
    const parameter = instance.parameters[at]!
    around = extend(around, parameter, close(parameter.name, argument, caller, false))
  }
  const bindings = new Map<ConstantSymbol | VariableSymbol, Binding>()
  for (const [symbol, argument] of instance.substitutions) {
    bindings.set(symbol, close(symbol.name, argument, around, false))
  }
  const base = new Base(bindings, place.base)
  if (isShared) place.base.instances.set(instance, base)
  return { base, local: undefined }
}

/** A reference as an expression. */
export function reference(use: Use): Code {
  const { compiler, term, scope, context } = use
  const resolved = resolve(compiler, term, scope)
  if (resolved.kind === 'binding') return bound(use, resolved.binding)
  const { definition, scope: place, nested } = resolved
  const native = nativeFor(definition)
  if (native !== undefined) return nativeCall(compiler, definition, native, term.arguments, scope, context)
  if (definition.isRecursive) return callOf(use, definition, place, nested)
  if (definition.parameters.length === 0 && !definition.isNested)
    return shared(compiler, definition, place, term, context)
  if (!compiler.mayExpand(definition)) return callOf(use, definition, place, nested)
  return expanded(use, definition.name, definition, place)
}

function bound(use: Use, binding: Binding): Code {
  const { compiler, term, context, isApplied } = use
  switch (binding.kind) {
    case 'known':
      return knownCode(binding.value)
    case 'cell':
      switch (binding.role) {
        case 'binder':
          return cellCode(binding.cell)
        case 'parameter':
          return parameterCode(binding.cell)
        case 'recursive function':
          return { ...cellCode(binding.cell), mayNotEnd: true }
      }
      break
    case 'variable':
      return variable(compiler, binding.index, context, compiler.variables[binding.index]!)
    case 'inner variable':
      return binding.state === context.state
        ? variable(compiler, binding.index, context, binding.name)
        : bound(use, binding.substituted)
    case 'closed':
      return closedCode(compiler, binding, context, isApplied)
    case 'closed operator':
      return expanded(use, term.symbol.name, binding.argument, binding.scope)
    case 'operator cell': {
      const { cell } = binding
      return callWith(use, () => cell.value as Operator, cell)
    }
    case 'nested':
      throw failure(`${term.symbol.name} is used before it is defined`)
  }
}

function variable(compiler: Compiler, index: number, context: Context, name: string): Code {
  const { state, reads, isPrimed, carried } = context
  compiler.mention(index)
  if (reads === SETTLED) {
    return { ...codeOf(() => state[index] as Value, []), reads: SETTLED, isSimple: true }
  }
  const run = () => {
    const value = state[index] ?? carried?.[index]
    if (value === undefined) throw unassigned(name, isPrimed)
    return value
  }
  return { ...codeOf(run, []), reads, isSimple: true }
}

function parameterCode(cell: Cell): Code {
  const run = () => {
    const { value } = cell
    return value instanceof Deferred ? value.get() : (value as Value)
  }
  return { ...cellCode(cell), run, raw: cell }
}

/** A use of an argument or of a LET definition: cached after the first use if it cannot change. */
function closedCode(compiler: Compiler, closed: Closed, context: Context, isApplied: boolean): Code {
  const known = closed.codes.get(context)
  if (known !== undefined && !(isApplied && known.mayNotEnd)) return known
  const before = isApplied ? closed.applied.get(context) : undefined
  if (before !== undefined) return before
  const code = compiler.compile(closed.term, closed.scope, context, isApplied)
  let used = code
  if (closed.isKept && !code.isSimple && code.reads !== UNSETTLED && !isFixed(code)) {
    const cell = compiler.cell(closed.name)
    closed.cells.push(cell)
    used = keptIn(cell, code)
  }
  const codes = isApplied && code.mayNotEnd ? closed.applied : closed.codes
  codes.set(context, used)
  return used
}

/** A module's definition without parameters, compiled once. */
function shared(
  compiler: Compiler,
  definition: DefinitionSymbol,
  { base }: Scope,
  term: Reference,
  context: Context,
): Code {
  let codes = base.definitions.get(definition)
  if (codes === undefined) base.definitions.set(definition, (codes = new Map()))
  const known = codes.get(context)
  if (known !== undefined) return known
  const leave = compiler.entering(definition)
  const body = compiler.compile(definition.body, { base, local: undefined }, context)
  leave()
  const framed = compiler.framed(body, definition.name, term.at, [], { base, local: undefined })
  const code = isDoneOnce(framed) ? doneOnce(compiler, definition, base, framed) : framed
  // The facts of code with pending operators may still change.
  if (code.pending.size === 0) codes.set(context, code)
  return code
}

/**
 * Shared by all contexts. Its random choices depend on its name alone, not on when it is first
 * evaluated, so that repeating an evaluation for diagnosis makes the same choices.
 */
function doneOnce(compiler: Compiler, definition: DefinitionSymbol, base: Base, code: Code): Code {
  const known = base.doneOnce.get(definition)
  if (known !== undefined) return known
  const { surroundings } = compiler
  const { run } = code
  const letters = Array.from(definition.name, (letter) => letter.codePointAt(0)!)
  const done = once({
    ...code,
    run: () => {
      const { random } = surroundings
      surroundings.random = randomFrom(surroundings.seed, ...letters)
      try {
        return run()
      } finally {
        surroundings.random = random
      }
    },
  })
  base.doneOnce.set(definition, done)
  return done
}

interface OperatorBody {
  readonly parameters: readonly BoundSymbol[]
  readonly body: Term
}

/** Compiles the body of an operator in place of a reference to it. */
function expanded(use: Use, name: string, { parameters, body }: OperatorBody, place: Scope): Code {
  const { compiler, term, scope, context, isApplied } = use
  const expansion = expand(parameters, place, term.arguments, scope)
  const leave = compiler.entering(term.symbol)
  const code = compiler.compile(body, expansion.scope, context, isApplied)
  leave()
  const cells = expansion.closed.flatMap((closed) => closed.cells)
  const run = clearing(cells, code.run)
  const whole = run === code.run ? code : codeOf(run, [code], cells)
  return compiler.framed(whole, name, term.at, parameters, expansion.scope)
}

/**
 * The scope of the body of an operator, its parameters bound to arguments.
 *
 * @param isKept whether values of arguments are cached, to be cleared by the caller
 */
export function expand(
  parameters: readonly BoundSymbol[],
  place: Scope,
  given: readonly Argument[],
  scope: Scope,
  isKept = true,
): { readonly scope: Scope; readonly closed: readonly Closed[] } {
  let inner = place
  const closed: Closed[] = []
  for (const [at, parameter] of parameters.entries()) {
    const binding = close(parameter.name, given[at]!, scope, isKept)
    // A name that is passed on is cleared where it was bound.
    if (binding instanceof Closed && binding.term === given[at]) closed.push(binding)
    inner = extend(inner, parameter, binding)
  }
  return { scope: inner, closed }
}

/**
 * The scope of a LET: its definitions see each other and the enclosing scope.
 *
 * @param isKept whether values of definitions are cached, to be cleared by the caller
 */
export function letScope(
  definitions: readonly DefinitionSymbol[],
  scope: Scope,
  isKept = true,
): { readonly scope: Scope; readonly closed: readonly Closed[] } {
  let inner = scope
  const closed: Closed[] = []
  const bindings: (Closed | Nested)[] = []
  for (const definition of definitions) {
    const isPlain = definition.parameters.length === 0 && !definition.isRecursive
    const binding = isPlain ? new Closed(definition.name, definition.body, scope, isKept) : new Nested(scope)
    bindings.push(binding)
    if (binding instanceof Closed) closed.push(binding)
    inner = extend(inner, definition, binding)
  }
  for (const binding of bindings) binding.scope = inner
  return { scope: inner, closed }
}
