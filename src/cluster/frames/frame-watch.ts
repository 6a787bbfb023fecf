/**
 * Watches one execution pass key frames. It looks at every moment at which something has happened, and changes nothing.
 *
 * A predicate that throws does not hold: a node that is down has no state to look at. What it threw is remembered, for
 * frames that are never reached.
 */
import type { FramesReached } from '../../explore/key-frames.ts'
import type { ClusterView } from '../definition.ts'
import type { Moment } from './condition.ts'
import type { KeyFrames } from './key-frames.ts'
import { LogTally } from './log-tally.ts'

export class FrameWatch {
  readonly #watched: readonly { readonly keyFrames: KeyFrames; readonly steps: number[] }[]
  readonly #moment: Moment
  /** What a predicate threw last. */
  lastError: unknown

  constructor(watched: readonly KeyFrames[], view: ClusterView) {
    this.#watched = watched.map((keyFrames) => ({ keyFrames, steps: [] }))
    this.#moment = { view, tally: new LogTally(view.log) }
  }

  /** Something has happened. @param step the scheduled step under way */
  settled(step: number): void {
    for (const { keyFrames, steps } of this.#watched) {
      const { frames } = keyFrames
      while (steps.length < frames.length && this.#holds(frames[steps.length]!)) steps.push(step)
    }
  }

  get reached(): readonly FramesReached[] {
    return this.#watched.map(({ keyFrames: { name, frames }, steps }) => ({ name, total: frames.length, steps }))
  }

  #holds({ holds }: KeyFrames['frames'][number]): boolean {
    try {
      return holds(this.#moment)
    } catch (error) {
      this.lastError = error
      return false
    }
  }
}
