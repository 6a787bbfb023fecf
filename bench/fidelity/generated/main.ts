/**
 * Generated programs: the loop, held against stock Node.
 *
 * Small programs over the whole vocabulary of asynchronous operations run on stock Node, plain and
 * with threads held up, and under norn. An order that stock Node shows and norn cannot reach is a
 * defect; so is one that norn shows, stock Node never, and explained.ts has no argument for.
 * Programs with a defect shrink. Status 1 if there are any.
 *
 * With `--defects`, known defects are put into norn instead, each until a program disagrees. Status
 * 1 if none does.
 */
import type { CommonOptions } from '../../suite.ts'
import { type Engine, Mutants } from '../mutants.ts'
import { type Comparison, compare, disagrees, type Size } from './compare.ts'
import { DEFECTS } from './defects.ts'
import { generate } from './generate.ts'
import { NORN } from './norn.ts'
import { describePattern } from './patterns.ts'
import { describe, type Program } from './program.ts'
import { reduce } from './reduce.ts'
import { Stock } from './stock.ts'

export interface Row {
  readonly suite: 'generated'
  readonly seed: number
  readonly index: number
  readonly program: string
  /** Distinct orders. */
  readonly stock: number
  readonly norn: number
  /** Orders that norn alone shows, with the argument why Node could. */
  readonly explained: Readonly<Record<string, string>>
  readonly unreachable: readonly string[]
  readonly unexplained: readonly string[]
  readonly verdicts: readonly string[]
  /** The smallest program that disagrees, where one does. */
  readonly reduced?: string
}

const FULL: Size = { stock: { plain: 50, heldUp: 200 }, least: 300, most: 4000, search: 20_000 }
const SMOKE: Size = { stock: { plain: 10, heldUp: 30 }, least: 50, most: 800, search: 20_000 }
const PROGRAMS = 500
/** Within so many programs a defect that is put into norn has to be found. */
const PROGRAMS_OF_DEFECTS = 200
const SMOKE_PROGRAMS = 4

/** Programs that share a process of norn. */
const BATCH = 10

export interface GeneratedOptions extends CommonOptions {
  readonly generated: number | undefined
  readonly seed: number | undefined
  readonly defects: boolean | undefined
  readonly sockets: boolean | undefined
}

/** The programs to draw. */
interface Drawn {
  readonly count: number
  readonly seed: number
  readonly sockets: boolean
}

export async function run(options: GeneratedOptions): Promise<void> {
  const { smoke, json, seed = 1, defects = false, sockets = false } = options
  const size = smoke ? SMOKE : FULL
  const count = options.generated ?? (defects ? PROGRAMS_OF_DEFECTS : smoke ? SMOKE_PROGRAMS : PROGRAMS)
  const stock = await Stock.open()
  try {
    if (defects) await findDefects({ count, seed, sockets }, stock, size, json)
    else await findDisagreements({ count, seed, sockets }, stock, size, json)
  } finally {
    stock.close()
  }
}

async function findDisagreements(drawn: Drawn, stock: Stock, size: Size, json: boolean): Promise<void> {
  let wrong = 0
  for await (const { index, program, comparison } of comparisons(drawn, stock, size)) {
    const smallest = disagrees(comparison) ? await reduced(program, stock, size) : undefined
    if (smallest !== undefined) wrong++
    report(rowOf(drawn.seed, index, program, comparison, smallest), json)
  }
  if (!json) console.log(`${drawn.count} programs, ${wrong} with a disagreement`)
  if (wrong > 0) process.exitCode = 1
}

async function findDefects(drawn: Drawn, stock: Stock, size: Size, json: boolean): Promise<void> {
  const mutants = new Mutants(NORN.root)
  try {
    for (const defect of DEFECTS) {
      const found = await mutants.within(defect, async (engine) => {
        for await (const compared of comparisons(drawn, stock, size, engine)) {
          if (!disagrees(compared.comparison)) continue
          // The defect shows only where norn agrees without it.
          const [without] = await compare([compared.program], stock, size)
          if (!disagrees(without!)) return compared
        }
        return undefined
      })
      if (found === undefined) process.exitCode = 1
      if (json)
        console.log(
          JSON.stringify({ suite: 'generated', defect: defect.name, seed: drawn.seed, index: found?.index ?? null }),
        )
      else if (found === undefined) console.log(`${defect.name}: NOT FOUND within ${drawn.count} programs`)
      else {
        console.log(`${defect.name}: found by program #${found.index}`)
        report(rowOf(drawn.seed, found.index, found.program, found.comparison, found.program), json)
      }
    }
  } finally {
    mutants.remove()
  }
}

interface Compared {
  readonly index: number
  readonly program: Program
  readonly comparison: Comparison
}

async function* comparisons(
  { count, seed, sockets }: Drawn,
  stock: Stock,
  size: Size,
  engine: Engine = NORN,
): AsyncGenerator<Compared> {
  for (let from = 0; from < count; from += BATCH) {
    const programs = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) =>
      generate(seed, from + at, sockets),
    )
    const compared = await compare(programs, stock, size, engine)
    for (const [at, comparison] of compared.entries()) yield { index: from + at, program: programs[at]!, comparison }
  }
}

async function reduced(program: Program, stock: Stock, size: Size): Promise<Program> {
  return reduce(program, async (smaller) => disagrees((await compare([smaller], stock, size))[0]!))
}

function rowOf(seed: number, index: number, program: Program, comparison: Comparison, smallest?: Program): Row {
  const { stock, norn, explained, unreachable, unexplained, verdicts } = comparison
  return {
    suite: 'generated',
    seed,
    index,
    program: describe(program),
    stock: stock.size,
    norn: norn.size,
    explained: Object.fromEntries([...explained].map(([pair, why]) => [describePattern(program, pair), why])),
    unreachable: unreachable.map((order) => `${order} (stock: ${stock.get(order)})`),
    unexplained: unexplained.map((pair) => describePattern(program, pair)),
    verdicts,
    ...(smallest === undefined ? {} : { reduced: describe(smallest) }),
  }
}

function report(row: Row, json: boolean): void {
  if (json) {
    console.log(JSON.stringify(row))
    return
  }
  const { index, program, reduced, explained, unreachable, unexplained, verdicts } = row
  for (const [pair, why] of Object.entries(explained)) console.log(`#${index}: ${pair}: only norn; ${why}`)
  if (reduced === undefined) return
  console.log(`#${index} DISAGREES ${program}`)
  for (const order of unreachable) console.log(`  norn does not reach ${order}`)
  for (const pair of unexplained) console.log(`  only norn: ${pair}`)
  for (const verdict of verdicts) console.log(`  under norn: ${verdict}`)
  console.log(`  smallest ${reduced}`)
}
