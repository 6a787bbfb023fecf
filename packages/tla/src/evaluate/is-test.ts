/**
 * Whether a formula in an action is only a test: it assigns no variable and does not branch. A test
 * is evaluated as an ordinary formula, without a list or a stack frame for each part. When in
 * doubt, it is an action.
 */
import type { Term } from '../semantics/term.ts'
import { mayBeAction } from './action-functions.ts'
import { assignedBy } from './assignment.ts'
import type { Compiler, Target } from './compiler.ts'
import { expand, isPlainDefinition, letScope, resolve } from './references.ts'
import { extend, type Scope } from './scope.ts'
import type { Reference, TermOf } from './terms.ts'

export function isTest(compiler: Compiler, term: Term, scope: Scope, target: Target): boolean {
  const inner = (part: Term, place = scope) => isTest(compiler, part, place, target)
  switch (term.kind) {
    case 'and':
      return term.items.every((item) => inner(item))
    case 'quantifier':
      return term.name === '\\A' && inner(term.body, withElements(term, scope))
    case 'if':
      return inner(term.then) && inner(term.else)
    case 'case':
      return term.arms.every(({ body }) => inner(body)) && (term.other === undefined || inner(term.other))
    case 'let':
      return inner(term.body, letScope(term.definitions, scope).scope)
    case 'label':
      return inner(term.body)
    case 'primitive':
      switch (term.name) {
        case '=':
        case '\\in':
          return assignedBy(compiler, term.arguments[0]!, scope, target) === undefined
        case '=>':
          return inner(term.arguments[1]!)
        case 'UNCHANGED':
        case '\\cdot':
          return !target.isPrimed
        default:
          return true
      }
    case 'application':
      return !mayBeAction(term) || (term.function.kind === 'reference' && term.function.symbol.kind === 'variable')
    case 'reference':
      return isTestByName(compiler, term, scope, target)
    case 'or':
    case 'action':
      return false
    default:
      return true
  }
}

function isTestByName(compiler: Compiler, term: Reference, scope: Scope, target: Target): boolean {
  const resolved = resolve(compiler, term, scope)
  if (resolved.kind === 'binding') {
    const { binding } = resolved
    if (binding.kind === 'closed') return isTest(compiler, binding.term, binding.scope, target)
    return binding.kind !== 'closed operator'
  }
  const { definition, scope: place } = resolved
  if (!isPlainDefinition(definition)) return !definition.isRecursive
  const { scope: within } = expand(definition.parameters, place, term.arguments, scope)
  return isTest(compiler, definition.body, within, target)
}

/** The symbols of a quantifier, bound to something that is not a variable. */
function withElements({ binders }: TermOf<'quantifier'>, scope: Scope): Scope {
  return binders
    .flatMap(({ symbols }) => symbols)
    .reduce((place, symbol) => extend(place, symbol, { kind: 'known', value: false }), scope)
}
