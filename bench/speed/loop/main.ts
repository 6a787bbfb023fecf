/**
 * Steps per second of the world's loop, against a loop that is drained by the real `setImmediate`.
 *
 * A step is one tick and a chain of three awaits. The baseline only calls a step and awaits a turn
 * of the real loop; norn's steps are an execution's: labelled, traced, decided by the tape, in
 * virtual time.
 */
import { resolve } from 'node:path'
import { explorePassing, Worker } from '../../engine.ts'
import { perSecond, ratesInTurn, rounded } from '../../measure.ts'
import { printer } from '../../output.ts'
import { median } from '../../statistics/summary.ts'
import type { FilteredOptions } from '../../suite.ts'
import { STEPS, step } from './step.ts'

const HERE = import.meta.dirname

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const worker = new Worker({ file: resolve(HERE, 'steps.fuzz.ts'), root: HERE, aliases: [] })
  const [rounds, executions] = smoke ? [1, 1] : [5, 100]
  const steps = executions * STEPS
  const say = printer(json)
  try {
    for (const property of await worker.list()) {
      if (!property.name.includes(only)) continue
      const sides = [
        () => perSecond(steps, () => explorePassing(worker, property, { runs: executions })),
        () => perSecond(steps, () => drainedByTheRealLoop(steps)),
      ]
      await ratesInTurn(sides, 1)
      const rates = await ratesInTurn(sides, rounds)
      const row = {
        suite: 'loop',
        subject: property.name,
        stepsPerSecond: Math.round(median(rates.map(([norn]) => norn!))),
        baselinePerSecond: Math.round(median(rates.map(([, baseline]) => baseline!))),
        ratio: rounded(median(rates.map(([norn, baseline]) => norn! / baseline!))),
      }
      const beside = `${row.ratio} times a loop drained by setImmediate (${row.baselinePerSecond}/s)`
      say(row, `${row.subject}: ${row.stepsPerSecond} steps/s, ${beside}`)
    }
  } finally {
    worker.close()
  }
}

async function drainedByTheRealLoop(steps: number): Promise<void> {
  for (let i = 0; i < steps; i++) {
    step()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
