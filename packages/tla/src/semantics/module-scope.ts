/** The scopes of resolved modules, and the names they export. */
import type { Entry, Scope } from './scope.ts'
import type { Module } from './term.ts'

/** The scope of each resolved module, with its LOCAL names. */
export const scopes = new WeakMap<Module, Scope>()

export function scopeOf(module: Module): Scope {
  return scopes.get(module)!
}

/**
 * What a name of a module is to those who instantiate it; undefined if it defines none of the name.
 */
export function exportsOf(module: Module, name: string): Entry | undefined {
  const entry = scopeOf(module).names.get(name)
  return entry === undefined || !isExported(entry) ? undefined : entry
}

export function isExported({ symbol, isLocal }: Entry): boolean {
  return !isLocal && (symbol.kind === 'definition' || symbol.kind === 'instance')
}
