/**
 * Hostile: generated network programs that break protocols and destroy what they can. Norn must
 * never crash, hang or end inconclusive, and what it shows by default must be what stock Node shows.
 */

import { printer } from '../../output.ts'
import { Preloads } from '../../preloads.ts'
import { sideBySide } from '../../processes.ts'
import type { CommonOptions } from '../../suite.ts'
import { generate } from './generate.ts'
import { nornOutcomes, type Shown } from './norn.ts'
import type { Program } from './program.ts'
import { isBroken, isRefuted, rowOf } from './rows.ts'
import { stockOutcomes } from './stock.ts'

const SEED = 1
const PROGRAMS = 5000
const SMOKE_PROGRAMS = 60
const SCHEDULES = 10
const SMOKE_SCHEDULES = 3

/** Runs of each program on stock Node, as on a machine that takes almost no time (slow-clock.c). */
const STOCK_RUNS = 2
/** Runs of those of which norn shows something else: in the same way, plain, and held up (hold-up.c). */
const MORE_STOCK_RUNS = { faster: 30, fasterHeldUp: 50, plain: 30, heldUp: 300 }
/** How many times as fast. */
const FASTER = '1000'

/** Programs that a process of norn runs. */
const BATCH = 50
const WORKERS = 2

export async function run({ smoke, json, hostile }: CommonOptions & { hostile: number | undefined }): Promise<void> {
  const count = hostile ?? (smoke ? SMOKE_PROGRAMS : PROGRAMS)
  const programs = Array.from({ length: count }, (_, index) => generate(SEED, index))
  const { stock, shown } = await outcomes(programs, smoke ? SMOKE_SCHEDULES : SCHEDULES)
  const unseen = new Set(unlike(stock, shown))
  const say = printer(json)
  for (const at of unseen) {
    const row = { suite: 'hostile', program: at, natural: shown[at]!.natural, stock: [...stock[at]!] }
    say(row, `program ${at} (${programs[at]!.family}):\n${difference(row)}`)
  }
  for (const [at, { random }] of shown.entries()) {
    for (const outcome of random)
      if (isBroken(outcome)) say({ suite: 'hostile', program: at, broken: outcome }, `program ${at}: ${outcome}`)
  }
  const families = [...new Set(programs.map(({ family }) => family))].sort()
  for (const name of [...families, 'all']) {
    const row = rowOf(name, programs, shown, unseen)
    say(
      row,
      `${name}: ${row.programs} programs, ${row.executions} executions, ${row.unseen} unseen, ${row.broken} broken`,
    )
    if (name === 'all' && isRefuted(row)) process.exitCode = 1
  }
}

/** What each program showed on stock Node, and under norn. */
async function outcomes(programs: readonly Program[], schedules: number) {
  const preloads = await Preloads.open()
  try {
    const { holdUp, slowClock } = preloads
    const faster = { LD_PRELOAD: slowClock, SLOW_CLOCK: FASTER }
    const stock = await stockOutcomes(programs, STOCK_RUNS, faster)
    const shown = await allNornOutcomes(programs, schedules)
    const seeMore = async (runs: number, env: NodeJS.ProcessEnv) => {
      const more = unlike(stock, shown)
      const chosen = more.map((at) => programs[at]!)
      const again = await stockOutcomes(chosen, runs, env)
      for (const [nth, at] of more.entries()) stock[at] = new Set([...stock[at]!, ...again[nth]!])
    }
    await seeMore(MORE_STOCK_RUNS.faster, faster)
    await seeMore(MORE_STOCK_RUNS.fasterHeldUp, { ...faster, LD_PRELOAD: `${slowClock}:${holdUp}` })
    await seeMore(MORE_STOCK_RUNS.plain, {})
    await seeMore(MORE_STOCK_RUNS.heldUp, { LD_PRELOAD: holdUp })
    return { stock, shown }
  } finally {
    preloads.close()
  }
}

/** The programs of which norn's default outcome is none of stock Node's. */
function unlike(stock: readonly ReadonlySet<string>[], shown: readonly Shown[]): number[] {
  return [...shown.keys()].filter((at) => !stock[at]!.has(shown[at]!.natural))
}

async function allNornOutcomes(programs: readonly Program[], schedules: number): Promise<readonly Shown[]> {
  const all: Shown[] = []
  const batches = Array.from({ length: Math.ceil(programs.length / BATCH) }, (_, at) => at * BATCH)
  await sideBySide(batches, WORKERS, async (from) => {
    const outcomes = await nornOutcomes(programs.slice(from, from + BATCH), schedules)
    for (const [at, each] of outcomes.entries()) all[from + at] = each
  })
  return all
}

/** What norn showed and no run of stock Node did, and the reverse, against the nearest run. */
function difference({ natural, stock }: { natural: string; stock: readonly string[] }): string {
  const mine = natural.split(', ')
  const differences = stock.map((each) => {
    const theirs = each.split(', ')
    return { norn: mine.filter((one) => !theirs.includes(one)), stock: theirs.filter((one) => !mine.includes(one)) }
  })
  const { norn, stock: other } = differences.sort(
    (a, b) => a.norn.length + a.stock.length - b.norn.length - b.stock.length,
  )[0]!
  return `  only norn: ${norn.join(', ')}\n  only stock: ${other.join(', ')}`
}
