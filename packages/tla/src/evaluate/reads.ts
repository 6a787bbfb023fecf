/**
 * The variables that a formula depends on: while they are unchanged, its value need not be computed
 * again.
 *
 * Invariant: nothing else can change the value. Replaced definitions count; a formula that depends
 * on anything else (exploration, random choices, files), or prints, has no such list.
 */
import { isOwn } from '../library/modules.ts'
import type { Argument, DefinitionSymbol, InstanceSymbol, Term, VariableSymbol } from '../semantics/term.ts'
import type { Constants } from './constants.ts'
import { parts } from './terms.ts'

/** Built-in modules whose definitions depend on their arguments alone, except `IMPURE`. */
const PURE = new Set(
  (
    'Naturals Integers Reals Sequences FiniteSets Bags TLC BagsExt FiniteSetsExt SequencesExt Functions Folds Bitwise Relation ' +
    'Graphs UndirectedGraphs Combinatorics Option Variants VectorClocks DyadicRationals'
  ).split(' '),
)
const IMPURE = new Set(['JavaTime', 'TLCGet', 'TLCSet', 'RandomElement', 'Print', 'PrintT'])

/** The sorted indices of the variables; undefined if the value depends on something else. */
export function readsOf(
  term: Term,
  variables: readonly VariableSymbol[],
  { overrides }: Pick<Constants, 'overrides'>,
): readonly number[] | undefined {
  const read = new Set<number>()
  const entered = new Set<DefinitionSymbol | InstanceSymbol>()
  const left: Argument[] = [term]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    left.push(...parts(next))
    if (next.kind !== 'reference') continue
    const { symbol, through } = next
    for (const { instance } of through) {
      if (entered.has(instance)) continue
      entered.add(instance)
      left.push(...instance.substitutions.values())
    }
    if (symbol.kind === 'bound') continue
    for (const override of overrides.get(symbol) ?? []) {
      if (override.kind !== 'definition') continue
      const { symbol: target, through: way } = override.target
      left.push({ kind: 'reference', symbol: target, through: way, arguments: [], at: next.at, level: next.level })
    }
    // Variables of instantiated modules are substituted by terms that are visited anyway.
    if (symbol.kind === 'variable' && variables.includes(symbol)) read.add(variables.indexOf(symbol))
    if (symbol.kind !== 'definition' || entered.has(symbol)) continue
    if (isOwn(symbol.at.source) && (!PURE.has(symbol.module) || IMPURE.has(symbol.name))) return undefined
    entered.add(symbol)
    left.push(symbol.body)
  }
  return [...read].sort((one, other) => one - other)
}
