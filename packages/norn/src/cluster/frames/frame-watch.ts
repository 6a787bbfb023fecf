/**
 * Watches one execution pass key frames. Invariant: watching changes nothing.
 *
 * A predicate that throws does not hold: a node that is down has no state. What it threw is reported
 * for a frame that is never reached, as is a path of a condition that never has a value.
 */
import type { FramesReached, KeyFramesData } from '../../contract/key-frames.ts'
import type { ClusterOptions, ClusterView } from '../definition.ts'
import { compileFrames, type KeyFrames } from './key-frames.ts'

/** All executions of a search watch the same key frames. */
const COMPILED = new WeakMap<readonly KeyFramesData[], readonly KeyFrames[]>()

/** Those of files, and those that the cluster declares under other names; undefined for none. */
export function framesToWatch(
  asked: readonly KeyFramesData[] | undefined,
  { frames = [] }: ClusterOptions,
): readonly KeyFrames[] | undefined {
  if (asked === undefined) return undefined
  let compiled = COMPILED.get(asked)
  if (compiled === undefined) COMPILED.set(asked, (compiled = asked.map(compileFrames)))
  return [...compiled, ...frames.filter(({ name }) => !asked.some((other) => other.name === name))]
}

/** One list of key frames, the steps at which frames were reached, and what the next one threw last. */
interface Watched {
  readonly keyFrames: KeyFrames
  readonly steps: number[]
  thrown: unknown
}

export class FrameWatch {
  readonly #watched: readonly Watched[]
  readonly #view: ClusterView

  constructor(watched: readonly KeyFrames[], view: ClusterView) {
    this.#watched = watched.map((keyFrames) => ({ keyFrames, steps: [], thrown: undefined }))
    this.#view = view
  }

  /** To be called whenever something has happened. @param step the scheduled step under way */
  settled(step: number): void {
    for (const watched of this.#watched) {
      const { keyFrames, steps } = watched
      while (steps.length < keyFrames.frames.length && this.#holds(watched)) steps.push(step)
    }
  }

  get reached(): readonly FramesReached[] {
    return this.#watched.map((watched) => {
      const { keyFrames, steps } = watched
      const doubt = doubtOf(watched)
      const names = keyFrames.frames.map(({ name }) => name)
      return { name: keyFrames.name, frames: names, steps, ...(doubt === undefined ? {} : { doubt }) }
    })
  }

  #holds(watched: Watched): boolean {
    try {
      const holds = watched.keyFrames.frames[watched.steps.length]!.holds(this.#view)
      if (holds) watched.thrown = undefined
      return holds
    } catch (error) {
      watched.thrown = error
      return false
    }
  }
}

/** Why the next frame may never hold. */
function doubtOf({ keyFrames: { frames }, steps, thrown }: Watched): string | undefined {
  if (thrown !== undefined) return `its predicate threw ${String(thrown)}`
  const paths = frames[steps.length]?.paths?.filter(({ read, found }) => read && !found) ?? []
  return paths.length === 0
    ? undefined
    : `no value was ever found at ${paths.map(({ path }) => `"${path}"`).join(', ')}`
}
