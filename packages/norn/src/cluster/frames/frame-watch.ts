/**
 * Watches one execution pass key frames. It looks at every moment at which something has happened,
 * and changes nothing.
 *
 * A predicate that throws does not hold: a node that is down has no state to look at. What it threw
 * is told with frames that are never reached, as is a path of a condition at which there never was
 * anything.
 */
import type { FramesReached } from '../../contract/key-frames.ts'
import type { ClusterView } from '../definition.ts'
import type { Moment } from './condition.ts'
import type { KeyFrames } from './key-frames.ts'
import { LogTally } from './log-tally.ts'

export class FrameWatch {
  readonly #watched: readonly Watched[]
  readonly #moment: Moment

  constructor(watched: readonly KeyFrames[], view: ClusterView) {
    this.#watched = watched.map((keyFrames) => ({ keyFrames, steps: [], thrown: undefined }))
    this.#moment = { view, tally: new LogTally(view.log) }
  }

  /** Something has happened. @param step the scheduled step under way */
  settled(step: number): void {
    for (const watched of this.#watched) {
      const { keyFrames, steps } = watched
      while (steps.length < keyFrames.frames.length && this.#holds(watched)) steps.push(step)
    }
  }

  get reached(): readonly FramesReached[] {
    return this.#watched.map((watched) => {
      const { name, frames } = watched.keyFrames
      const doubt = doubtOf(watched)
      return {
        name,
        frames: frames.map((frame) => frame.name),
        steps: watched.steps,
        ...(doubt === undefined ? {} : { doubt }),
      }
    })
  }

  #holds(watched: Watched): boolean {
    try {
      const holds = watched.keyFrames.frames[watched.steps.length]!.holds(this.#moment)
      if (holds) watched.thrown = undefined
      return holds
    } catch (error) {
      watched.thrown = error
      return false
    }
  }
}

/**
 * Key frames, the steps at which frames were reached, and what the predicate of the next one threw
 * last.
 */
interface Watched {
  readonly keyFrames: KeyFrames
  readonly steps: number[]
  thrown: unknown
}

function doubtOf({ keyFrames: { frames }, steps, thrown }: Watched): string | undefined {
  const next = frames[steps.length]
  if (next === undefined) return undefined
  if (thrown !== undefined) return `its predicate threw ${String(thrown)}`
  const nowhere = next.paths?.filter(({ asked, found }) => asked && !found).map(({ path }) => `"${path}"`) ?? []
  return nowhere.length === 0 ? undefined : `there never was anything at ${nowhere.join(', ')}`
}
