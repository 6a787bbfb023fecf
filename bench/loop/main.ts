/**
 * The loop suite: steps per second of the world's loop, against a loop that is drained by the real `setImmediate`.
 *
 * A step is one tick and a chain of three awaits. The baseline does nothing but call a step and await a turn of the real
 * loop; norn's steps are an execution's: of a label each, in the trace, decided by the tape, in virtual time.
 */

import { resolve } from 'node:path'
import { Worker } from '../../packages/norn/src/process/worker.ts'
import type { BenchOptions } from '../main.ts'
import { median } from '../statistics/summary.ts'
import { STEPS, step } from './step.ts'

export async function main({ smoke, json, only }: BenchOptions): Promise<void> {
  const worker = new Worker({
    file: resolve(import.meta.dirname, 'steps.fuzz.ts'),
    root: import.meta.dirname,
    aliases: [],
  })
  const [rounds, executions] = smoke ? [2, 3] : [5, 100]
  try {
    for (const property of await worker.list()) {
      if (!property.name.includes(only ?? '')) continue
      const norn = async () => {
        const options = { seed: 1, strategy: 'portfolio', timeMs: 1e9, keepGoing: true, shrink: false, skip: 0 }
        const { passed } = await worker.explore(property, { ...options, runs: executions }, () => {})
        if (passed !== executions) throw new Error(`${executions - passed} executions did not pass`)
      }
      const drained = () => drainedByTheRealLoop(executions * STEPS)
      await norn()
      await drained()
      const rates: [number, number][] = []
      for (let round = 0; round < rounds; round++)
        rates.push([await rate(norn, executions), await rate(drained, executions)])
      const row = {
        suite: 'loop',
        subject: property.name,
        stepsPerSecond: Math.round(median(rates.map(([mine]) => mine))),
        baselinePerSecond: Math.round(median(rates.map(([, other]) => other))),
        ratio: Number(median(rates.map(([mine, other]) => mine / other)).toFixed(2)),
      }
      const text = `${row.subject}: ${row.stepsPerSecond} steps/s, ${row.ratio} times a loop drained by setImmediate (${row.baselinePerSecond}/s)`
      console.log(json ? JSON.stringify(row) : text)
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

async function rate(side: () => Promise<void>, executions: number): Promise<number> {
  const began = performance.now()
  await side()
  return (executions * STEPS) / ((performance.now() - began) / 1000)
}
