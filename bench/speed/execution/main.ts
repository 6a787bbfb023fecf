/**
 * Executions per second of three interleaving tasks, against the same tasks under `fc.scheduler`:
 * in memory, where fc.scheduler is at its best; with waits of a millisecond, where it has the real
 * clock; over a file, where it has the real disk. Norn runs them as a campaign does: planned, noted
 * in the flight recorder, in modules of their own, with the process restored afterwards.
 *
 * Then the share of instantiating the modules in an execution of a program of ten (inside.ts).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { explorePassing, Worker } from '../../engine.ts'
import { perSecond, ratesInTurn, rounded } from '../../measure.ts'
import { printer } from '../../output.ts'
import { measuredInProcess } from '../../processes.ts'
import { median } from '../../statistics/summary.ts'
import type { FilteredOptions } from '../../suite.ts'
import type { Share } from './inside.ts'
import { threeTasksInMemory, threeTasksOverAFile } from './tasks.ts'

const HERE = import.meta.dirname
const MODULES = 'ten modules'

interface Compared {
  readonly property: string
  /** The body under fc.scheduler. */
  readonly body: (scheduler: fc.Scheduler) => Promise<void>
  /** Executions a round, of norn and of the baseline. */
  readonly runs: readonly [norn: number, baseline: number]
}

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'norn-bench-'))
  const worker = new Worker({ file: resolve(HERE, 'three-tasks.fuzz.ts'), root: HERE, aliases: [] })
  const say = printer(json)
  try {
    const properties = await worker.list()
    const scale = smoke ? 0.02 : 1
    for (const { property, body, runs } of compared(join(folder, 'counter'))) {
      if (!property.includes(only)) continue
      const listed = properties.find(({ name }) => name === property)!
      const [nornRuns, baselineRuns] = runs.map((count) => Math.round(count * scale)) as [number, number]
      const sides = [
        () => perSecond(nornRuns, () => explorePassing(worker, listed, { runs: nornRuns })),
        () =>
          perSecond(baselineRuns, () => fc.assert(fc.asyncProperty(fc.scheduler(), body), { numRuns: baselineRuns })),
      ]
      await ratesInTurn(sides, 1)
      const rates = await ratesInTurn(sides, smoke ? 1 : 7)
      const row = {
        suite: 'execution',
        subject: property,
        perSecond: Math.round(median(rates.map(([norn]) => norn!))),
        baselinePerSecond: Math.round(median(rates.map(([, baseline]) => baseline!))),
        ratio: rounded(median(rates.map(([norn, baseline]) => norn! / baseline!))),
      }
      const beside = `${row.ratio} times fc.scheduler (${row.baselinePerSecond}/s)`
      say(row, `${property}: ${row.perSecond} executions/s, ${beside}`)
    }
    if (MODULES.includes(only)) {
      const share = await measuredInProcess<Share>(resolve(HERE, 'inside.ts'), [String(smoke ? 50 : 5000)])
      const { instantiationUs, executionUs } = share
      say(
        { suite: 'execution', subject: MODULES, ...share },
        `${MODULES}: instantiation takes ${(share.share * 100).toFixed(0)} % of an execution (${instantiationUs} of ${executionUs} us)`,
      )
    }
  } finally {
    worker.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function compared(file: string): readonly Compared[] {
  const wait = async <Value>(value: Value) => {
    await sleep(1)
    return value
  }
  return [
    {
      property: 'three tasks in memory',
      runs: [20_000, 20_000],
      body: (scheduler) => scheduler.waitFor(threeTasksInMemory(scheduler.scheduleFunction(async (value) => value))),
    },
    {
      property: 'three tasks that wait',
      runs: [20_000, 100],
      body: (scheduler) => scheduler.waitFor(threeTasksInMemory(scheduler.scheduleFunction(wait))),
    },
    {
      property: 'three tasks over a file',
      runs: [10_000, 1000],
      body: (scheduler) =>
        scheduler.waitFor(
          threeTasksOverAFile(
            file,
            scheduler.scheduleFunction((path) => readFile(path, 'utf8')),
            scheduler.scheduleFunction((path, text) => writeFile(path, text)),
          ),
        ),
    },
  ]
}
