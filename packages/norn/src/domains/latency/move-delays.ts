/**
 * Pass: replaces a delay by a shorter one of another operation.
 *
 * Several operations can turn the same two steps around, each by a delay of its own. Lowering one
 * does not lead to another, so all operations that the execution drew are tried, with latencies
 * just below the present one and far below it.
 */
import { type Choice, isSimplest } from '../../contract/choice.ts'
import type { Choices } from '../../contract/choices.ts'
import { lowerValues } from '../../shrink/lower-values.ts'
import type { Shrinker } from '../../shrink/shrinker.ts'

/** More delays than these are lowered, not moved. */
const MAX_MOVED = 2
/** Attempts of one run of the pass. */
const MAX_TRIES = 800
/** The ratio of the latencies that are tried for one operation. */
const RATIO = 4

export async function moveDelays(shrinker: Shrinker): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES && shrinker.choices.schedule.length <= MAX_MOVED; ) {
    const { improvements } = shrinker
    for (const candidate of moves(shrinker)) {
      if (tries++ >= MAX_TRIES || shrinker.exhausted) return
      if (await shrinker.accepts(candidate)) break
    }
    if (shrinker.improvements === improvements) return
    await lowerValues(shrinker, 'schedule')
  }
}

/** The candidates, the smallest changes first. */
function* moves({ choices, best }: Shrinker): Generator<Choices> {
  const { schedule } = choices
  for (const [at, delayed] of schedule.entries()) {
    if (delayed.kind !== 'latency') continue
    const isFree = ({ kind, label }: Choice) => kind === 'latency' && schedule.every((other) => other.label !== label)
    const others = best.choices.schedule.filter((choice) => isSimplest(choice) && isFree(choice))
    const earlier = best.choices.schedule.findIndex(({ label }) => label === delayed.label)
    const before = new Set(best.choices.schedule.slice(0, earlier))
    const longest = Number(delayed.value)
    const move = (to: Choice, value: number) => ({ ...choices, schedule: schedule.with(at, { ...to, value }) })
    for (const to of others) if (before.has(to)) yield move(to, longest)
    for (const to of others) if (longest > 1) yield move(to, longest - 1)
    for (let value = Math.floor(longest / RATIO); value >= 1; value = Math.floor(value / RATIO))
      for (const to of others) yield move(to, value)
  }
}
