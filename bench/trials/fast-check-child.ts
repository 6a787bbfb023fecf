/**
 * fast-check alone: its inputs and bias, `fc.scheduler` as the thread pool, modules loaded once as
 * by its users.
 */
import { access, mkdir } from 'node:fs/promises'
import fc from 'fast-check'
import type { Pool } from '../subjects/confuzz/pool.ts'
import { stockProperty } from './stock-property.ts'
import type { StockSettings } from './stock-trials.ts'
import type { Trial } from './trial.ts'

const settings: StockSettings = JSON.parse(process.argv[2]!)
const { inputs, body } = await stockProperty(settings)()
const checked = fc.asyncProperty(fc.record(inputs), fc.scheduler(), async (values, scheduler) => {
  await scheduler.waitFor(Promise.resolve(body(values, scheduledPool(scheduler))))
})
for (const seed of settings.seeds) process.stdout.write(`${JSON.stringify(await trial(seed))}\n`)

async function trial(seed: number): Promise<Trial> {
  const began = performance.now()
  const { failed, counterexample, numRuns } = await fc.check(checked, {
    seed,
    numRuns: settings.runs ?? 0x7fff_ffff,
    interruptAfterTimeLimit: settings.timeMs,
    endOnFailure: true,
  })
  const found = failed && counterexample !== null
  return { seed, found, runs: numRuns, ms: performance.now() - began, failures: Number(found) }
}

function scheduledPool(scheduler: fc.Scheduler): Pool {
  return {
    pause: () => scheduler.schedule(Promise.resolve()),
    exists: scheduler.scheduleFunction((path: string) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
    makeDirectory(path) {
      const made = mkdir(path)
      // Nothing listens to it before its turn: without this, Node reports an unhandled rejection.
      made.catch(() => {})
      return scheduler.schedule(made)
    },
  }
}
