/**
 * Executions per second of properties that do nothing, so that the price of an execution is
 * measured: against fast-check and, where it is installed, Jazzer.js.
 *
 * Norn runs them as a campaign guided by everything: planned from earlier executions, noted in the
 * flight recorder, observed, the input drawn from a tape, the process restored. Each side has one
 * core.
 */
import { resolve } from 'node:path'
import fc from 'fast-check'
import { EVERYTHING, explorePassing, type ListedProperty, Worker } from '../../engine.ts'
import { coreMs, perSecond, ratesInTurn, rounded } from '../../measure.ts'
import { printer } from '../../output.ts'
import { median } from '../../statistics/summary.ts'
import type { FilteredOptions } from '../../suite.ts'
import { checkAtOnce, checkLater } from './bodies.ts'
import { type Jazzer, type JazzerTarget, jazzer } from './jazzer.ts'

const HERE = import.meta.dirname

interface Compared {
  readonly property: JazzerTarget
  /** Runs the body under fast-check. */
  readonly fastCheck: (runs: number) => Promise<void>
  /** Target in executions per second; half of fast-check's rate is enough if that is less. */
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

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const worker = new Worker({ file: resolve(HERE, 'trivial.fuzz.ts'), root: HERE, aliases: [] })
  const say = printer(json)
  const [rounds, runs] = smoke ? [1, 2000] : [7, 100_000]
  try {
    const found = await jazzer()
    if (typeof found === 'string') say({ suite: 'throughput', subject: 'Jazzer.js', skipped: found }, found)
    const other = typeof found === 'string' ? undefined : found
    const properties = await worker.list()
    for (const compared of COMPARED.filter(({ property }) => property.includes(only))) {
      const listed = properties.find(({ name }) => name === compared.property)!
      const row = await compare(worker, listed, compared, other, rounds, runs)
      const needed = Math.min(row.fastCheckPerSecond / 2, compared.wanted)
      const reached = rounded(row.perSecond / needed)
      const parts = [
        `${compared.property}: ${row.perSecond} executions/s, ${row.ratio} times fast-check (${row.fastCheckPerSecond}/s)`,
        ...(row.jazzerPerSecond === undefined ? [] : [`Jazzer.js ${row.jazzerPerSecond}/s`]),
        `${reached} times the target (${Math.round(needed)}/s)`,
        `${row.coreUs} us of its core for each`,
      ]
      const { coreUs, ...rates } = row
      say({ suite: 'throughput', subject: compared.property, ...rates, reached, coreUs }, parts.join('; '))
    }
  } finally {
    worker.close()
  }
}

async function compare(
  worker: Worker,
  listed: ListedProperty,
  { property, fastCheck }: Compared,
  other: Jazzer | undefined,
  rounds: number,
  runs: number,
) {
  const sides = [
    () => perSecond(runs, () => explorePassing(worker, listed, { guide: EVERYTHING, runs })),
    () => perSecond(runs, () => fastCheck(runs)),
  ]
  await ratesInTurn(sides, 1)
  const before = coreMs(worker.pid!)
  const all = other === undefined ? sides : [...sides, () => other.rate(property, runs)]
  const rates = await ratesInTurn(all, rounds)
  const usedMs = coreMs(worker.pid!) - before
  const ofSide = (side: number) => Math.round(median(rates.map((round) => round[side]!)))
  return {
    perSecond: ofSide(0),
    fastCheckPerSecond: ofSide(1),
    ...(other === undefined ? {} : { jazzerPerSecond: ofSide(2) }),
    ratio: rounded(median(rates.map(([norn, baseline]) => norn! / baseline!))),
    coreUs: rounded((1000 * usedMs) / (rounds * runs), 1),
  }
}

function expectPass({ failed }: { readonly failed: boolean }): void {
  if (failed) throw new Error('the trivial property failed under fast-check')
}
