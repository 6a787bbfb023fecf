/**
 * Refinement of an entry that came nearer to an objective: how much of what it drew does that take? First the shortest
 * beginning of the schedule is found, by binary search, that comes as near when everything behind it is natural. Then the
 * last things that are late are made less late, by halving the exponent: what was held back for 12 ms where 20 us would
 * have done cannot come next, whatever is mutated.
 *
 * Where the beginning ends is where the next mutation should go: an order that grows right from its start is then
 * extended at its end.
 *
 * Invariants: the entry stays as near as it was; the executions spent are bounded by the logarithm of the length of its
 * schedule, and a constant.
 */
import type { Choices } from '../../tape/replay.ts'
import type { Observation } from '../observation.ts'
import type { Entry } from './corpus.ts'
import { distanceTo, type ObjectiveKey } from './objectives.ts'
import { Timeline } from './timeline.ts'

/** How many late choices, the last ones, are made less late. */
const MAX_LATE = 3
/** Two latencies whose ratio is no larger are as good as each other. */
const PRECISION = 1.6

type Schedule = Choices['schedule']

export class Refinement {
  readonly entry: Entry
  readonly #key: ObjectiveKey
  readonly #distance: number
  #phase: Truncation | Lowering | undefined
  /** Places of the choices that are still to be made less late. */
  #late: number[] | undefined

  constructor(entry: Entry, key: ObjectiveKey, distance: number) {
    this.entry = entry
    this.#key = key
    this.#distance = distance
    this.#phase = new Truncation(entry.record.schedule)
  }

  /** The next candidate; undefined when it is done. */
  next(): Choices | undefined {
    for (; this.#phase !== undefined; this.#phase = this.#nextPhase()) {
      const schedule = this.#phase.next()
      if (schedule !== undefined) return { ...this.entry.record, schedule }
    }
    return undefined
  }

  /** Takes note of what the last candidate showed. */
  judge(observation: Observation): void {
    const distance = distanceTo(this.#key, observation)
    const isAsNear = distance !== undefined && distance <= this.#distance
    this.#phase?.judge(isAsNear)
    if (!isAsNear) return
    this.entry.record = observation.choices()
    this.entry.timeline = new Timeline(observation.timeline())
    if (this.#phase instanceof Truncation) this.entry.place = { lane: 'schedule', index: this.#phase.length }
  }

  #nextPhase(): Lowering | undefined {
    const { schedule } = this.entry.record
    this.#late ??= schedule.flatMap(({ value }, at) => (value === 0 ? [] : [at])).slice(-MAX_LATE)
    const at = this.#late.pop()
    return at === undefined || schedule[at] === undefined ? undefined : new Lowering(schedule, at)
  }
}

/** Binary search for the shortest beginning that is enough. */
class Truncation {
  readonly #schedule: Schedule
  #tooShort = -1
  /** Long enough. */
  length: number

  constructor(schedule: Schedule) {
    this.#schedule = schedule
    this.length = schedule.length
  }

  next(): Schedule | undefined {
    return this.length - this.#tooShort <= 1 ? undefined : this.#schedule.slice(0, this.#middle)
  }

  judge(isEnough: boolean): void {
    if (isEnough) this.length = this.#middle
    else this.#tooShort = this.#middle
  }

  get #middle(): number {
    return Math.floor((this.#tooShort + this.length) / 2)
  }
}

/** Search for the smallest value of one choice that is enough: first 0, then between, on a scale of ratios. */
class Lowering {
  readonly #schedule: Schedule
  readonly #at: number
  #tooLittle = -1
  #enough: number

  constructor(schedule: Schedule, at: number) {
    this.#schedule = schedule
    this.#at = at
    this.#enough = Number(schedule[at]!.value)
  }

  next(): Schedule | undefined {
    const candidate = this.#candidate
    const isTried = candidate <= this.#tooLittle || candidate >= this.#enough
    if (isTried || this.#enough <= PRECISION * this.#tooLittle) return undefined
    return this.#schedule.map((choice, at) => (at === this.#at ? { ...choice, value: this.#candidate } : choice))
  }

  judge(isEnough: boolean): void {
    if (isEnough) this.#enough = this.#candidate
    else this.#tooLittle = this.#candidate
  }

  get #candidate(): number {
    if (this.#tooLittle < 0) return 0
    return Math.floor(Math.sqrt(Math.max(1, this.#tooLittle) * this.#enough))
  }
}
