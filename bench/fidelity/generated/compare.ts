/** Holds the orders of one generated program under norn against those of stock Node. */
import type { Engine } from '../mutants.ts'
import { NORN, nornOrders, type Orders, reaches } from './norn.ts'
import { type OnlyNorn, onlyNorn } from './patterns.ts'
import type { Program } from './program.ts'
import type { Stock, StockRuns } from './stock.ts'

export interface Size {
  readonly stock: StockRuns
  /** Executions under norn: so many, and more until it has shown every order of stock Node. */
  readonly least: number
  readonly most: number
  /** Executions of a guided search for one order. */
  readonly search: number
}

export interface Comparison extends OnlyNorn {
  readonly stock: Orders
  readonly norn: Orders
  /** Orders that stock Node shows and norn does not reach, not even in a search for them. */
  readonly unreachable: readonly string[]
  /** Verdicts other than a pass. */
  readonly verdicts: readonly string[]
}

/** Searches for at most so many orders of a program: if these are reached, the others are rarer. */
const MAX_SEARCHED = 3

/** Stock Node runs so many times as often again before a pair or a triple counts as norn's alone. */
const AGAIN = 5

/**
 * Stock Node never shows a triple that it would have shown so often were its pairs independent. They
 * are not quite: of 70 programs, none had an absent triple with more than 3, in 1,500 runs.
 */
const EXPECTED = 10

export async function compare(
  programs: readonly Program[],
  stock: Stock,
  size: Size,
  engine: Engine = NORN,
): Promise<Comparison[]> {
  const shown = await Promise.all(programs.map((program) => stock.orders(program, size.stock)))
  const cases = programs.map((program, index) => ({ program, wanted: new Set(shown[index]!.keys()) }))
  const norn = await nornOrders(cases, size, engine)
  const alone = await Promise.all(
    programs.map((program, index) => aloneInNorn(program, shown[index]!, norn[index]!, stock, size)),
  )
  const comparisons: Comparison[] = []
  for (const [index, program] of programs.entries()) {
    comparisons.push(await judge(program, shown[index]!, norn[index]!, alone[index]!, size, engine))
  }
  return comparisons
}

export function disagrees({ unreachable, unexplained, verdicts }: Comparison): boolean {
  return unreachable.length + unexplained.length + verdicts.length > 0
}

/** The pairs and triples that norn alone shows. Stock Node runs again where some may count. */
async function aloneInNorn(
  program: Program,
  stock: Orders,
  norn: Orders,
  node: Stock,
  { stock: { plain, heldUp } }: Size,
): Promise<OnlyNorn> {
  // Main scripts have had fewer runs (`StockRuns`): too few to call an order norn's alone.
  const times = program.start === 'main' ? 4 * AGAIN : AGAIN
  const passed: Orders = new Map([...norn].filter(([order]) => !isVerdict(order)))
  const alone = onlyNorn(program, stock, passed, EXPECTED / (1 + times))
  if (alone.unexplained.length === 0) return alone
  const again = await node.orders(program, { plain: plain * times, heldUp: heldUp * times })
  for (const [order, count] of stock) again.set(order, (again.get(order) ?? 0) + count)
  return onlyNorn(program, again, passed, EXPECTED)
}

async function judge(
  program: Program,
  stock: Orders,
  norn: Orders,
  alone: OnlyNorn,
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
  return { stock, norn, unreachable, ...alone, verdicts }
}

/** Whether it is a verdict other than a pass, in place of an order. */
const isVerdict = (order: string) => order.startsWith('!')
