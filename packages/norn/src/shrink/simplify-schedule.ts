/** The passes that any schedule allows; the domains have more. */
import type { Shrinker } from './shrinker.ts'

/**
 * Sets schedule and fault choices to their simplest values: all at once, then halves, then single
 * ones (delta debugging).
 */
export async function simplifySchedule(shrinker: Shrinker): Promise<void> {
  for (const lane of ['schedule', 'fault'] as const) {
    for (let size = shrinker.choices[lane].length; size >= 1 && !shrinker.exhausted; size = Math.floor(size / 2)) {
      for (let start = 0; start < shrinker.choices[lane].length && !shrinker.exhausted; ) {
        const current = shrinker.choices
        const kept = current[lane].filter((_, index) => index < start || index >= start + size)
        if (!(await shrinker.accepts({ ...current, [lane]: kept }))) start += size
      }
    }
  }
}

/**
 * Ends the tape as early as possible, by binary search. All later choices take their simplest
 * values, so one attempt removes everything that a failure does not need at its end.
 */
export async function shortenTape(shrinker: Shrinker): Promise<void> {
  const { input, schedule, fault } = shrinker.best.choices
  let high = Math.min(shrinker.best.choices.length, input.length + schedule.length + fault.length)
  let low = -1
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const fails = await shrinker.accepts({ ...shrinker.choices, length: middle })
    if (fails) high = middle
    else low = middle
  }
}
