/** Key frames as plain data, for files and other processes; see `cluster/frames/`. */

/** The content of a key frame file. */
export interface KeyFramesData {
  readonly name: string
  /** The name of the cluster, if the file has one. */
  readonly cluster?: string
  readonly frames: readonly { readonly name: string; readonly where: unknown }[]
}

/** The key frames that an execution reached. */
export interface FramesReached {
  readonly name: string
  /** The names of the frames, in order. */
  readonly frames: readonly string[]
  /** For each frame reached, the scheduled step at which it was reached: -1 before the first. */
  readonly steps: readonly number[]
  /** What may be wrong with the next frame, if it was not reached. */
  readonly doubt?: string
}

export interface FramesProgress {
  readonly reached: number
  readonly of: number
}

export function framesProgress(states: readonly FramesState[]): FramesProgress {
  return { reached: states.filter(({ foundAt }) => foundAt !== undefined).length, of: states.length }
}

export function allReached(states: readonly FramesState[]): boolean {
  const { reached, of } = framesProgress(states)
  return of > 0 && reached === of
}

/** The state of a search for key frames. */
export interface FramesState {
  readonly name: string
  /** The names of the frames, in order. */
  readonly frames: readonly string[]
  /** The largest number of frames that one execution reached. */
  readonly reached: number
  /** The execution, counted from 1, that reached all; undefined if none did. */
  readonly foundAt?: number
  /** What may be wrong with the frame that was not reached. */
  readonly doubt?: string
  /** Executions planned for these frames. */
  readonly directed: number
  /** For each frame, the steps that lead to it, as text; only once all were reached. */
  readonly pieces?: readonly (readonly string[])[]
}
