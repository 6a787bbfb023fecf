/** How the clock of an execution departs from that of the default schedule, in words. */
import { type Choice, isSimplest } from '../contract/choice.ts'
import { plural } from '../contract/text.ts'
import { instantText } from '../contract/wall-clock.ts'

export function clockTexts(schedule: readonly Choice[]): readonly string[] {
  const departures = schedule.filter((choice) => !isSimplest(choice))
  const pauses = departures.filter(({ subject }) => subject?.point === 'pause')
  return [
    ...departures.flatMap(({ kind, value }) => (kind === 'clock' ? [`the clock starts at ${instantText(value)}`] : [])),
    ...departures.flatMap(({ kind, value }) => (kind === 'phase' ? [phaseText(`${Number(value) / 1000} ms`)] : [])),
    ...departures.flatMap(({ kind, value }) => (kind === 'correction' ? [`the clock is set back by ${value} ms`] : [])),
    ...(pauses.length === 0 ? [] : [`code takes time before ${plural(pauses.length, 'read')} of a clock`]),
  ]
}

/** Where the milliseconds of `Date` begin. */
export function phaseText(time: string): string {
  return `the milliseconds of Date begin ${time} after those of timers`
}
