/**
 * Recursive operators in the place of an action. The body is compiled once; what comes after it differs from call to call
 * and stands on a stack, with the cells of the caller, which are put back while that runs.
 */
import type { DefinitionSymbol } from '../semantics/term.ts'
import { argumentsOf, compiledParameters } from './calls.ts'
import type { Cell } from './code.ts'
import type { Compiler, Continuation, Target } from './compiler.ts'
import type { Context } from './context.ts'
import { restore, save } from './kept.ts'
import type { Reference } from './references.ts'
import type { Nested, Scope } from './scope.ts'

interface Caller {
  readonly next: Continuation
  readonly saved: readonly Cell['value'][]
}

interface ActionCall {
  readonly parameters: readonly Cell[]
  readonly inner: Cell[]
  readonly callers: Caller[]
  run: Continuation
}

const calls = new WeakMap<Context, Map<DefinitionSymbol, Map<object, ActionCall>>>()

export function recursiveAction(
  compiler: Compiler,
  definition: DefinitionSymbol,
  place: Scope,
  nested: Nested | undefined,
  term: Reference,
  scope: Scope,
  context: Context,
  target: Target,
  next: Continuation,
): Continuation {
  const call = compiledAction(compiler, definition, place, nested ?? place.base, context, target)
  const { parameters, inner, callers } = call
  const { evaluate } = argumentsOf(compiler, definition.parameters, term.arguments, scope, context)
  return () => {
    const values = evaluate()
    const saved = save(inner)
    for (let at = 0; at < parameters.length; at++) parameters[at]!.value = values[at]
    callers.push({ next, saved })
    const stopped = call.run()
    callers.pop()
    restore(inner, saved)
    return stopped
  }
}

function compiledAction(
  compiler: Compiler,
  definition: DefinitionSymbol,
  place: Scope,
  key: object,
  context: Context,
  target: Target,
): ActionCall {
  let byDefinition = calls.get(context)
  if (byDefinition === undefined) calls.set(context, (byDefinition = new Map()))
  let byPlace = byDefinition.get(definition)
  if (byPlace === undefined) byDefinition.set(definition, (byPlace = new Map()))
  const known = byPlace.get(key)
  if (known !== undefined) return known
  const mark = compiler.cells.length
  const { scope, parameters } = compiledParameters(compiler, definition, place)
  const inner: Cell[] = []
  const callers: Caller[] = []
  const call: ActionCall = { parameters, inner, callers, run: () => false }
  byPlace.set(key, call)
  const leave = compiler.entering(definition)
  const body = compiler.action(definition.body, scope, context, target, () => {
    const caller = callers.pop()!
    const own = save(inner)
    restore(inner, caller.saved)
    const stopped = caller.next()
    restore(inner, own)
    callers.push(caller)
    return stopped
  })
  leave()
  inner.push(...compiler.cells.slice(mark))
  call.run = body
  return call
}
