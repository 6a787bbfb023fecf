/**
 * Arguments of called operators. They are evaluated before the call, in the caller's scope, except
 * those that may not terminate, have effects or read variables that may yet be assigned. A failed
 * argument is an error only if its value is used.
 *
 * TLC defers arguments without a limit; here chains of deferred arguments are bounded, since sums
 * that a recursion accumulates would otherwise need twice the stack.
 */
import { isPassing } from '../error/error.ts'
import type { Argument, DefinitionSymbol } from '../semantics/term.ts'
import type { Operator, Value } from '../values/value.ts'
import { type Cell, type Code, type Facts, UNSETTLED } from './code.ts'
import type { Compiler } from './compiler.ts'
import type { Context } from './context.ts'
import { Deferred } from './deferred.ts'
import { keeper } from './kept.ts'
import { operatorFunction } from './natives.ts'
import { type Binding, extend, type Scope } from './scope.ts'

/** Bound on chains of deferred arguments. */
const DEEPEST = 32

/** The binding of each parameter; undefined for those passed by value. */
export type Fixed = readonly (Binding | undefined)[]

export const NONE_FIXED: Fixed = []

/** Cells for the parameters of a called operator that are not fixed. */
export function compiledParameters(
  compiler: Compiler,
  definition: DefinitionSymbol,
  place: Scope,
  fixed: Fixed,
): { readonly scope: Scope; readonly parameters: readonly Cell[] } {
  let scope = place
  const parameters: Cell[] = []
  for (const [at, parameter] of definition.parameters.entries()) {
    let binding = fixed[at]
    if (binding === undefined) {
      const cell = compiler.cell(parameter.name)
      parameters.push(cell)
      binding = parameter.arity > 0 ? { kind: 'operator cell', cell } : { kind: 'cell', cell, role: 'parameter' }
    }
    scope = extend(scope, parameter, binding)
  }
  return { scope, parameters }
}

interface Given {
  readonly parts: readonly Facts[]
  /** The arguments of the parameters that are not fixed. */
  evaluate(): (Value | Operator | Deferred)[]
}

/** The arguments of a call that are not fixed. */
export function argumentsOf(
  compiler: Compiler,
  definition: DefinitionSymbol,
  terms: readonly Argument[],
  scope: Scope,
  context: Context,
  fixed: Fixed,
): Given {
  const parts: Facts[] = []
  const runs: (() => Value | Operator | Deferred)[] = []
  for (const [at, parameter] of definition.parameters.entries()) {
    if (fixed[at] === undefined) runs.push(given(compiler, terms[at]!, parameter.arity, scope, context, parts))
  }
  return { parts, evaluate: () => runs.map((run) => run()) }
}

export function given(
  compiler: Compiler,
  argument: Argument,
  arity: number,
  scope: Scope,
  context: Context,
  parts: Facts[],
): () => Value | Operator | Deferred {
  if (argument.kind === 'operator' || arity > 0) {
    const { facts, make } = operatorFunction(compiler, argument, arity, scope, context)
    parts.push(facts)
    return make
  }
  const mark = compiler.cells.length
  const code = compiler.compile(argument, scope, context)
  parts.push(code)
  return argumentRun(compiler, code, mark)
}

/**
 * Evaluates or defers an argument.
 * @param mark the number of cells before it was compiled
 */
function argumentRun(compiler: Compiler, code: Code, mark: number): () => Value | Deferred {
  if (code.known !== undefined) return code.run
  if (code.raw !== undefined) return handedOn(code.raw)
  // A value cached by a LET is probably used around the call too: if deferred, it would be evaluated
  // for each use.
  const isShared = code.isSimple && code.cells.size > 0 && code.pending.size === 0
  if ((!code.mayNotEnd || isShared) && code.isPure && code.reads !== UNSETTLED) return failing(code.run)
  const isKept = code.reads !== UNSETTLED
  const free = [...code.cells]
  const keep = keeper(code, [], compiler.innerFrom(mark), () => undefined, code.run)
  const now = failing(code.run)
  return () => {
    const depth = depthOf(free)
    if (depth > DEEPEST && isKept) return now()
    const run = keep()
    return new Deferred(() => run(false), depth, isKept)
  }
}

/** The parameter of an enclosing operator, passed on without evaluation. */
function handedOn(cell: Cell): () => Value | Deferred {
  return () => cell.value as Value | Deferred
}

function depthOf(free: readonly Cell[]): number {
  let depth = 0
  for (let at = 0; at < free.length; at++) {
    const { value } = free[at]!
    if (value instanceof Deferred && value.isWaiting && value.depth > depth) depth = value.depth
  }
  return depth + 1
}

function failing(run: () => Value): () => Value | Deferred {
  return () => {
    try {
      return run()
    } catch (error) {
      if (!isPassing(error)) throw error
      return new Deferred(undefined, 0, true, error)
    }
  }
}
