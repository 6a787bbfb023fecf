/**
 * Why a name is unknown, as the end of the message: it is defined further down, or in itself, or
 * bound in an expression that has ended; a module that is not extended defines it; it is a known
 * mistake, or a typo.
 *
 * For errors only: walks the syntax of the module, and reads the modules of norn.
 */

import type { Span } from '../error/span.ts'
import { ownModule } from '../library/modules.ts'
import { adviceAt } from '../syntax/advice.ts'
import type { Bound, Identifier, ModuleSyntax, OperatorSyntax, Unit } from '../syntax/ast.ts'
import { ownModuleThatDefines } from './library.ts'
import { meantOf } from './nearest.ts'
import type { Scope } from './scope.ts'

/**
 * @param at location of the name
 * @param syntax the module of the name, if there is one
 * @returns the end of a sentence with its punctuation; empty without advice
 */
export function explainUnknown(name: string, at: Span, scope: Scope, syntax: ModuleSyntax | undefined): string {
  const isOfModule = syntax !== undefined && syntax.at.source === at.source
  const own = isOfModule ? (definedLater(name, at, syntax) ?? boundElsewhere(name, at, syntax)) : undefined
  if (own !== undefined) return own
  const advice = adviceAt(at)
  return advice === undefined ? (ofModule(name) ?? meantOf(name, scope.visible())) : `: ${advice}`
}

// In the module

function definedLater(name: string, at: Span, { units }: ModuleSyntax): string | undefined {
  for (const unit of units) {
    if (unit.kind === 'module' && contains(unit.at, at)) return definedLater(name, at, unit)
    if (!('name' in unit) || unit.name?.name !== name || unit.kind === 'module') continue
    if (contains(unit.at, at)) return unit.kind === 'operator' ? inItself(unit) : undefined
    const { line } = unit.name.at
    const isOperator = unit.kind === 'operator'
    return ` before line ${line}: move its definition up${isOperator ? ', or declare it as RECURSIVE first' : ''}`
  }
  return undefined
}

function inItself({ name, parameters, body }: OperatorSyntax): string {
  if (parameters.length === 0 && ownModuleThatDefines(name.name) !== undefined) return ofModule(name.name)!
  if (parameters.length === 0 && body.kind === 'function') {
    return ` within its own definition: write a recursive function as \`${name.name}[x \\in S] == …\``
  }
  const places = parameters.map(() => '_').join(', ')
  const declared = `${name.name}${parameters.length > 0 ? `(${places})` : ''}`
  return ` within its own definition: write \`RECURSIVE ${declared}\` before it`
}

/** A name that another expression of the same unit binds, or a LET in it defines. */
function boundElsewhere(name: string, at: Span, { units }: ModuleSyntax): string | undefined {
  const unit = units.find((each) => contains(each.at, at))
  if (unit === undefined) return undefined
  if (unit.kind === 'module') return boundElsewhere(name, at, unit)
  let nearest: Binding | undefined
  for (const node of nodesOf(unit)) {
    if (isDefinition(node) && node.name.name === name) {
      if (node.kind === 'operator' && contains(node.body.at, at)) return inItself(node)
      nearest = nearer(nearest, { identifier: node.name, scope: node.at, isDefined: true }, at)
      continue
    }
    const bounds = node.bounds ?? (node.bound === undefined ? [] : [node.bound])
    const isUnbounded = node.kind === 'unbounded quantifier' || node.kind === 'choose'
    const bound = isUnbounded ? (node.names ?? []) : bounds.flatMap(({ names }) => names)
    const identifier = bound.find((each) => each.name === name)
    if (identifier === undefined || node.at === undefined) continue
    if (bounds.some(({ set }) => contains(set.at, at))) {
      return (
        ` in this set: it is bound in the same list (${identifier.at.line}:${identifier.at.column}); ` +
        'bind it in a quantifier of its own around this one'
      )
    }
    nearest = nearer(nearest, { identifier, scope: node.at, isDefined: false }, at)
  }
  if (nearest === undefined) return undefined
  const { identifier, scope, isDefined } = nearest
  const place = `${identifier.at.line}:${identifier.at.column}`
  if (isDefined) return ` here: the \`LET\` that defines it (${place}) has ended`
  return ` here: the expression that binds it (${place}) ends at ${scope.endLine}:${scope.endColumn}`
}

/** Where a name is bound or defined, and the expression in which it is known. */
interface Binding {
  readonly identifier: Identifier
  readonly scope: Span
  readonly isDefined: boolean
}

/** The last one before a place, or else the first one. */
function nearer(known: Binding | undefined, next: Binding, at: Span): Binding {
  const isBefore = next.scope.line < at.line || (next.scope.line === at.line && next.scope.column < at.column)
  return known === undefined || isBefore ? next : known
}

interface Node {
  readonly kind?: string
  readonly at?: Span
  readonly bounds?: readonly Bound[]
  readonly bound?: Bound
  readonly names?: readonly Identifier[]
}

function isDefinition(node: Node): node is Node & OperatorSyntax {
  // Expressions that are functions or records have no name.
  const { kind, name } = node as { kind?: string; name?: unknown }
  return (kind === 'operator' || kind === 'function') && typeof name === 'object'
}

/** All syntax nodes of a unit, outermost first. */
function* nodesOf(unit: Unit): Iterable<Node> {
  const waiting: object[] = [unit]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!Array.isArray(next)) yield next as Node
    for (const [key, value] of Object.entries(next).reverse()) {
      if (typeof value === 'object' && value !== null && !/at$/i.test(key)) waiting.push(value)
    }
  }
}

function contains(outer: Span, inner: Span): boolean {
  if (inner.line < outer.line || inner.line > outer.endLine) return false
  if (inner.line === outer.line && inner.column < outer.column) return false
  return inner.line !== outer.endLine || inner.column <= outer.endColumn
}

function ofModule(name: string): string | undefined {
  const module = ownModuleThatDefines(name)
  if (module !== undefined) {
    const what = name === '-.' ? ' (unary minus)' : ''
    return `${what}: add \`EXTENDS ${module}\`, the module that defines it`
  }
  if (ownModule(name) === undefined) return undefined
  return `: it is a module; add \`EXTENDS ${name}\` and use its names without a prefix`
}
