/**
 * The execution suite: what one execution costs, from its plan to its verdict.
 *
 * Executions per second of three interleaving tasks, against the same tasks under `fc.scheduler`: in memory, where
 * fc.scheduler is at its best; with waits of a millisecond, where it has the real clock; and over a file, where it has the
 * real disk. Norn runs them as a campaign does: planned,
 * noted in the flight recorder, in modules of their own, with the process put back afterwards. Then the share that
 * instantiating the modules has in an execution of a program of ten.
 *
 * Sides take turns within one run, and the ratio is the median over the rounds: the machine may be busy.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { Worker } from '../../packages/norn/src/process/worker.ts'
import type { BenchOptions } from '../main.ts'
import { median } from '../statistics/summary.ts'
import { instantiationShare } from './share.ts'
import { threeTasksInMemory, threeTasksOverAFile } from './tasks.ts'

const HERE = import.meta.dirname

/** A baseline runs a body so often; gives nothing back. */
type Baseline = (runs: number) => Promise<void>

interface Compared {
  readonly property: string
  readonly baseline: Baseline
  /** Executions a round, of norn and of the baseline. */
  readonly runs: readonly [norn: number, baseline: number]
}

export async function main({ smoke, json, only }: BenchOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'norn-bench-'))
  const worker = new Worker({ file: resolve(HERE, 'three-tasks.fuzz.ts'), root: HERE, aliases: [] })
  const say = (row: Record<string, unknown>, text: string) => console.log(json ? JSON.stringify(row) : text)
  try {
    const properties = await worker.list()
    const scale = smoke ? 0.05 : 1
    const rounds = smoke ? 2 : 7
    for (const { property, baseline, runs } of compared(join(folder, 'counter'))) {
      if (!property.includes(only ?? '')) continue
      const listed = properties.find(({ name }) => name === property)!
      const norn = async (count: number) => {
        const options = { seed: 1, strategy: 'portfolio', timeMs: 1e9, keepGoing: true, shrink: false, skip: 0 }
        const { passed } = await worker.explore(listed, { ...options, runs: count }, () => {})
        if (passed !== count) throw new Error(`${count - passed} executions of '${property}' did not pass`)
      }
      const row = await compare(
        norn,
        baseline,
        runs.map((count) => Math.round(count * scale)) as [number, number],
        rounds,
      )
      say(
        { suite: 'execution', subject: property, ...row },
        `${property}: ${row.perSecond} executions/s, ${row.ratio} times fc.scheduler (${row.baselinePerSecond}/s)`,
      )
    }
    if ('ten modules'.includes(only ?? '')) {
      const share = await instantiationShare(smoke ? 300 : 5000)
      say(
        { suite: 'execution', subject: 'ten modules', ...share },
        `ten modules: instantiating them takes ${(share.share * 100).toFixed(0)} % of an execution (${share.instantiationUs} of ${share.executionUs} us)`,
      )
    }
  } finally {
    worker.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function compared(file: string): readonly Compared[] {
  const scheduled = (body: (scheduler: fc.Scheduler) => Promise<void>): Baseline => {
    return (runs) => fc.assert(fc.asyncProperty(fc.scheduler(), body), { numRuns: runs })
  }
  return [
    {
      property: 'three tasks in memory',
      runs: [20_000, 20_000],
      baseline: scheduled((scheduler) =>
        scheduler.waitFor(threeTasksInMemory(scheduler.scheduleFunction(async (value) => value))),
      ),
    },
    {
      property: 'three tasks that wait',
      runs: [20_000, 100],
      baseline: scheduled((scheduler) =>
        scheduler.waitFor(
          threeTasksInMemory(
            scheduler.scheduleFunction(async (value) => {
              await sleep(1)
              return value
            }),
          ),
        ),
      ),
    },
    {
      property: 'three tasks over a file',
      runs: [10_000, 1000],
      baseline: scheduled((scheduler) =>
        scheduler.waitFor(
          threeTasksOverAFile(
            file,
            scheduler.scheduleFunction((path) => readFile(path, 'utf8')),
            scheduler.scheduleFunction((path, text) => writeFile(path, text)),
          ),
        ),
      ),
    },
  ]
}

type Side = (runs: number) => Promise<void>

async function compare(norn: Side, baseline: Side, [runs, baselineRuns]: [number, number], rounds: number) {
  await norn(runs)
  await baseline(baselineRuns)
  const rates: [number, number][] = []
  for (let round = 0; round < rounds; round++) {
    rates.push([await rate(norn, runs), await rate(baseline, baselineRuns)])
  }
  return {
    perSecond: Math.round(median(rates.map(([mine]) => mine))),
    baselinePerSecond: Math.round(median(rates.map(([, other]) => other))),
    ratio: Number(median(rates.map(([mine, other]) => mine / other)).toFixed(2)),
  }
}

async function rate(side: Side, runs: number): Promise<number> {
  const began = performance.now()
  await side(runs)
  return runs / ((performance.now() - began) / 1000)
}
