/** Holds the orders of one generated program under norn against those of stock Node. */
import type { Engine } from '../mutants.ts'
import { explanationOf } from './explained.ts'
import { NORN, nornOrders, type Orders, reaches } from './norn.ts'
import { letterOf, type Program, preorder } from './program.ts'
import type { Stock, StockRuns } from './stock.ts'

export interface Size {
  readonly stock: StockRuns
  /** Executions under norn: so many, and more until it has shown every order of stock Node. */
  readonly least: number
  readonly most: number
  /** Executions of a guided search for one order. */
  readonly search: number
}

/** `ab`: the callback of `a` comes before that of `b`. */
type Pair = string

export interface Comparison {
  readonly stock: Orders
  readonly norn: Orders
  /** Orders that stock Node shows and norn does not reach, not even in a search for them. */
  readonly unreachable: readonly string[]
  /** Pairs that norn shows, stock Node never, and nothing explains. */
  readonly unexplained: readonly Pair[]
  /** Pairs that norn alone shows, with the reason why Node could. */
  readonly explained: ReadonlyMap<Pair, string>
  /** Verdicts other than a pass. */
  readonly verdicts: readonly string[]
}

/** Searches for at most so many orders of a program: if these are reached, the others are rarer. */
const MAX_SEARCHED = 3

/** Stock Node runs so many times as often before a pair counts as norn's alone. */
const AGAIN = 5

export async function compare(
  programs: readonly Program[],
  stock: Stock,
  size: Size,
  engine: Engine = NORN,
): Promise<Comparison[]> {
  const shown = await Promise.all(programs.map((program) => stock.orders(program, size.stock)))
  const cases = programs.map((program, index) => ({ program, wanted: new Set(shown[index]!.keys()) }))
  const norn = await nornOrders(cases, size, engine)
  const pairs = await Promise.all(
    programs.map((program, index) => pairsOfStock(program, shown[index]!, norn[index]!, stock, size)),
  )
  const comparisons: Comparison[] = []
  for (const [index, program] of programs.entries()) {
    comparisons.push(await judge(program, shown[index]!, norn[index]!, pairs[index]!, size, engine))
  }
  return comparisons
}

export function disagrees({ unreachable, unexplained, verdicts }: Comparison): boolean {
  return unreachable.length + unexplained.length + verdicts.length > 0
}

/** The pairs that stock Node shows; it runs again if norn shows others. */
async function pairsOfStock(
  program: Program,
  stock: Orders,
  norn: Orders,
  node: Stock,
  { stock: { plain, heldUp } }: Size,
): Promise<Set<Pair>> {
  const known = pairsOf(stock.keys())
  const isKnown = (pair: Pair) => known.has(pair) || explanationOf(program, pair) !== undefined
  if ([...pairsOf(passed(norn))].every(isKnown)) return known
  const again = await node.orders(program, { plain: plain * AGAIN, heldUp: heldUp * AGAIN })
  return new Set([...known, ...pairsOf(again.keys())])
}

async function judge(
  program: Program,
  stock: Orders,
  norn: Orders,
  known: ReadonlySet<Pair>,
  size: Size,
  engine: Engine,
): Promise<Comparison> {
  const verdicts = [...norn.keys()].filter(isVerdict)
  if (verdicts.length > 0) {
    return { stock, norn, unreachable: [], unexplained: [], explained: new Map(), verdicts }
  }
  const missing = [...stock].filter(([order]) => !norn.has(order)).sort(([, a], [, b]) => b - a)
  const unreachable: string[] = []
  for (const [order] of missing.slice(0, MAX_SEARCHED)) {
    if (!(await reaches(program, order, size.search, engine))) unreachable.push(order)
  }
  const explained = new Map<Pair, string>()
  const unexplained: Pair[] = []
  for (const pair of pairsOf(norn.keys())) {
    if (known.has(pair)) continue
    const why = explanationOf(program, pair)
    if (why === undefined) unexplained.push(pair)
    else explained.set(pair, why)
  }
  return { stock, norn, unreachable, unexplained, explained, verdicts }
}

/** Whether it is a verdict other than a pass, in place of an order. */
const isVerdict = (order: string) => order.startsWith('!')

function passed(norn: Orders): string[] {
  return [...norn.keys()].filter((order) => !isVerdict(order))
}

function pairsOf(orders: Iterable<string>): Set<Pair> {
  const pairs = new Set<Pair>()
  for (const order of orders) {
    for (let first = 0; first < order.length; first++) {
      for (let second = first + 1; second < order.length; second++) pairs.add(order[first]! + order[second]!)
    }
  }
  return pairs
}

/** `a fs.stat before b setImmediate` */
export function describePair(program: Program, pair: Pair): string {
  const nodes = preorder(program.roots)
  const name = (letter: string) => `${letter} (${nodes.find((_, index) => letterOf(index) === letter)!.kind})`
  return `${name(pair[0]!)} before ${name(pair[1]!)}`
}
