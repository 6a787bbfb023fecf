/**
 * The throughput suite: executions per second of properties that do nothing, so that what is measured is the price of
 * an execution: against fast-check and, where it is installed, Jazzer.js.
 *
 * Norn runs them as a campaign does that everything guides: planned from what earlier ones showed, noted in the flight
 * recorder, observed, the input drawn from a tape, the process put back. Sides take turns within one run, and the ratio is the median over the rounds: the machine may be
 * busy. Each side has one core: all of them run on one thread, one after the other.
 */
import { resolve } from 'node:path'
import fc from 'fast-check'
import { EVERYTHING } from '../../packages/norn/src/search/guided/guide.ts'
import { Worker } from '../../packages/norn/src/process/worker.ts'
import type { BenchOptions } from '../main.ts'
import { median } from '../statistics/summary.ts'
import { checkAtOnce, checkLater } from './bodies.ts'
import { coreMs } from './core-time.ts'
import { type Jazzer, type JazzerTarget, jazzer } from './jazzer.ts'

const HERE = import.meta.dirname

interface Compared {
  readonly property: JazzerTarget
  /** Runs the body under fast-check so often. */
  readonly fastCheck: (runs: number) => Promise<void>
  /** What norn is to reach, in executions per second; half of fast-check's rate will do if that is less. */
  readonly wanted: number
}

const COMPARED: readonly Compared[] = [
  {
    property: 'synchronous',
    fastCheck: async (runs) => expectPass(fc.check(fc.property(fc.integer(), checkAtOnce), { numRuns: runs })),
    wanted: 100_000,
  },
  {
    property: 'asynchronous',
    fastCheck: async (runs) =>
      expectPass(await fc.check(fc.asyncProperty(fc.integer(), checkLater), { numRuns: runs })),
    wanted: 50_000,
  },
]

export async function main({ smoke, json, only }: BenchOptions): Promise<void> {
  const worker = new Worker({ file: resolve(HERE, 'trivial.fuzz.ts'), root: HERE, aliases: [] })
  const say = (row: Record<string, unknown>, text: string) => console.log(json ? JSON.stringify(row) : text)
  const [rounds, runs] = smoke ? [2, 2000] : [7, 100_000]
  try {
    const other = await jazzer()
    if (typeof other === 'string') say({ suite: 'throughput', subject: 'Jazzer.js', skipped: other }, other)
    const properties = await worker.list()
    for (const { property, fastCheck, wanted } of COMPARED) {
      if (!property.includes(only ?? '')) continue
      const listed = properties.find(({ name }) => name === property)!
      const norn = async (count: number) => {
        const options = { seed: 1, strategy: 'portfolio', timeMs: 1e9, keepGoing: true, shrink: false, skip: 0 }
        const { passed } = await worker.explore(listed, { ...options, guide: EVERYTHING, runs: count }, () => {})
        if (passed !== count) throw new Error(`${count - passed} executions of '${property}' did not pass`)
      }
      const baseline = typeof other === 'string' ? undefined : other
      const { nornMs, ...row } = await compare([norn, worker.pid!], fastCheck, baseline, property, rounds, runs)
      const needed = Math.min(row.fastCheckPerSecond / 2, wanted)
      const reached = Number((row.perSecond / needed).toFixed(2))
      const coreUs = Number(((nornMs / (rounds * runs)) * 1000).toFixed(1))
      const beside = row.jazzerPerSecond === undefined ? '' : `; Jazzer.js ${row.jazzerPerSecond}/s`
      say(
        { suite: 'throughput', subject: property, ...row, reached, coreUs },
        `${property}: ${row.perSecond} executions/s, ${row.ratio} times fast-check (${row.fastCheckPerSecond}/s)${beside}; ` +
          `${reached} times what is wanted (${Math.round(needed)}/s); ${coreUs} us of its core for each`,
      )
    }
  } finally {
    worker.close()
  }
}

type Side = (runs: number) => Promise<void>

async function compare(
  [norn, pid]: readonly [Side, pid: number],
  fastCheck: Side,
  other: Jazzer | undefined,
  target: JazzerTarget,
  rounds: number,
  runs: number,
) {
  await norn(runs)
  await fastCheck(runs)
  const rates: { norn: number; fastCheck: number; jazzer: number | undefined }[] = []
  let nornMs = 0
  for (let round = 0; round < rounds; round++) {
    const before = coreMs(pid)
    const mine = await rate(norn, runs)
    nornMs += coreMs(pid) - before
    rates.push({
      norn: mine,
      fastCheck: await rate(fastCheck, runs),
      jazzer: await other?.rate(target, runs),
    })
  }
  const jazzerRates = rates.map((each) => each.jazzer).filter((each) => each !== undefined)
  return {
    perSecond: Math.round(median(rates.map((each) => each.norn))),
    fastCheckPerSecond: Math.round(median(rates.map((each) => each.fastCheck))),
    ...(jazzerRates.length === 0 ? {} : { jazzerPerSecond: Math.round(median(jazzerRates)) }),
    ratio: Number(median(rates.map((each) => each.norn / each.fastCheck)).toFixed(2)),
    nornMs,
  }
}

async function rate(side: Side, runs: number): Promise<number> {
  const began = performance.now()
  await side(runs)
  return runs / ((performance.now() - began) / 1000)
}

function expectPass({ failed }: { readonly failed: boolean }): void {
  if (failed) throw new Error('the trivial property failed under fast-check')
}
