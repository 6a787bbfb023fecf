/**
 * Reordering: brings an entry nearer to an objective by the order of its tasks. Behind the beginning of the schedule that
 * matters (see refinement.ts) it tries, one after the other, to let a task come before the few that come before it; where
 * that comes nearer it stays, and the search goes on behind it.
 *
 * Which of a dozen small changes of order is the right one cannot be guessed, but all of them can be tried: an order that is
 * right up to some task then grows by one task in about ten executions, however long it is.
 *
 * Invariants: the entry never gets further away; without progress it ends after WINDOW times MAX_STEPS executions, and in
 * all after MAX_TRIES.
 */
import type { Choices } from '../../tape/replay.ts'
import type { Observation } from '../observation.ts'
import type { FollowUp } from './follow-up.ts'
import type { Pursuit } from './pursuit.ts'

/** How many tasks behind the last that was put right are looked at, and how many each may be held behind. */
const WINDOW = 6
const MAX_STEPS = 3
const MAX_TRIES = 2000

export class Reordering implements FollowUp {
  readonly pursuit: Pursuit
  /** The task that is to be passed first, by its place in the order; undefined before the first candidate. */
  #from: number | undefined
  #steps = 1
  #end = 0
  #tries = 0

  constructor(pursuit: Pursuit) {
    this.pursuit = pursuit
  }

  next(): Choices | undefined {
    const { record, timeline } = this.pursuit.entry
    this.#from ??= this.#start()
    for (; this.#from < this.#end && this.#tries < MAX_TRIES; this.#advance()) {
      const schedule = timeline.promoted(record.schedule, this.#from, this.#steps)
      if (schedule !== undefined) return { ...record, schedule }
    }
    return undefined
  }

  judge(observation: Observation): void {
    this.#tries++
    if (!this.pursuit.takesNearer(observation)) {
      this.#advance()
      return
    }
    this.#steps = 1
    this.#end = this.#from! + 1 + WINDOW
  }

  /** The task behind the one that the last choice of the beginning is about. */
  #start(): number {
    const { record, timeline, place } = this.pursuit.entry
    const last = place?.lane === 'schedule' ? record.schedule[place.index - 1] : undefined
    const start = last === undefined ? 0 : (timeline.taskOf(last) ?? 0)
    this.#end = start + WINDOW
    return start
  }

  #advance(): void {
    this.#steps = (this.#steps % MAX_STEPS) + 1
    if (this.#steps === 1) this.#from!++
  }
}
