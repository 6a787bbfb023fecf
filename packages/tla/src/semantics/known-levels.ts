/** Levels computed so far, by symbol, and the entries that the rules of levels recurse through. */
import type { Reach } from './level.ts'
import type { BoundSymbol, DefinitionSymbol, Module, Term } from './term.ts'

/** Implemented by check-levels.ts, on top of the files that get it handed in. */
export interface LevelRules {
  /** What a term reaches. Sets its level, and those of all terms in it. @throws TlaError */
  term(term: Term): Reach
  /** Computes what definitions reach. @throws TlaError */
  define(definitions: readonly DefinitionSymbol[]): void
}

/** What definitions reach, with their parameters. */
export const definitions = new WeakMap<DefinitionSymbol, Reach>()
/** The reach of all definitions of a module, without their parameters: limits its instances. */
export const modules = new WeakMap<Module, Reach>()
/** Bound names that are parameters; all others are constants. */
export const formals = new WeakSet<BoundSymbol>()
/** The reach of `@`, of a recursive function, and of the symbols bound by `\AA` and `\EE`. */
export const selves = new WeakMap<BoundSymbol, Reach>()
