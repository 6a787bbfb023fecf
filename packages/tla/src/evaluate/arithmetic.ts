/**
 * Inlined integer operators, for operands that are numbers and results of 32 bits. Everything else,
 * errors included, is left to the native operator.
 */
import { nativeOf } from '../library/natives.ts'
import type { DefinitionSymbol } from '../semantics/term.ts'
import type { Value } from '../values/value.ts'
import { type Code, codeOf } from './code.ts'
import type { Compiler } from './compiler.ts'

const MODULES = new Set(['Naturals', 'Integers', 'Reals'])
const [LEAST, GREATEST] = [-(2 ** 31), 2 ** 31 - 1]

export function arithmetic(
  compiler: Compiler,
  definition: DefinitionSymbol,
  operands: readonly Code[],
): Code | undefined {
  if (!MODULES.has(definition.module) || operands.length !== 2) return undefined
  const native = nativeOf(definition.module, definition.name)
  if (native === undefined) return undefined
  const run = inlined(definition.name, operands[0]!.run, operands[1]!.run, compiler.native(definition, native))
  return run && codeOf(run, operands)
}

type Rest = (left: Value, right: Value) => Value

function inlined(name: string, left: () => Value, right: () => Value, rest: Rest): (() => Value) | undefined {
  switch (name) {
    case '+':
      return () => {
        const a = left()
        const b = right()
        if (typeof a === 'number' && typeof b === 'number') {
          const sum = a + b
          if (sum <= GREATEST && sum >= LEAST) return sum
        }
        return rest(a, b)
      }
    case '-':
      return () => {
        const a = left()
        const b = right()
        if (typeof a === 'number' && typeof b === 'number') {
          const difference = a - b
          if (difference <= GREATEST && difference >= LEAST) return difference
        }
        return rest(a, b)
      }
    case '<':
      return () => {
        const a = left()
        const b = right()
        return typeof a === 'number' && typeof b === 'number' ? a < b : rest(a, b)
      }
    case '>':
      return () => {
        const a = left()
        const b = right()
        return typeof a === 'number' && typeof b === 'number' ? a > b : rest(a, b)
      }
    case '\\leq':
      return () => {
        const a = left()
        const b = right()
        return typeof a === 'number' && typeof b === 'number' ? a <= b : rest(a, b)
      }
    case '\\geq':
      return () => {
        const a = left()
        const b = right()
        return typeof a === 'number' && typeof b === 'number' ? a >= b : rest(a, b)
      }
    default:
      return undefined
  }
}
