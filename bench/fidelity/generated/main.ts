/**
 * Generated programs: the loop, held against stock Node.
 *
 * Small programs over the whole vocabulary of asynchronous operations run on stock Node, plain and
 * with threads held up, and under norn. An order that stock Node shows and norn cannot reach is a
 * defect; so is one that norn shows, stock Node never, and explained.ts has no argument for.
 * Programs with a defect shrink. Status 1 if there are any.
 */
import type { CommonOptions } from '../../suite.ts'
import { type Comparison, compare, describePair, disagrees, type Size } from './compare.ts'
import { generate } from './generate.ts'
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

const FULL: Size = { stock: { plain: 60, heldUp: 240 }, least: 300, most: 4000, search: 20_000 }
const SMOKE: Size = { stock: { plain: 10, heldUp: 30 }, least: 50, most: 4000, search: 20_000 }
const PROGRAMS = 500
const SMOKE_PROGRAMS = 4

/** Programs that share a process of norn. */
const BATCH = 10

export interface GeneratedOptions extends CommonOptions {
  readonly generated: number | undefined
  readonly seed: number | undefined
}

export async function run({ smoke, json, generated, seed = 1 }: GeneratedOptions): Promise<void> {
  const size = smoke ? SMOKE : FULL
  const count = generated ?? (smoke ? SMOKE_PROGRAMS : PROGRAMS)
  const stock = await Stock.open()
  let wrong = 0
  try {
    for (let from = 0; from < count; from += BATCH) {
      const programs = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => generate(seed, from + at))
      for (const [at, comparison] of (await compare(programs, stock, size)).entries()) {
        const program = programs[at]!
        const smallest = disagrees(comparison) ? await reduced(program, stock, size) : undefined
        if (smallest !== undefined) wrong++
        report(rowOf(seed, from + at, program, comparison, smallest), json)
      }
    }
  } finally {
    stock.close()
  }
  if (!json) console.log(`${count} programs, ${wrong} with a disagreement`)
  if (wrong > 0) process.exitCode = 1
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
    explained: Object.fromEntries([...explained].map(([pair, why]) => [describePair(program, pair), why])),
    unreachable: unreachable.map((order) => `${order} (stock: ${stock.get(order)})`),
    unexplained: unexplained.map((pair) => describePair(program, pair)),
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
