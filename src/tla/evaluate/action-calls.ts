/**
 * Recursive operators in the place of an action. The body is compiled once; what comes after it differs from call to call
 * and stands on a stack, with the cells of the caller, which are put back while that runs.
 */
import type { DefinitionSymbol } from '../semantics/term.ts'
import { argumentsOf, compiledParameters } from './calls.ts'
import type { Cell } from './code.ts'
import type { Compiler, Continuation, Target } from './compiler.ts'
import type { Context, PartialState } from './context.ts'
import { type Fixed, fixedArguments, isSameFixed, NONE_FIXED } from './fixed-arguments.ts'
import { restore, save } from './kept.ts'
import type { Reference } from './references.ts'
import type { Nested, Scope } from './scope.ts'

interface Caller {
  readonly next: Continuation
  readonly saved: readonly Cell['value'][]
}

interface ActionCall {
  /** Where the definition stands. */
  readonly key: object
  readonly target: PartialState
  readonly fixed: Fixed
  readonly parameters: readonly Cell[]
  readonly inner: Cell[]
  readonly callers: Caller[]
  run: Continuation
}

const calls = new WeakMap<Context, Map<DefinitionSymbol, ActionCall[]>>()

/** How often one operator is compiled for what its parameters are fixed to. */
const MOST_COMPILED = 256

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
  const known = callsOf(definition, context)
  const fixed = known.length < MOST_COMPILED ? fixedArguments(compiler, definition, term.arguments, scope) : NONE_FIXED
  const { evaluate } = argumentsOf(compiler, definition, term.arguments, scope, context, fixed)
  const call = compiledAction(compiler, definition, place, nested ?? place.base, known, fixed, context, target)
  const { parameters, inner, callers } = call
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

function callsOf(definition: DefinitionSymbol, context: Context): ActionCall[] {
  let byDefinition = calls.get(context)
  if (byDefinition === undefined) calls.set(context, (byDefinition = new Map()))
  let made = byDefinition.get(definition)
  if (made === undefined) byDefinition.set(definition, (made = []))
  return made
}

function compiledAction(
  compiler: Compiler,
  definition: DefinitionSymbol,
  place: Scope,
  key: object,
  calls: ActionCall[],
  fixed: Fixed,
  context: Context,
  target: Target,
): ActionCall {
  const { state } = target
  const known = calls.find((call) => call.key === key && call.target === state && isSameFixed(call.fixed, fixed))
  if (known !== undefined) return known
  const mark = compiler.cells.length
  const { scope, parameters } = compiledParameters(compiler, definition, place, fixed)
  const inner: Cell[] = []
  const callers: Caller[] = []
  const call: ActionCall = { key, target: state, fixed, parameters, inner, callers, run: () => false }
  calls.push(call)
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
