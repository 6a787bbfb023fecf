/** The cases under fast-check and its own shrinker. */
import fc from 'fast-check'
import { CASES, failedOn, failOn } from './cases.ts'
import { ringCommands, runRing } from './ring.ts'
import type { Shrunk } from './size.ts'
import { swapped } from './swap.ts'

/** Limit of a search; each case fails long before. */
const NUM_RUNS = 100_000

type Bodies = Readonly<Record<string, (count: () => void) => fc.IRawProperty<[unknown]>>>

const BODIES: Bodies = {
  ...Object.fromEntries(
    Object.entries(CASES).map(([name, { arbitrary, fails }]) => [
      name,
      (count: () => void) =>
        fc.property(arbitrary, (value) => {
          count()
          if (fails(value)) failOn(value)
        }),
    ]),
  ),
  'schedule with a swap': (count) =>
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      count()
      await scheduler.waitFor(swapped(scheduler.scheduleFunction(async () => {})))
    }) as fc.IRawProperty<[unknown]>,
  'command sequence': (count) =>
    fc.property(ringCommands(), (commands) => {
      count()
      runRing(commands)
    }) as fc.IRawProperty<[unknown]>,
}

/** Finds one failure of a case and shrinks it. */
export async function shrunkByFastCheck(name: string, seed: number): Promise<Shrunk> {
  let executions = 0
  const property = BODIES[name]!(() => executions++)
  const details = await fc.check(property, { seed, numRuns: NUM_RUNS })
  if (!details.failed) throw new Error(`${name}: fast-check found no failure from seed ${seed}`)
  const { message } = details.errorInstance as Error
  return { value: failedOn(message), executions: executions - details.numRuns }
}
