/**
 * Recursive operators as actions. The body is compiled once; the continuation of each call is on a
 * stack, with the caller's cells, which are restored while the continuation runs.
 */
import type { DefinitionSymbol } from '../semantics/term.ts'
import { argumentsOf, compiledParameters, type Fixed, NONE_FIXED } from './arguments.ts'
import type { Cell } from './code.ts'
import type { Compiler, Continuation, Search } from './compiler.ts'
import type { Context, PartialState } from './context.ts'
import { fixedArguments, isSameFixed } from './fixed-arguments.ts'
import { restore, save } from './kept.ts'
import type { Nested, Scope } from './scope.ts'
import type { Reference } from './terms.ts'

interface Caller {
  readonly next: Continuation
  readonly saved: readonly Cell['value'][]
}

/** An action that may be re-entered before it has ended: by itself, or by its continuation. */
export class ActionCall {
  /** The cells that are bound while it runs. */
  readonly #inner: Cell[] = []
  readonly #callers: Caller[] = []
  #run: Continuation = () => false

  /** Compiles the body once, with the continuation `back`. */
  compile(compiler: Compiler, mark: number, body: (back: Continuation) => Continuation): void {
    this.#run = body(() => {
      const caller = this.#callers.pop()!
      const own = save(this.#inner)
      restore(this.#inner, caller.saved)
      const stopped = caller.next()
      restore(this.#inner, own)
      this.#callers.push(caller)
      return stopped
    })
    for (let at = mark; at < compiler.cells.length; at++) this.#inner.push(compiler.cells[at]!)
  }

  /** @param bind stores the arguments in the cells of the parameters */
  enter(bind: () => void, next: Continuation): boolean {
    const saved = save(this.#inner)
    bind()
    this.#callers.push({ next, saved })
    const stopped = this.#run()
    this.#callers.pop()
    restore(this.#inner, saved)
    return stopped
  }
}

/** A recursive definition that is called, as `resolve` finds it. */
interface Called {
  readonly definition: DefinitionSymbol
  readonly scope: Scope
  readonly nested: Nested | undefined
}

interface OperatorCall {
  /** Identifies the context of the definition. */
  readonly key: object
  readonly target: PartialState
  readonly fixed: Fixed
  readonly parameters: readonly Cell[]
  readonly call: ActionCall
}

const calls = new WeakMap<Context, Map<DefinitionSymbol, OperatorCall[]>>()

/** Bound on the compilations of an operator for fixed arguments; beyond, all are passed by value. */
const MOST_COMPILED = 256

/** @param called the definition, and the scope of its body without its parameters */
export function recursiveAction(
  search: Search,
  called: Called,
  term: Reference,
  scope: Scope,
  next: Continuation,
): Continuation {
  const { compiler, context } = search
  const { definition } = called
  const known = callsOf(definition, context)
  const fixed = known.length < MOST_COMPILED ? fixedArguments(compiler, definition, term.arguments, scope) : NONE_FIXED
  const { parameters, call } = compiledAction(search, called, known, fixed)
  const { evaluate } = argumentsOf(compiler, definition, term.arguments, scope, context, fixed)
  return () => {
    const values = evaluate()
    return call.enter(() => {
      for (let at = 0; at < parameters.length; at++) parameters[at]!.value = values[at]
    }, next)
  }
}

function callsOf(definition: DefinitionSymbol, context: Context): OperatorCall[] {
  let byDefinition = calls.get(context)
  if (byDefinition === undefined) calls.set(context, (byDefinition = new Map()))
  let made = byDefinition.get(definition)
  if (made === undefined) byDefinition.set(definition, (made = []))
  return made
}

function compiledAction(search: Search, called: Called, calls: OperatorCall[], fixed: Fixed): OperatorCall {
  const { compiler } = search
  const { state } = search.target
  const { definition, scope: place, nested } = called
  const key = nested ?? place.base
  const known = calls.find((call) => call.key === key && call.target === state && isSameFixed(call.fixed, fixed))
  if (known !== undefined) return known
  const mark = compiler.cells.length
  const { scope, parameters } = compiledParameters(compiler, definition, place, fixed)
  const call = new ActionCall()
  const made: OperatorCall = { key, target: state, fixed, parameters, call }
  calls.push(made)
  const leave = compiler.entering(definition)
  const leaveRecursion = compiler.enteringRecursion()
  call.compile(compiler, mark, (back) => compiler.action(definition.body, scope, search, back))
  leaveRecursion()
  leave()
  return made
}
