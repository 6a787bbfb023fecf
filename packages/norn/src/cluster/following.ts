/** Follows an execution in its model, and records at which scheduled step it reached each state. */
import { type Followed, Follower } from '../model/follower.ts'
import type { ClusterView, ModelBinding } from './definition.ts'
import type { LogEntry } from './log.ts'

export class Following {
  /** The scheduled step at which each of `states` was reached. */
  readonly steps: number[] = []
  readonly #follower: Follower<LogEntry, ClusterView>

  constructor(binding: ModelBinding) {
    this.#follower = new Follower(binding)
    this.#follower.begin()
    this.#stamp(-1)
  }

  /** The ids of the abstract states reached, each once, in order. */
  get states(): readonly number[] {
    return this.#follower.states
  }

  /** The entries that were mapped to actions, in order. */
  get followed(): readonly Followed<LogEntry>[] {
    return this.#follower.followed
  }

  /**
   * Follows one event.
   *
   * @param from index of the event's first entry in the log
   * @param view the cluster right after the event
   * @throws ModelDivergence or BrokenInvariant: see model/follower.ts
   */
  observe(log: readonly LogEntry[], from: number, view: ClusterView): void {
    for (let at = from; at < log.length; at++) this.#follower.follow(log[at]!, view)
    this.#follower.settle(view)
    this.#stamp(log.at(-1)?.step ?? -1)
  }

  #stamp(step: number): void {
    for (let at = this.steps.length; at < this.states.length; at++) this.steps.push(step)
  }
}
