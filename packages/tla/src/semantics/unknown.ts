/**
 * Why a name may not be known, as the end of the sentence that says so: it is defined further down, or in itself, or bound in an
 * expression that has ended; a module that is not extended defines it; it is a word of another language, or a slip.
 *
 * For errors only: walks the syntax of the module, and reads modules of norn.
 */
import { ownModule } from '../library/modules.ts'
import type { Bound, Identifier, ModuleSyntax, OperatorSyntax, Unit } from '../syntax/ast.ts'
import { foreignCommand, foreignName, foreignOperator } from '../syntax/foreign.ts'
import type { Span } from '../syntax/span.ts'
import { ownModuleThatDefines } from './library.ts'
import { meant } from './nearest.ts'
import type { Scope } from './scope.ts'

/**
 * @param at where the name stands
 * @param syntax the module it stands in, if it stands in one
 * @returns the end of a sentence, with the mark before it; empty if there is nothing to say
 */
export function explainUnknown(name: string, at: Span, scope: Scope, syntax: ModuleSyntax | undefined): string {
  const isOfModule = syntax !== undefined && syntax.at.source === at.source
  const own = isOfModule ? (definedLater(name, at, syntax) ?? boundElsewhere(name, at, syntax)) : undefined
  return (
    own ??
    foreignMark(name, at) ??
    ofModule(name) ??
    ofTheLanguage(name, scope) ??
    withSubscript(name, scope) ??
    (meant(name, scope.visible()) || modelValue(name))
  )
}

// In the module

function definedLater(name: string, at: Span, { units }: ModuleSyntax): string | undefined {
  for (const unit of units) {
    if (unit.kind === 'module' && contains(unit.at, at)) return definedLater(name, at, unit)
    if (!('name' in unit) || unit.name?.name !== name || unit.kind === 'module') continue
    if (contains(unit.at, at)) return unit.kind === 'operator' ? inItself(unit) : undefined
    const { line } = unit.name.at
    const isOperator = unit.kind === 'operator'
    return ` before line ${line}: move its definition up${isOperator ? ', or declare it by RECURSIVE before it is used' : ''}`
  }
  return undefined
}

function inItself({ name, parameters, body }: OperatorSyntax): string {
  if (parameters.length === 0 && ownModuleThatDefines(name.name) !== undefined) return ofModule(name.name)!
  if (parameters.length === 0 && body.kind === 'function') {
    return ` within its own definition: a function that refers to itself is defined by \`${name.name}[x \\in S] == …\``
  }
  const places = parameters.map(() => '_').join(', ')
  const declared = `${name.name}${parameters.length > 0 ? `(${places})` : ''}`
  return ` within its own definition: write \`RECURSIVE ${declared}\` on a line before it`
}

/**
 * A name that an expression of the same unit binds, or a LET defines, and that is not known here: because that expression has
 * ended, or because it stands in the set that the name is bound in.
 */
function boundElsewhere(name: string, at: Span, { units }: ModuleSyntax): string | undefined {
  const unit = units.find((each) => contains(each.at, at))
  if (unit === undefined) return undefined
  if (unit.kind === 'module') return boundElsewhere(name, at, unit)
  let ended: Ended | undefined
  let isInBound = false
  let isLeftOfIn = false
  for (const node of nodesOf(unit)) {
    if (isFilterByMembership(node, name, at)) {
      return ' here: `{x \\in S : P}` binds x alone, and takes the elements of S for which P holds; the union of the sets is `UNION {S : n \\in T}`'
    }
    isInBound ||= setsOf(node).some((set) => contains(set, at))
    isLeftOfIn ||= isMembershipOf(node, at)
    if (node.kind === 'set' && node.items?.length === 1 && isMembershipOf(node.items[0]!, at)) {
      return `: to bind it a set has a condition, as in \`{${name} \\in S : P}\``
    }
    if (isDefinition(node) && node.name.name === name) {
      if (node.kind === 'operator' && contains(node.body.at, at)) return inItself(node)
      ended = nearer(ended, { identifier: node.name, whole: node.at, isDefined: true }, at)
      continue
    }
    for (const bound of boundsOf(node)) {
      const identifier = bound.names.find((each) => each.name === name)
      if (identifier === undefined) continue
      if (setsOf(node).some((set) => contains(set, at))) {
        return (
          ` here: it is bound at ${identifier.at.line}:${identifier.at.column}, and no set of the same list can refer to it; ` +
          'a condition stands after the `:`, and a set that depends on it in a bound of its own'
        )
      }
      if (node.at !== undefined) ended = nearer(ended, { identifier, whole: node.at, isDefined: false }, at)
    }
  }
  if (isInBound && isLeftOfIn) {
    return ' here: to be bound, as one more of several, it stands after a comma, as in `x \\in S, y \\in T`'
  }
  if (ended === undefined) return undefined
  const { identifier, whole, isDefined } = ended
  const place = `${identifier.at.line}:${identifier.at.column}`
  if (isDefined) return ` here: the definition of ${place} is one of a \`LET\`, and known only in that`
  const end = `${whole.endLine}:${whole.endColumn}`
  return ` here: what is bound at ${place} is known only to the end of its expression, ${end}`
}

/** What made a name known, in an expression that has ended. */
interface Ended {
  readonly identifier: Identifier
  readonly whole: Span
  readonly isDefined: boolean
}

/** The last one before a place, or else the first one. */
function nearer(known: Ended | undefined, next: Ended, at: Span): Ended {
  const isBefore = next.whole.line < at.line || (next.whole.line === at.line && next.whole.column < at.column)
  return known === undefined || isBefore ? next : known
}

interface Node {
  readonly kind?: string
  readonly at?: Span
  readonly bounds?: readonly Bound[]
  readonly bound?: Bound
  readonly body?: Node
  readonly names?: readonly Identifier[]
  readonly name?: unknown
  readonly arguments?: readonly Node[]
  readonly items?: readonly Node[]
}

function isDefinition(node: Node | OperatorSyntax): node is OperatorSyntax {
  // Expressions that are functions or records have no name.
  return (node.kind === 'operator' || node.kind === 'function') && 'name' in node && typeof node.name === 'object'
}

/** Whether it is `x \in S`, with the name at this place. */
function isMembershipOf(node: Node, at: Span): boolean {
  const left = node.kind === 'apply' && node.name === '\\in' ? node.arguments?.[0] : undefined
  return left?.at !== undefined && left.at.line === at.line && left.at.column === at.column && contains(at, left.at)
}

/** Whether it is `{x \in S : n \in T}`, with the name `n` at this place of S: meant is a set of S for each `n`. */
function isFilterByMembership({ kind, bound, body }: Node, name: string, at: Span): boolean {
  if (kind !== 'filter' || bound === undefined || !contains(bound.set.at, at)) return false
  return body?.kind === 'apply' && body.name === '\\in' && body.arguments?.[0]?.name === name
}

/** What a node binds, whichever way it does. */
function boundsOf(node: Node): readonly { readonly names: readonly Identifier[] }[] {
  if (node.bounds !== undefined) return node.bounds
  if (node.bound !== undefined) return [node.bound]
  const isUnbounded = node.kind === 'unbounded quantifier' || node.kind === 'choose'
  return isUnbounded && node.names !== undefined ? [{ names: node.names }] : []
}

function setsOf(node: Node): readonly Span[] {
  const bounds = node.bounds ?? (node.bound === undefined ? [] : [node.bound])
  return bounds.map(({ set }) => set.at)
}

/** All objects that a unit is made of, outermost first. */
function* nodesOf(unit: Unit): Iterable<Node> {
  const waiting: object[] = [unit]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!Array.isArray(next)) yield next as Node
    for (const [key, value] of Object.entries(next).reverse()) {
      if (typeof value === 'object' && value !== null && !/at$/i.test(key) && key !== 'proof') waiting.push(value)
    }
  }
}

function contains(outer: Span, inner: Span): boolean {
  if (inner.line < outer.line || inner.line > outer.endLine) return false
  if (inner.line === outer.line && inner.column < outer.column) return false
  return inner.line !== outer.endLine || inner.column <= outer.endColumn
}

// Elsewhere

/** Operators by symbol that mean something in other languages, and a word after a backslash. */
function foreignMark(name: string, { source, line, column }: Span): string | undefined {
  if (name === '/') return ': integers are divided by `\\div`'
  const operator = foreignOperator(name)
  if (operator !== undefined) return `: ${operator}`
  if (!/^\w/.test(name)) return undefined
  const text = source.text.split(/\r\n|\n|\r/)[line - 1] ?? ''
  return text[column - 2] === '\\' ? `: ${foreignCommand(name)}` : undefined
}

/** Names that a module of norn defines and hardly anyone means it, since they mean something else everywhere. */
const ELSEWHERE = new Set(['None', 'NONE'])

function ofModule(name: string): string | undefined {
  const module = ELSEWHERE.has(name) ? undefined : ownModuleThatDefines(name)
  if (module !== undefined) {
    const what = name === '-.' ? ' (it is unary minus)' : ''
    return `${what}: module \`${module}\` defines it, so EXTENDS ${module} brings it`
  }
  if (ownModule(name) === undefined) return undefined
  return `: it is a module, whose names are brought by EXTENDS ${name}, and used without that before them`
}

function ofTheLanguage(name: string, scope: Scope): string | undefined {
  if (name === 'vars') {
    const variables = new Set<string>()
    for (const each of scope.visible()) if (scope.find(each)?.symbol.kind === 'variable') variables.add(each)
    if (variables.size > 0)
      return `: it is usually the tuple of all variables, \`vars == <<${[...variables].join(', ')}>>\``
  }
  const advice = foreignName(name)
  return advice === undefined ? undefined : `: ${advice}`
}

/** `Next_vars`, for want of brackets. */
function withSubscript(name: string, scope: Scope): string | undefined {
  const [action, subscript] = [/^\w+?(?=_)/.exec(name)?.[0], /(?<=_)[A-Za-z]\w*$/.exec(name)?.[0]]
  if (action === undefined || subscript === undefined || `${action}_${subscript}` !== name) return undefined
  if (scope.find(action) === undefined || scope.find(subscript) === undefined) return undefined
  return `: an action with its subscript is written \`[${action}]_${subscript}\``
}

/** `p1`, `acc2`: so model values are called. */
function modelValue(name: string): string {
  if (!/^[a-z]{1,4}[0-9]$/.test(name)) return ''
  return ': a model value of the configuration can be named here only if it is declared, as a CONSTANT'
}
