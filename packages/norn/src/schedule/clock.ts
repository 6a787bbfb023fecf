/**
 * How the clock of an execution departs: where the wall clock starts, and where in a millisecond of the loop, where
 * code takes time between two reads, where the clock is set back.
 *
 * Starts lie around the boundaries of time at which programs go wrong: most shortly before one, as an
 * execution then passes it, some on it or behind it. Each class of boundaries gets an equal share.
 */
import { EPOCH_MS, MAX_START_MS } from '../contract/wall-clock.ts'
import type { Chance } from '../tape/chance.ts'

/** The share of executions that start at another instant, among those that read the wall clock; at least. */
const DEPARTING_SHARE = 0.25
/** Of these, those with pauses, and with a correction, each. */
const TIMED_SHARE = 0.5
/** The probabilities of a pause at a read. */
const RATES = [1, 0.3, 0.1] as const

/** In milliseconds. */
const NEAR = 100
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** As Node has it: a program may replace it. */
const RealDate = Date
const { getTime, getTimezoneOffset } = Date.prototype

/** Proposes the value of a choice about the clock. */
export type ClockProposer = (kind: 'clock' | 'phase' | 'correction' | 'pause', max: number) => number

/** @param points schedule points of the execution: the fewer there are, the more often the clock departs */
export function clockProposer(chance: Chance, points: number): ClockProposer {
  const share = Math.max(DEPARTING_SHARE, 1 / Math.max(1, points))
  const rate = () => (chance.coin(share * TIMED_SHARE) ? RATES[chance.integer(0, RATES.length - 1)]! : 0)
  const [departs, pausing, correcting, isBetween] = [chance.coin(share), rate(), rate(), chance.coin(share)]
  return (kind, max) => {
    if (kind === 'clock') return departs ? start(chance) : 0
    if (kind === 'phase') return isBetween ? chance.integer(1, max) : 0
    const rate = kind === 'pause' ? pausing : correcting
    if (rate === 0 || !chance.coin(rate)) return 0
    return Math.max(1, Math.round(chance.coin(0.5) ? max * chance.unit() : max ** chance.unit()))
  }
}

/** Draws a boundary, and the length of what ends there: a second, an hour, a day. */
const BOUNDARIES: readonly ((chance: Chance) => readonly [atMs: number, lengthMs: number])[] = [
  () => [EPOCH_MS + SECOND, SECOND],
  (chance) => [EPOCH_MS + MINUTE * chance.integer(1, 59), MINUTE],
  (chance) => [EPOCH_MS + HOUR * chance.integer(1, 23), HOUR],
  (chance) => [midnight(chance, 2026, 0, chance.integer(2, 31)), DAY],
  (chance) => [midnight(chance, 2026, chance.integer(1, 11), 1), DAY],
  (chance) => [midnight(chance, 2027, 0, 1), DAY],
  (chance) => [midnight(chance, 2028, 1, chance.coin(0.5) ? 29 : 30), DAY],
  (chance) => [changeOfDaylightTime(chance, 'begins'), DAY],
  (chance) => [changeOfDaylightTime(chance, 'ends'), DAY],
]

/** In milliseconds after the default start. */
function start(chance: Chance): number {
  const [boundary, length] = BOUNDARIES[chance.integer(0, BOUNDARIES.length - 1)]!(chance)
  // Within the few milliseconds that a test takes, anywhere before that, or in between.
  const distance = Math.round(
    chance.coin(0.5) ? [NEAR, length][chance.integer(0, 1)]! ** chance.unit() : length * chance.unit(),
  )
  const place = chance.integer(0, 7)
  const away = place === 0 ? 0 : place === 1 ? distance : -distance
  return Math.max(1, Math.min(MAX_START_MS, boundary + away - EPOCH_MS))
}

/** By the time zone of the process, or by UTC. */
function midnight(chance: Chance, year: number, month: number, day: number): number {
  return chance.coin(0.5) ? local(year, month, day) : RealDate.UTC(year, month, day)
}

function local(year: number, month: number, day: number): number {
  return Reflect.apply(getTime, new RealDate(year, month, day), [])
}

/** When it begins and ends in Europe, and in New York. */
const ELSEWHERE = {
  begins: [RealDate.UTC(2026, 2, 29, 1), RealDate.UTC(2026, 2, 8, 7)],
  ends: [RealDate.UTC(2026, 9, 25, 1), RealDate.UTC(2026, 10, 1, 6)],
}

/** In the time zone of the process, if that has any; else in one that a program may name. */
function changeOfDaylightTime(chance: Chance, which: 'begins' | 'ends'): number {
  const own = ownChange(which)
  const others = ELSEWHERE[which]
  return own !== undefined && chance.coin(0.75) ? own : others[chance.integer(0, others.length - 1)]!
}

function ownChange(which: 'begins' | 'ends'): number | undefined {
  for (let month = 0; month < 12; month++) {
    let [before, after] = [local(2026, month, 1), local(2026, month + 1, 1)]
    const [offset, later] = [offsetAt(before), offsetAt(after)]
    if (which === 'begins' ? later >= offset : later <= offset) continue
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (offsetAt(middle) === offset) before = middle
      else after = middle
    }
    return after
  }
  return undefined
}

function offsetAt(ms: number): number {
  return Reflect.apply(getTimezoneOffset, new RealDate(ms), [])
}
