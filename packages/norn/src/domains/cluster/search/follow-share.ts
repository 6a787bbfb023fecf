/**
 * How many executions the model follows. Following costs more than the execution itself
 * where nearly every step shows a new state, as on a real Raft; but there a part of the executions
 * teaches as much as all of them. Where new states are rare, each of them matters, and following
 * costs little, as most transitions are memoized.
 *
 * Invariant: a function of the executions so far and the random numbers, not of a clock.
 */
import type { Chance } from '../../../tape/chance.ts'

/** Executions that are all followed at first: what is learnt early is used longest. */
const FIRST = 60
/** New states that are enough to learn from, an execution in the mean. */
const ENOUGH = 5
const LEAST_SHARE = 0.05
/** The followed executions that the mean remembers. */
const WINDOW = 50

export class FollowShare {
  #planned = 0
  #followed = 0
  #meanNews = 0

  /** Whether the next execution is followed. */
  draw(chance: Chance): boolean {
    return this.#planned++ < FIRST || chance.coin(this.share)
  }

  get share(): number {
    return this.#meanNews <= ENOUGH ? 1 : Math.max(LEAST_SHARE, ENOUGH / this.#meanNews)
  }

  /** @param news the new states of an execution that was followed */
  observe(news: number): void {
    this.#meanNews += (news - this.#meanNews) / Math.min(WINDOW, ++this.#followed)
  }
}
