/**
 * The wall clock of executions: where it starts by default, and in which ways an execution may depart
 * from that. The other clocks (`performance`, `hrtime`, timers) know nothing of it.
 */

/** The default start: 2026-01-01T00:00:00Z, in milliseconds since the epoch. */
export const EPOCH_MS = 1_767_225_600_000

/** The last start, 2030-12-31T23:59:59.999Z, in milliseconds after the default. */
export const MAX_START_MS = Date.UTC(2031, 0, 1) - 1 - EPOCH_MS

/** The most by which the milliseconds of the wall clock begin after those of timers, in microseconds. */
export const MAX_PHASE_US = 999

/** A correction sets the clock back by less than this, in milliseconds. */
export const MAX_CORRECTION_MS = 2000

/** In which ways the clock may vary. */
export const CLOCK_KINDS = [
  /** An execution starts at another instant, and between two milliseconds of the loop. */
  'start',
  /** Code takes time between two reads of a clock in one step. */
  'pauses',
  /** The wall clock is set back once, as NTP does. */
  'corrections',
] as const

export type ClockKind = (typeof CLOCK_KINDS)[number]

/** How a clock departs, as traces say it: its start does so in two ways. */
export type ClockDeparture = ClockKind | 'phase'

/** The label of the choice where the clock starts. */
export const CLOCK_START = 'clock start'

/** The label of the choice where in a millisecond of the loop it starts. */
export const CLOCK_PHASE = 'clock phase'

/** As Node has it: a program may replace it. */
const RealDate = Date
const { toISOString } = Date.prototype

/** An instant, by its distance from the default start. */
export function instantText(afterStartMs: number | bigint): string {
  return Reflect.apply(toISOString, new RealDate(EPOCH_MS + Number(afterStartMs)), [])
}
