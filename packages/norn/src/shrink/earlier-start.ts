/**
 * Pass: starts the clock at the same place of an earlier hour, day or month, before the value is
 * lowered: what fails shortly before each midnight is first tried before the first one.
 */
import { EPOCH_MS } from '../contract/wall-clock.ts'
import type { Shrinker } from './shrinker.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
/** Seconds, minutes, hours, days. */
const PERIODS = [SECOND, 60 * SECOND, HOUR, 24 * HOUR]

export async function startEarlier(shrinker: Shrinker): Promise<void> {
  const isStart = ({ kind }: { readonly kind: string }) => kind === 'clock'
  const found = shrinker.choices.schedule.find(isStart)
  if (found === undefined) return
  const startMs = Number(found.value)
  for (const value of earlier(startMs)) {
    if (value <= 0 || value >= startMs) continue
    const { choices } = shrinker
    const schedule = choices.schedule.map((choice) => (isStart(choice) ? { ...choice, value } : choice))
    if (await shrinker.accepts({ ...choices, schedule })) return
  }
}

/** From the earliest on. */
function* earlier(startMs: number): Generator<number> {
  for (const period of PERIODS) yield startMs % period
  const date = new Date(EPOCH_MS + startMs)
  const sinceDay = startMs % PERIODS.at(-1)!
  for (let month = 0; month < 12; month++) {
    const day = Date.UTC(2026, month, date.getUTCDate())
    if (new Date(day).getUTCMonth() === month) yield day - EPOCH_MS + sinceDay
  }
}
