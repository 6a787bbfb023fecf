/**
 * Key frames: an interesting execution, kept as an ordered list of predicates over the state that
 * it passes through.
 *
 * After "Random Fuzzy Thoughts": a recorded tape replays only over the code that it was recorded
 * with; what made the execution interesting outlives the code. So it is kept as moments (key
 * frames, as of an animation), and a search fills in what lies between them. Frames are met in
 * order, several of them at one moment if they hold then.
 */
import type { KeyFramesData } from '../../contract/key-frames.ts'
import type { ClusterView } from '../views.ts'
import { type Condition, type Moment, type PathUse, parseCondition } from './condition.ts'

export interface KeyFrame {
  readonly name: string
  readonly holds: Condition
  /** The paths that it names, if it is one of a file. */
  readonly paths?: readonly PathUse[]
}

export interface KeyFrames {
  readonly name: string
  readonly frames: readonly KeyFrame[]
}

export type FramePredicate = (cluster: ClusterView) => boolean

/** More moments than this no execution is remembered by. */
export const MAX_FRAMES = 64

/**
 * Key frames as predicates in TypeScript.
 *
 * @param name tells them from others of the cluster
 * @param predicates in order; in an object, by their names
 * @throws TypeError if there is none, or one is no function
 */
export function frames(
  name: string,
  predicates: readonly FramePredicate[] | Readonly<Record<string, FramePredicate>>,
): KeyFrames {
  const refuse = (why: string): never => {
    throw new TypeError(`frames('${name}', predicates): ${why}`)
  }
  if (typeof name !== 'string' || name === '') refuse('the name must be a text that is not empty')
  const isList = Array.isArray(predicates)
  const entries = Object.entries(predicates ?? {}) as [string, FramePredicate][]
  if (entries.length === 0 || entries.length > MAX_FRAMES) refuse(`there must be 1 to ${MAX_FRAMES} of them`)
  for (const [key, predicate] of entries)
    if (typeof predicate !== 'function') refuse(`${isList ? `the one at ${key}` : `'${key}'`} is no function`)
  return {
    name,
    frames: entries.map(([key, predicate]) => ({
      name: isList ? `frame ${Number(key) + 1}` : key,
      holds: ({ view }: Moment) => predicate(view),
    })),
  }
}

/** Key frames out of a file, made into predicates. @throws ConditionError */
export function compileFrames({ name, frames }: KeyFramesData): KeyFrames {
  return {
    name,
    frames: frames.map((frame, index) => {
      const paths: PathUse[] = []
      return { name: frame.name, holds: parseCondition(frame.where, `frames[${index}].where`, paths), paths }
    }),
  }
}
