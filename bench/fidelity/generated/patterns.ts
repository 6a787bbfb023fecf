/**
 * What is compared of the orders of a program: the relative order of two callbacks, and of three.
 *
 * Pairs miss a bound on how many operations run at once: with two threads for three operations, the
 * third may come before either of the others, but not before both. Triples are rarer than pairs, so
 * that stock Node does not show one says little by itself. A triple counts where stock Node would have
 * shown it many times were its pairs independent (the model of Babington Smith, 1950, without the
 * norm, which is 4/3 at most).
 */
import { explanationOf } from './explained.ts'
import type { Orders } from './norn.ts'
import { letterOf, type Program, preorder } from './program.ts'

/** Letters in the order of their callbacks: `ab`, or `abc`. */
export type Pattern = string

export interface OnlyNorn {
  /** Pairs and triples that nothing explains. */
  readonly unexplained: readonly Pattern[]
  /** Pairs, with the reason why Node could. */
  readonly explained: ReadonlyMap<Pattern, string>
}

/**
 * The patterns that norn shows and stock Node does not. A triple has pairs that stock Node shows and
 * none that needs an explanation, as both are judged by the pair alone.
 *
 * @param expected how often independent pairs would have made a triple, for it to count
 */
export function onlyNorn(program: Program, stock: Orders, norn: Orders, expected: number): OnlyNorn {
  const pairs = counts(stock, pairsOf)
  const explained = new Map<Pattern, string>()
  const unexplained: Pattern[] = []
  for (const pair of counts(norn, pairsOf).keys()) {
    if (pairs.has(pair)) continue
    const why = explanationOf(program, pair)
    if (why === undefined) unexplained.push(pair)
    else explained.set(pair, why)
  }
  const runs = [...stock.values()].reduce((sum, times) => sum + times, 0)
  const share = (pair: Pattern) => (pairs.get(pair) ?? 0) / runs
  const triples = counts(stock, triplesOf)
  for (const triple of counts(norn, triplesOf).keys()) {
    if (triples.has(triple) || pairsOf(triple).some((pair) => explanationOf(program, pair) !== undefined)) continue
    const product = pairsOf(triple).reduce((rest, pair) => rest * share(pair), runs)
    if (product >= expected) unexplained.push(triple)
  }
  return { unexplained, explained }
}

/** How often each pattern came. */
function counts(orders: Orders, patternsOf: (order: string) => readonly Pattern[]): Map<Pattern, number> {
  const counted = new Map<Pattern, number>()
  for (const [order, times] of orders) {
    for (const pattern of patternsOf(order)) counted.set(pattern, (counted.get(pattern) ?? 0) + times)
  }
  return counted
}

const pairsOf = (order: string) => subsequences(order, 2)
const triplesOf = (order: string) => subsequences(order, 3)

function subsequences(order: string, length: number): readonly Pattern[] {
  if (length === 0) return ['']
  return [...order].flatMap((letter, at) => subsequences(order.slice(at + 1), length - 1).map((rest) => letter + rest))
}

/** `a (fs.stat) before b (setImmediate)` */
export function describePattern(program: Program, pattern: Pattern): string {
  const nodes = preorder(program.roots)
  const name = (letter: string) => `${letter} (${nodes.find((_, index) => letterOf(index) === letter)!.kind})`
  return [...pattern].map(name).join(' before ')
}
