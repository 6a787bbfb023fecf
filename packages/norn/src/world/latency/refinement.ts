/**
 * Refinement of an entry that came nearer to an objective: how much of what it drew does that take?
 * First the shortest beginning of the schedule is found, by binary search, that comes as near when
 * everything behind it is natural. Then the last things that are late are made less late, by
 * halving the exponent: what was held back for 12 ms where 20 us would have done cannot come next,
 * whatever is mutated.
 *
 * Where the beginning ends is where the next mutation should go: an order that grows right from its
 * start is then extended at its end.
 *
 * Invariants: the entry stays as near as it was; the executions spent are bounded by the logarithm
 * of the length of its schedule, and a constant.
 */
import type { Choices } from '../../contract/choices.ts'
import type { Observation } from '../../contract/observation.ts'
import type { FollowUp } from './follow-up.ts'
import type { Pursuit } from './pursuit.ts'

/** How many late choices, the last ones, are made less late. */
const MAX_LATE = 3
/** Two latencies whose ratio is no larger are as good as each other. */
const PRECISION = 1.6

type Schedule = Choices['schedule']

export class Refinement implements FollowUp {
  readonly pursuit: Pursuit
  #phase: Truncation | Lowering | undefined
  /** Places of the choices that are still to be made less late. */
  #late: number[] | undefined

  constructor(pursuit: Pursuit) {
    this.pursuit = pursuit
  }

  next(): Choices | undefined {
    const { entry } = this.pursuit
    this.#phase ??= this.#late === undefined ? new Truncation(entry.record.schedule) : undefined
    for (; this.#phase !== undefined; this.#phase = this.#nextPhase()) {
      const schedule = this.#phase.next()
      if (schedule !== undefined) return { ...entry.record, schedule }
    }
    return undefined
  }

  judge(observation: Observation | undefined): boolean {
    const { entry } = this.pursuit
    const isEnough = this.pursuit.takesAsNear(observation)
    this.#phase?.judge(isEnough)
    if (isEnough && this.#phase instanceof Truncation) entry.place = { lane: 'schedule', index: this.#phase.length }
    return isEnough
  }

  #nextPhase(): Lowering | undefined {
    const { schedule } = this.pursuit.entry.record
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

/**
 * Search for the smallest value of one choice that is enough: first 0, then between, on a scale of
 * ratios.
 */
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
