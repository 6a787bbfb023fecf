/** Effects that are written down, for tests of systems without a simulation. */
import type { Effects } from '../../src/cluster/system.ts'

export interface RecordedEffects extends Effects {
  /** What was done so far, as tuples of the function's name and its arguments. */
  readonly done: readonly unknown[][]
}

export function recordedEffects(nowMs = 0, chance = 0.5): RecordedEffects {
  const done: unknown[][] = []
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void done.push([name, ...args])
  return {
    done,
    send: note('send'),
    setTimer: note('setTimer'),
    clearTimer: note('clearTimer'),
    reply: note('reply'),
    event: note('event'),
    nowMs,
    random: () => chance,
  }
}
