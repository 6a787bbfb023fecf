/**
 * Operators that are called at run time instead of expanded at compile time: recursive ones, and
 * those that would be expanded too often.
 *
 * Arguments are evaluated before the call, in the caller's scope, unless they may not terminate
 * (deferred.ts) or must be passed unevaluated (fixed-arguments.ts). A failed argument is an error
 * only if it is used: TLA+ is lazy.
 */
import type { DefinitionSymbol } from '../semantics/term.ts'
import type { Operator, Value } from '../values/value.ts'
import { argumentsOf, compiledParameters, given, NONE_FIXED } from './arguments.ts'
import { type Cell, type Code, codeOf, type Facts, gather, NO_FACTS } from './code.ts'
import type { Compiler } from './compiler.ts'
import type { Context } from './context.ts'
import { Reentrant } from './kept.ts'
import type { Call, Nested, Scope } from './scope.ts'
import type { Reference } from './terms.ts'

/** A reference that is compiled as an expression. */
export interface Use {
  readonly compiler: Compiler
  readonly term: Reference
  readonly scope: Scope
  readonly context: Context
  /** As for `Compiler.compile`. */
  readonly isApplied: boolean
}

/** A call of a definition. @param place the scope of its body without its parameters */
export function callOf(use: Use, definition: DefinitionSymbol, place: Scope, nested: Nested | undefined): Code {
  const { compiler, term, scope, context } = use
  let calls = nested?.calls ?? place.base.calls.get(definition)
  if (calls === undefined) place.base.calls.set(definition, (calls = []))
  const given = argumentsOf(compiler, definition, term.arguments, scope, context, NONE_FIXED)
  const call = compiledCall(use, definition, place, calls)
  const { parameters, reentrant } = call
  const { evaluate } = given
  const facts = call.facts ?? { ...NO_FACTS, pending: new Set([call]) }
  const code = codeOf(
    () => reentrant.call(parameters, evaluate(), call),
    [...given.parts, definition.isRecursive ? { ...facts, mayNotEnd: true } : facts],
  )
  return compiler.framedCall(code, definition.name, term.at, parameters)
}

function compiledCall(
  { compiler, context, isApplied }: Use,
  definition: DefinitionSymbol,
  place: Scope,
  calls: Call[],
): Call {
  const known = calls.find((call) => call.context === context && call.isApplied === isApplied)
  if (known !== undefined) return known
  const mark = compiler.cells.length
  const { scope: inner, parameters } = compiledParameters(compiler, definition, place, NONE_FIXED)
  const bound: Cell[] = []
  const call: Call = {
    name: definition.name,
    context,
    isApplied,
    parameters,
    reentrant: new Reentrant(bound),
    run: () => false,
    facts: undefined,
    waiting: [],
  }
  calls.push(call)
  const leave = compiler.entering(definition)
  const leaveRecursion = compiler.enteringRecursion()
  const body = compiler.compile(definition.body, inner, context, isApplied)
  leaveRecursion()
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

/** Sets the facts of a call, now that its body is compiled, and adds them to its callers'. */
function settle(call: Call, facts: Facts): void {
  // Calls of itself add nothing.
  const pending = new Set([...facts.pending].filter((other) => other !== call))
  call.facts = { ...facts, pending }
  for (const other of pending) (other as Call).waiting.push(call)
  for (const other of call.waiting.splice(0)) {
    const own = other.facts!
    const left = [...own.pending, ...pending].filter((pended) => pended !== call && pended !== other)
    other.facts = { ...gather([own, facts]), pending: new Set(left) }
  }
}

/** A call of an operator that is only known at run time. */
export function callWith({ compiler, term, scope, context }: Use, operator: () => Operator, cell: Cell): Code {
  const parts: Facts[] = []
  const runs = term.arguments.map((argument) => given(compiler, argument, 0, scope, context, parts))
  // The facts of the operator count where it is passed.
  const facts: Facts = { ...NO_FACTS, cells: new Set([cell]) }
  // Operators of the specification accept deferred arguments: operatorFunction.
  return codeOf(() => operator()(...(runs.map((run) => run()) as Value[])), [...parts, facts])
}
