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

/** Runs of each program on stock Node. */
const STOCK_RUNS = 2
/** Runs of those of which norn shows something else: plain, as on a faster machine, and held up. */
const MORE_STOCK_RUNS = { plain: 30, faster: 30, heldUp: 300, fasterHeldUp: 50 }
/** How many times as fast: norn's default schedule takes almost no time. */
const FASTER = 1000

/** Programs that a process of norn runs. */
const BATCH = 50
const WORKERS = 2

export async function run({ smoke, json, hostile }: CommonOptions & { hostile: number | undefined }): Promise<void> {
  const count = hostile ?? (smoke ? SMOKE_PROGRAMS : PROGRAMS)
  const programs = Array.from({ length: count }, (_, index) => generate(SEED, index))
  const stock = await stockOutcomes(programs, STOCK_RUNS)
  const shown = await allNornOutcomes(programs, smoke ? SMOKE_SCHEDULES : SCHEDULES)
  const unlike = () => [...programs.keys()].filter((at) => !stock[at]!.has(shown[at]!.natural))
  const seeMore = async (runs: number, env?: NodeJS.ProcessEnv) => {
    const more = unlike()
    const again = await stockOutcomes(
      more.map((at) => programs[at]!),
      runs,
      env,
    )
    for (const [nth, at] of more.entries()) stock[at] = new Set([...stock[at]!, ...again[nth]!])
  }
  await seeMore(MORE_STOCK_RUNS.plain)
  const preloads = await Preloads.open()
  try {
    const { holdUp, slowClock } = preloads
    const faster = { SLOW_CLOCK: `${FASTER}` }
    await seeMore(MORE_STOCK_RUNS.faster, { ...faster, LD_PRELOAD: slowClock })
    await seeMore(MORE_STOCK_RUNS.heldUp, { LD_PRELOAD: holdUp })
    await seeMore(MORE_STOCK_RUNS.fasterHeldUp, { ...faster, LD_PRELOAD: `${slowClock}:${holdUp}` })
  } finally {
    preloads.close()
  }
  const unseen = new Set(unlike())
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
