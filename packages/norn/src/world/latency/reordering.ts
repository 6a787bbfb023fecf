/**
 * Reordering: brings an entry nearer to an objective by the order of its tasks. Behind the
 * beginning of the schedule that matters (see refinement.ts) it tries, one after the other, to let
 * a task come before the few that come before it; where that comes nearer it stays, and the search
 * goes on behind it.
 *
 * Which of a dozen small changes of order is the right one cannot be guessed, but all of them can
 * be tried: an order that is right up to some task then grows by one task in about ten executions,
 * however long it is.
 *
 * How far the order matters shows by itself: a change of order that makes no difference at all lies
 * behind that place.
 *
 * Invariants: the entry never gets further away; it ends after MAX_TRIES executions at the latest.
 */
import type { Choices } from '../../contract/choices.ts'
import type { Observation } from '../../contract/observation.ts'
import type { FollowUp } from './follow-up.ts'
import type { Pursuit } from './pursuit.ts'

/** How many tasks one may be held behind. */
const MAX_STEPS = 3
/**
 * After so many tasks in a row of which none, held back, made a difference, what lies behind does
 * not matter.
 */
const INDIFFERENT = 3
const MAX_TRIES = 2000

export class Reordering implements FollowUp {
  readonly pursuit: Pursuit
  /**
   * The task that is to be passed first, by its place in the order; undefined before the first
   * candidate.
   */
  #from: number | undefined
  #steps = 1
  /**
   * How many tasks in a row made no difference, and whether the one that is held back now made any.
   */
  #indifferent = 0
  #differed = false
  #tries = 0

  constructor(pursuit: Pursuit) {
    this.pursuit = pursuit
  }

  next(): Choices | undefined {
    const { record, timeline } = this.pursuit.entry
    this.#from ??= this.#start()
    for (; this.#from < timeline.tasks && this.#indifferent < INDIFFERENT; this.#advance()) {
      if (this.#tries >= MAX_TRIES) return undefined
      const schedule = timeline.promoted(record.schedule, this.#from, this.#steps)
      if (schedule !== undefined) return { ...record, schedule }
    }
    return undefined
  }

  judge(observation: Observation | undefined): boolean {
    this.#tries++
    this.#differed ||= !this.pursuit.isAsFar(observation)
    const isNearer = this.pursuit.takesNearer(observation)
    if (isNearer) {
      this.#steps = 1
      this.#indifferent = 0
    } else this.#advance()
    return isNearer
  }

  /** The task behind the one that the last choice of the beginning is about. */
  #start(): number {
    const { record, timeline, place } = this.pursuit.entry
    const last = place?.lane === 'schedule' ? record.schedule[place.index - 1] : undefined
    return (last && timeline.taskOf(last)) ?? 0
  }

  #advance(): void {
    this.#steps = (this.#steps % MAX_STEPS) + 1
    if (this.#steps > 1) return
    this.#from!++
    this.#indifferent = this.#differed ? 0 : this.#indifferent + 1
    this.#differed = false
  }
}
