/** The way from a name through instances to its symbol. */
import { isOwn } from '../library/modules.ts'
import type { Entry } from './scope.ts'
import type { Argument, DefinitionSymbol, InstanceSymbol, Through } from './term.ts'

/**
 * What is defined in modules without constants and variables, and so is the same through every
 * instance.
 */
export const closed = new WeakSet<DefinitionSymbol | InstanceSymbol>()

/**
 * The way through an instance and on to a symbol. An instance that binds nothing that the symbol
 * depends on is left out: the `+` of an instance is that of Naturals.
 */
export function goThrough(
  instance: InstanceSymbol,
  given: readonly Argument[],
  symbol: Entry['symbol'],
  rest: readonly Through[],
): readonly Through[] {
  // By its name it is another definition, which a configuration that replaces the one of the root
  // module leaves as it is.
  const isNamed = instance.name !== undefined && !isOwn(symbol.at.source)
  if (!isNamed && instance.parameters.length === 0 && instance.substitutions.size === 0) return rest
  const next = rest[0]?.instance ?? symbol
  if (!isNamed && (next.kind === 'definition' || next.kind === 'instance') && closed.has(next)) return rest
  return [{ instance, arguments: given }, ...rest]
}
