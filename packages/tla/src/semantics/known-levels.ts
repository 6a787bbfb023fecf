/** Levels computed so far, by symbol. */
import type { Reach } from './level.ts'
import type { BoundSymbol, DefinitionSymbol, Module } from './term.ts'

/** What definitions reach, with their parameters. */
export const definitions = new WeakMap<DefinitionSymbol, Reach>()
/**
 * What all definitions of a module reach, their parameters left out: whoever instantiates the
 * module has to respect it.
 */
export const modules = new WeakMap<Module, Reach>()
/** Bound names that are parameters; all others are constants. */
export const formals = new WeakSet<BoundSymbol>()
/** What `@`, a recursive function, and what `\AA` and `\EE` bind stand for. */
export const selves = new WeakMap<BoundSymbol, Reach>()
