/** Native operators of the library, and operators of the specification as functions for them. */
import type { Native, NativeFunction } from '../library/native.ts'
import type { Surroundings } from '../library/surroundings.ts'
import type { Argument, DefinitionSymbol } from '../semantics/term.ts'
import type { Operator, Value } from '../values/value.ts'
import { arithmetic } from './arithmetic.ts'
import { bindCell } from './binders.ts'
import { type Cell, type Code, codeOf, type Facts, gather, NO_FACTS, settled } from './code.ts'
import type { Compiler } from './compiler.ts'
import type { Context } from './context.ts'
import { failure } from './failures.ts'
import { inPlace, Reentrant, save } from './kept.ts'
import { close, extend, type Scope } from './scope.ts'

export function nativeCall(
  compiler: Compiler,
  definition: DefinitionSymbol,
  native: Native,
  given: readonly Argument[],
  scope: Scope,
  context: Context,
): Code {
  const parts: Facts[] = []
  const codes: Code[] = []
  const runs = definition.parameters.map((parameter, at): (() => unknown) => {
    const argument = given[at]!
    if (parameter.arity > 0 || argument.kind === 'operator') {
      const { facts, make } = operatorFunction(compiler, argument, parameter.arity, scope, context)
      parts.push(facts)
      return make
    }
    const code = compiler.compile(argument, scope, context)
    parts.push(code)
    codes.push(code)
    return code.run
  })
  const inlined = codes.length === runs.length ? arithmetic(compiler, definition, codes) : undefined
  if (inlined !== undefined) return inlined
  const apply = compiler.native(definition, native)
  const isOfSuccessor = native.isVolatile && context.isPrimed
  const called = isOfSuccessor ? inSuccessor(compiler.surroundings, apply) : apply
  const code = codeOf(callNative(called, runs), parts)
  return native.isPure ? code : { ...code, isPure: false, isVolatile: code.isVolatile || native.isVolatile }
}

/** A native under a prime, as in `TLCGet("level")'`: the level is that of the successor. */
function inSuccessor({ progress }: Surroundings, apply: NativeFunction): NativeFunction {
  return (...operands) => {
    const { level } = progress
    progress.level += progress.ahead
    try {
      return apply(...operands)
    } finally {
      progress.level = level
    }
  }
}

/** Avoids an array for few operands. */
function callNative(apply: NativeFunction, runs: readonly (() => unknown)[]): () => Value {
  const [first, second, third] = runs
  switch (runs.length) {
    case 0:
      return () => apply()
    case 1:
      return () => apply(first!())
    case 2:
      return () => apply(first!(), second!())
    case 3:
      return () => apply(first!(), second!(), third!())
    default:
      return () => apply(...runs.map((run) => run()))
  }
}

/** An operator as a function of values; captures its free cells when it is made. */
export function operatorFunction(
  compiler: Compiler,
  argument: Argument,
  arity: number,
  scope: Scope,
  context: Context,
): { readonly facts: Facts; readonly make: () => Operator } {
  const binding = close('an operator', argument, scope)
  if (binding.kind === 'operator cell') {
    const { cell } = binding
    return { facts: { ...NO_FACTS, cells: new Set([cell]) }, make: () => cell.value as Operator }
  }
  if (binding.kind !== 'closed operator') throw failure(`expected an operator with ${arity} parameters`)
  const { parameters, body } = binding.argument
  const mark = compiler.cells.length
  let inner = binding.scope
  const cells = parameters.map((parameter) => {
    const cell = compiler.cell(parameter.name)
    inner =
      parameter.arity > 0
        ? extend(inner, parameter, { kind: 'operator cell', cell })
        : bindCell(inner, parameter, cell, 'parameter')
    return cell
  })
  const code = compiler.compile(body, inner, context)
  const facts = gather([code], cells)
  const within = compiler.innerFrom(mark)
  const maker = (free: ReadonlySet<Cell>): (() => Operator) => {
    const reentrant = new Reentrant(within().filter((cell) => !free.has(cell)))
    const call: Operator = (...values) => reentrant.call(cells, values, code)
    if (free.size === 0) return () => call
    const around = [...free]
    return () => {
      const remembered = save(around)
      return (...values) => inPlace(around, remembered, () => call(...values))
    }
  }
  // The free and bound cells are known once everything it calls is compiled.
  let made: (() => Operator) | undefined
  const make = () => {
    made ??= maker(gather([facts, ...settled(facts)], cells).cells)
    return made()
  }
  return { facts, make }
}
