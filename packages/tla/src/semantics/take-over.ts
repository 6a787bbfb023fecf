/**
 * Imports names from other modules: EXTENDS imports symbols unchanged, so a definition reached on
 * two paths is one; INSTANCE without a name creates references through it. Names clash as in SANY.
 */
import { place, TlaError } from '../error/error.ts'
import type { Span } from '../error/span.ts'
import { isOwn } from '../library/modules.ts'
import type { Identifier } from '../syntax/ast.ts'
import type { Context } from './context.ts'
import { isExported, scopeOf } from './module-scope.ts'
import { aritiesOf } from './reference.ts'
import { describeSymbol, type Entry, type Scope } from './scope.ts'
import type { InstanceSymbol, Module } from './term.ts'
import { goThrough } from './through.ts'

/**
 * Community modules that now extend their helpers, which were LOCAL before. Specifications rely on
 * either: on `Range` from SequencesExt, or on defining their own.
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

/** EXTENDS: the names of another module that are not LOCAL. */
export function extend(context: Context, scope: Scope, module: Module, { at }: Identifier): void {
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

/** INSTANCE without a name: the definitions of the module, through the instance. */
export function take(context: Context, scope: Scope, instance: InstanceSymbol, isLocal: boolean, at: Span): void {
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
 * Of two that come to have one name the first keeps it, if they are of one kind: as for SANY, which
 * warns.
 *
 * @throws TlaError if they are not
 */
function mustBeAlike(context: Context, name: string, known: Entry, entry: Entry, isAlike: boolean, at: Span): void {
  const kind = describeSymbol(known.symbol)
  const both = `\`${name}\`, imported here (${place(entry.symbol.at)}), is already ${kind} (${place(known.symbol.at)})`
  if (known.isStatement !== entry.isStatement || !isAlike)
    throw new TlaError('semantics', `${both}: rename one of them`, at)
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
