/**
 * Reordering: reduces the distance of an entry to an objective by the order of its tasks. After the
 * prefix of the schedule that matters (see refinement.ts), it moves each task before the few tasks
 * before it; a move that comes nearer stays, and the search continues behind it.
 *
 * This enumerates the dozen small changes of order, so an order that is right up to some task grows
 * by one task in about ten executions, whatever its length. It ends where changes of order make no
 * difference.
 *
 * Invariants: the distance of the entry never grows; it takes at most MAX_TRIES executions.
 */
import type { Choices } from '../../contract/choices.ts'
import type { Observation } from '../../contract/observation.ts'
import type { FollowUp, Pursuit } from './pursuit.ts'

/** Tasks that one moves before, at most. */
const MAX_STEPS = 3
/** Consecutive tasks without a difference after which the search ends. */
const INDIFFERENT = 3
const MAX_TRIES = 2000

export class Reordering implements FollowUp {
  readonly pursuit: Pursuit
  /** The index of the first task to be passed; undefined before the first candidate. */
  #from: number | undefined
  #steps = 1
  /** Consecutive tasks that made no difference. */
  #indifferent = 0
  /** Whether the current task made a difference. */
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

  /** The task of the last choice of the prefix. */
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
