/**
 * Operators that are called while evaluating instead of expanded while compiling: recursive ones, and those that would be
 * expanded too often.
 *
 * Arguments are evaluated before the call, in the scope of the caller. One that fails is an error only if it is used, as
 * arguments are lazy in TLA+; an argument that would not end must not be given.
 */

import { TlaError } from '../error.ts'
import type { Argument, DefinitionSymbol } from '../semantics/term.ts'
import type { Operator, Value } from '../values/value.ts'
import { type Cell, type Code, codeOf, type Facts, gather, NO_FACTS, type Pending } from './code.ts'
import type { Compiler } from './compiler.ts'
import type { Context } from './context.ts'
import { Failed } from './failures.ts'
import { Reentrant } from './kept.ts'
import { operatorFunction } from './natives.ts'
import type { Reference } from './references.ts'
import { extend, type Nested, type Scope } from './scope.ts'

/** An operator compiled to be called in one context. */
export interface Call extends Pending {
  readonly parameters: readonly Cell[]
  readonly reentrant: Reentrant
  /** Known once the body is compiled. */
  run: () => Value
  facts: Facts | undefined
  /** Calls that were compiled while this one was under way and whose facts lack its own. */
  readonly waiting: Call[]
}

/** A call of a definition. @param place the scope of its body, but for its parameters */
export function callOf(
  compiler: Compiler,
  definition: DefinitionSymbol,
  place: Scope,
  nested: Nested | undefined,
  term: Reference,
  scope: Scope,
  context: Context,
): Code {
  const call = compiledCall(compiler, definition, place, nested, context)
  const given = argumentsOf(compiler, definition.parameters, term.arguments, scope, context)
  const { parameters, reentrant } = call
  const { evaluate } = given
  const count = parameters.length
  const run = () => call.run()
  const facts = call.facts ?? { ...NO_FACTS, pending: new Set([call]) }
  const code = codeOf(() => {
    const values = evaluate()
    return reentrant.call(() => {
      for (let at = 0; at < count; at++) parameters[at]!.value = values[at]
    }, run)
  }, [...given.parts, facts])
  return compiler.framedCall(code, definition.name, term.at, parameters)
}

function compiledCall(
  compiler: Compiler,
  definition: DefinitionSymbol,
  place: Scope,
  nested: Nested | undefined,
  context: Context,
): Call {
  let calls = nested?.calls ?? place.base.calls.get(definition)
  if (calls === undefined) place.base.calls.set(definition, (calls = new Map()))
  const known = calls.get(context)
  if (known !== undefined) return known
  const mark = compiler.cells.length
  const { scope: inner, parameters } = compiledParameters(compiler, definition, place)
  const bound: Cell[] = []
  const call: Call = {
    name: definition.name,
    parameters,
    reentrant: new Reentrant(bound),
    run: () => false,
    facts: undefined,
    waiting: [],
  }
  calls.set(context, call)
  const leave = compiler.entering(definition)
  const body = compiler.compile(definition.body, inner, context)
  leave()
  call.run = body.run
  const facts = gather([body], parameters)
  for (let at = mark; at < compiler.cells.length; at++) {
    const cell = compiler.cells[at]!
    if (!facts.cells.has(cell)) bound.push(cell)
  }
  settle(call, facts)
  return call
}

/** Cells for the parameters of an operator that is called. */
export function compiledParameters(
  compiler: Compiler,
  definition: DefinitionSymbol,
  place: Scope,
): { readonly scope: Scope; readonly parameters: readonly Cell[] } {
  let scope = place
  const parameters = definition.parameters.map((parameter) => {
    const cell = compiler.cell(parameter.name)
    scope = extend(
      scope,
      parameter,
      parameter.arity > 0 ? { kind: 'operator cell', cell } : { kind: 'cell', cell, isFallible: true },
    )
    return cell
  })
  return { scope, parameters }
}

/** Says what a call reads, now that its body is compiled; those that waited for it read that as well. */
function settle(call: Call, facts: Facts): void {
  // Its own calls add nothing to what it reads.
  const pending = new Set([...facts.pending].filter((other) => other !== call))
  call.facts = { ...facts, pending }
  for (const other of pending) (other as Call).waiting.push(call)
  for (const other of call.waiting.splice(0)) {
    const own = other.facts!
    const left = [...own.pending, ...pending].filter((pended) => pended !== call && pended !== other)
    other.facts = { ...gather([own, facts]), pending: new Set(left) }
  }
}

/** A call of an operator that is known at run time only. */
export function callWith(
  compiler: Compiler,
  operator: () => Operator,
  term: Reference,
  scope: Scope,
  context: Context,
  cells: readonly Cell[],
): Code {
  const parts = term.arguments.map((argument) =>
    compiler.compile(argument as Extract<Argument, { level: unknown }>, scope, context),
  )
  const runs = parts.map(({ run }) => run)
  // What the operator reads is known to whoever gave it, and counted there.
  const facts: Facts = { ...NO_FACTS, cells: new Set(cells) }
  return codeOf(() => operator()(...runs.map((run) => run())), [...parts, facts])
}

interface Given {
  readonly parts: readonly Facts[]
  evaluate(): (Value | Operator | Failed)[]
}

/** The arguments of a call, evaluated before it. */
export function argumentsOf(
  compiler: Compiler,
  parameters: readonly { readonly arity: number }[],
  given: readonly Argument[],
  scope: Scope,
  context: Context,
): Given {
  const parts: Facts[] = []
  const runs = parameters.map((_, at) => {
    const argument = given[at]!
    if (argument.kind === 'operator' || parameters[at]!.arity > 0) {
      const { facts, make } = operatorFunction(compiler, argument, parameters[at]!.arity, scope, context)
      parts.push(facts)
      return make
    }
    const code = compiler.compile(argument, scope, context)
    parts.push(code)
    return code.known !== undefined ? code.run : failing(code.run)
  })
  return { parts, evaluate: () => runs.map((run) => run()) }
}

function failing(run: () => Value): () => Value | Failed {
  return () => {
    try {
      return run()
    } catch (error) {
      if (!(error instanceof TlaError)) throw error
      return new Failed(error)
    }
  }
}
