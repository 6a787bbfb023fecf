/** Resolves names of configurations and traces: `Inv`, `I!Inv`. */
import type { Module, Named, Through } from '../semantics/term.ts'

/** The meaning of a name that is not an instance. */
export type NamedSymbol = Exclude<Named, { readonly symbol: { readonly kind: 'instance' } }>

/** Resolves a name through instances without parameters; undefined if it is unknown. */
export function named(module: Module, name: string): Named | undefined {
  let names = module.names
  const through: Through[] = []
  const steps = name.split('!')
  for (const [at, step] of steps.entries()) {
    const found = names.get(step)
    if (found === undefined) return undefined
    through.push(...found.through)
    if (at === steps.length - 1) return { ...found, through }
    if (!('substitutions' in found.symbol) || found.symbol.parameters.length > 0) return undefined
    through.push({ instance: found.symbol, arguments: [] })
    names = found.symbol.module.names
  }
  return undefined
}

export function isNamed(found: Named): found is NamedSymbol {
  return found.symbol.kind !== 'instance'
}
