/**
 * Splits the next-state relation into named parts, through disjunctions, bounded `\E` and
 * definitions; each part is named after the innermost definition around it.
 *
 * TLC splits Next for each value of its constant quantifiers; here a part has parameters at run
 * time.
 */
import { isOwn } from '../library/modules.ts'
import type { BoundSymbol, Term } from '../semantics/term.ts'
import type { Value } from '../values/value.ts'
import { branches } from './actions.ts'
import { bind } from './binders.ts'
import { type Code, clearing } from './code.ts'
import type { Continuation, Search } from './compiler.ts'
import type { ActionPart } from './machine.ts'
import { expand, letScope, resolve } from './references.ts'
import type { Scope } from './scope.ts'

/** A part, with functions that read its parameters while it runs. */
export interface Leaf {
  readonly part: ActionPart
  readonly parameters: readonly (() => Value)[]
}

/** The innermost definition around a term. */
interface Definition {
  readonly name: string
  readonly module: string
  readonly parameters: readonly BoundSymbol[]
  /** Where the parameters are bound. */
  readonly scope: Scope
}

interface Splitting extends Search {
  readonly next: Continuation
  readonly leaves: Leaf[]
  /** Called before a part is tried. */
  enter(leaf: Leaf): void
}

export function split(splitting: Splitting, term: Term, scope: Scope, definition: Definition): Continuation {
  const { compiler, context } = splitting
  switch (term.kind) {
    case 'or':
      return branches(term.items.map((item) => split(splitting, item, scope, definition)))
    case 'label':
      return split(splitting, term.body, scope, definition)
    case 'quantifier': {
      if (term.name === '\\A') break
      const bound = bind(compiler, term.binders, scope, context)
      return bound.loop(split(splitting, term.body, bound.scope, definition))
    }
    case 'let': {
      const { scope: inner, closed } = letScope(term.definitions, scope)
      const body = split(splitting, term.body, inner, definition)
      return clearing(
        closed.flatMap(({ cells }) => cells),
        body,
      )
    }
    case 'reference': {
      const resolved = resolve(compiler, term, scope)
      if (resolved.kind === 'binding') {
        const { binding } = resolved
        if (binding.kind === 'closed') return split(splitting, binding.term, binding.scope, definition)
        break
      }
      const { definition: symbol, scope: place } = resolved
      if (symbol.isRecursive || isOwn(symbol.at.source)) break
      const expansion = expand(symbol.parameters, place, term.arguments, scope)
      const { name, module, parameters, body } = symbol
      const inner = { name, module, parameters, scope: expansion.scope }
      const leave = compiler.entering(symbol)
      const run = split(splitting, body, expansion.scope, inner)
      leave()
      const cells = expansion.closed.flatMap((closed) => closed.cells)
      return compiler.framedAction(clearing(cells, run), name, term.at, parameters, expansion.scope)
    }
  }
  return leafOf(splitting, term, scope, definition)
}

function leafOf(splitting: Splitting, term: Term, scope: Scope, definition: Definition): Continuation {
  const { compiler, context, next, leaves } = splitting
  const { name, module, scope: around } = definition
  const parameters = definition.parameters.filter(({ arity }) => arity === 0)
  const part: ActionPart = {
    id: leaves.length,
    name,
    module,
    parameters: parameters.map((parameter) => parameter.name),
    at: term.at,
  }
  const codes = parameters.map((parameter): Code => compiler.compile(nameOf(parameter), around, context))
  const leaf: Leaf = { part, parameters: codes.map(({ run }) => run) }
  leaves.push(leaf)
  const run = compiler.action(term, scope, splitting, next)
  const { enter } = splitting
  return () => {
    enter(leaf)
    return run()
  }
}

export function nameOf(symbol: BoundSymbol): Term {
  return { kind: 'reference', symbol, through: [], arguments: [], at: symbol.at, level: 'constant' }
}
