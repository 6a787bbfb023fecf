/**
 * Pass: lowers several delays by the same time: all of them, then each pair.
 *
 * Where two operations have to keep their distance, each delay alone can only be lowered as far as
 * the other allows: a microsecond at a time, until the budget is spent.
 */
import { isSimplest } from '../../contract/choice.ts'
import type { Shrinker } from '../../shrink/shrinker.ts'
import { distance, mostSteps, nearer } from '../../shrink/values.ts'

/** Of more delays than these, no pairs are tried. */
const MAX_PAIRED = 5

export async function lowerDelays(shrinker: Shrinker): Promise<void> {
  const labels = shrinker.choices.schedule.filter(({ kind }) => kind === 'latency').map(({ label }) => label)
  const pairs = labels.flatMap((one, index) => labels.slice(index + 1).map((other) => [one, other]))
  const groups = labels.length > 2 ? [labels, ...(labels.length <= MAX_PAIRED ? pairs : [])] : pairs
  for (const group of groups) {
    const members = new Set(group)
    const { choices } = shrinker
    const delays = choices.schedule.filter(({ label }) => members.has(label))
    if (delays.length < 2) continue
    const least = delays.map(distance).reduce((a, b) => (a < b ? a : b))
    await mostSteps(least, (steps) => {
      const lowered = choices.schedule.map((choice) => (members.has(choice.label) ? nearer(choice, steps) : choice))
      return shrinker.accepts({ ...choices, schedule: lowered.filter((choice) => !isSimplest(choice)) })
    })
  }
}
