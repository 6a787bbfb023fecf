/**
 * Why a formula is false: the smallest part that explains it, with the values of its operands.
 *
 * A conjunction is false because of its first false item, an implication because of its right side,
 * `\A x \in S : P` because of P for the first `x` that violates it, an operator because of its
 * body.
 */
import type { BoundSymbol, Term } from '../semantics/term.ts'
import type { Value } from '../values/value.ts'
import { bind } from './binders.ts'
import { type Code, clearing, isFixed } from './code.ts'
import type { Compiler } from './compiler.ts'
import type { Context } from './context.ts'
import { shown } from './failures.ts'
import { condition } from './logic.ts'
import type { Refusal } from './machine.ts'
import { expand, isPlainDefinition, letScope, resolve } from './references.ts'
import { lookup, type Scope } from './scope.ts'
import { parts } from './terms.ts'
import { textOf } from './text.ts'

/** Explains a term that was just found to be false, in the same state and with the same cells. */
export type Blame = () => Refusal

/** Bound on the operands of a refusal. */
const MOST_VALUES = 8

export function blame(compiler: Compiler, term: Term, scope: Scope, context: Context): Blame {
  switch (term.kind) {
    case 'and': {
      const items = term.items.map((item) => ({
        holds: condition(compiler.compile(item, scope, context), 'a conjunct'),
        reason: blame(compiler, item, scope, context),
      }))
      return () => (items.find(({ holds }) => !holds()) ?? items[0]!).reason()
    }
    case 'label':
      return blame(compiler, term.body, scope, context)
    case 'action':
      // False because the action is, in a step that changes the subscript.
      if (term.shape === 'square') return blame(compiler, term.action, scope, context)
      break
    case 'let': {
      const { scope: inner, closed } = letScope(term.definitions, scope)
      const reason = blame(compiler, term.body, inner, context)
      return clearing(
        closed.flatMap(({ cells }) => cells),
        reason,
      )
    }
    case 'if': {
      const decide = condition(compiler.compile(term.condition, scope, context), 'the condition of IF')
      const [yes, no] = [blame(compiler, term.then, scope, context), blame(compiler, term.else, scope, context)]
      return () => (decide() ? yes() : no())
    }
    case 'primitive':
      if (term.name === '=>') return blame(compiler, term.arguments[1]!, scope, context)
      break
    case 'quantifier': {
      if (term.name === '\\E') break
      const bound = bind(compiler, term.binders, scope, context)
      const holds = condition(compiler.compile(term.body, bound.scope, context), 'the body of \\A')
      const reason = blame(compiler, term.body, bound.scope, context)
      const search = bound.loop(() => !holds())
      return () => {
        search()
        return reason()
      }
    }
    case 'reference': {
      const resolved = resolve(compiler, term, scope)
      if (resolved.kind === 'definition' && isPlainDefinition(resolved.definition)) {
        const { parameters, body } = resolved.definition
        const expansion = expand(parameters, resolved.scope, term.arguments, scope)
        const reason = blame(compiler, body, expansion.scope, context)
        return clearing(
          expansion.closed.flatMap(({ cells }) => cells),
          reason,
        )
      }
      if (resolved.kind === 'binding' && resolved.binding.kind === 'closed') {
        const { term: inner, scope: place } = resolved.binding
        return blame(compiler, inner, place, context)
      }
    }
  }
  return leaf(compiler, term, scope, context)
}

interface Operand {
  readonly text: string
  readonly run: () => Value
}

function leaf(compiler: Compiler, term: Term, scope: Scope, context: Context): Blame {
  const operands = new Map<string, Operand>()
  const names = new Map<string, Operand>()
  const add = (part: Term, place: Scope) => {
    const code = compiler.compile(part, place, context)
    const text = textOf(part.at)
    if (!isKnown(code) || dependsOnConfiguration(part)) operands.set(text, { text, run: code.run })
  }
  collectOperands(compiler, term, scope, add)
  collectNames(term, (symbol) => {
    if (operands.has(symbol.name)) return
    const binding = lookup(symbol, scope)
    if (binding?.kind !== 'cell') return
    names.set(symbol.name, { text: symbol.name, run: () => binding.cell.value as Value })
  })
  const told = [...operands.values(), ...names.values()].slice(0, MOST_VALUES)
  const conjunct = textOf(term.at)
  return () => ({ conjunct, at: term.at, values: told.flatMap(({ text, run }) => valueText(text, run)) })
}

function isKnown(code: Code): boolean {
  return code.known !== undefined || isFixed(code)
}

/** `N`, `Cardinality(Servers)`: fixed, but not visible in the text. */
function dependsOnConfiguration(term: Term): boolean {
  if (term.kind !== 'reference') return false
  return (
    term.symbol.kind === 'constant' ||
    term.arguments.some((argument) => argument.kind !== 'operator' && dependsOnConfiguration(argument))
  )
}

function valueText(text: string, run: () => Value): (readonly [string, string])[] {
  try {
    return [[text, shown(run())]]
  } catch {
    // Omits operands that cannot be evaluated, such as one after the deciding operand.
    return []
  }
}

const COMPARISONS = new Set(['=', '#', '\\in', '\\notin', '\\subseteq', '<', '>', '\\leq', '\\geq', '<=>'])

/** The operands of a comparison, or of another condition. */
function collectOperands(compiler: Compiler, term: Term, scope: Scope, add: (part: Term, scope: Scope) => void): void {
  switch (term.kind) {
    case 'primitive':
      if (COMPARISONS.has(term.name)) for (const part of term.arguments) add(part, scope)
      else if (term.name === '~') collectOperands(compiler, term.arguments[0]!, scope, add)
      else if (term.name === '=>') for (const part of term.arguments) collectOperands(compiler, part, scope, add)
      else if (term.name === 'UNCHANGED') add(term.arguments[0]!, scope)
      return
    case 'and':
    case 'or':
      for (const item of term.items) collectOperands(compiler, item, scope, add)
      return
    case 'quantifier':
      for (const { set } of term.binders) add(set, scope)
      return
    case 'reference': {
      if (term.arguments.length === 0) add(term, scope)
      else for (const argument of term.arguments) if (argument.kind !== 'operator') add(argument, scope)
      return
    }
    case 'field':
    case 'application':
      add(term, scope)
      return
    case 'label':
      collectOperands(compiler, term.body, scope, add)
  }
}

/** The bound names in a term. */
function collectNames(term: Term, add: (symbol: BoundSymbol) => void): void {
  const left = [...parts(term)]
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    if (next.kind === 'reference' && next.symbol.kind === 'bound') add(next.symbol)
    left.push(...parts(next))
  }
}
