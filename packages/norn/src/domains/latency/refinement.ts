/**
 * Refinement: reduces the schedule of an entry that came nearer to an objective to what that takes.
 * First, binary search finds the shortest prefix of the schedule that comes as near when all later
 * latencies are 0. Then the last latencies are lowered, by search on a logarithmic scale: an
 * operation delayed by 12 ms where 20 us suffice cannot come next, whatever is mutated.
 *
 * The next mutation should start where the prefix ends, which extends an order that is right so
 * far.
 *
 * Invariants: the distance of the entry never grows; executions are bounded by the logarithm of the
 * length of the schedule plus a constant.
 */
import type { Choices } from '../../contract/choices.ts'
import type { Observation } from '../../contract/observation.ts'
import type { FollowUp, Pursuit } from './pursuit.ts'

/** The number of last latencies that are lowered. */
const MAX_LOWERED = 3
/** The ratio of two latencies at which the search for the smallest stops. */
const PRECISION = 1.6

type Schedule = Choices['schedule']

export class Refinement implements FollowUp {
  readonly pursuit: Pursuit
  #phase: Truncation | Lowering | undefined
  /** Indices of the latencies still to be lowered. */
  #delayed: number[] | undefined

  constructor(pursuit: Pursuit) {
    this.pursuit = pursuit
  }

  next(): Choices | undefined {
    const { entry } = this.pursuit
    this.#phase ??= this.#delayed === undefined ? new Truncation(entry.record.schedule) : undefined
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
    this.#delayed ??= schedule.flatMap(({ value }, at) => (value === 0 ? [] : [at])).slice(-MAX_LOWERED)
    const at = this.#delayed.pop()
    return at === undefined || schedule[at] === undefined ? undefined : new Lowering(schedule, at)
  }
}

/** Binary search for the shortest sufficient prefix. */
class Truncation {
  readonly #schedule: Schedule
  #tooShort = -1
  /** Sufficient. */
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

/** Search for the smallest sufficient value of one latency: 0, then by geometric means. */
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
