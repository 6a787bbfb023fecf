/**
 * Key frames as plain data: what of them crosses processes. What they mean is in `cluster/frames/`.
 */

/** As a file has them. */
export interface KeyFramesData {
  readonly name: string
  /** The cluster that they are of, by name; undefined if the file does not say. */
  readonly cluster?: string
  readonly frames: readonly { readonly name: string; readonly where: unknown }[]
}

/** How far an execution came with some key frames. */
export interface FramesReached {
  readonly name: string
  /** The names of the frames, in order. */
  readonly frames: readonly string[]
  /** For each frame that was reached, the scheduled step at which it was: -1 before the first. */
  readonly steps: readonly number[]
  /** What may be wrong with the frame that comes next, if it was not reached. */
  readonly doubt?: string
}

/** What an execution of a cluster with key frames showed. */
export interface FramesObservation {
  readonly reached: readonly FramesReached[]
  /** The numbers of its scheduled steps, in order. */
  readonly drawn: readonly number[]
}

/** How many key frames were reached in full, of how many. */
export interface FramesProgress {
  readonly reached: number
  readonly of: number
}

export function framesProgress(states: readonly FramesState[]): FramesProgress {
  return { reached: states.filter(({ foundAt }) => foundAt !== undefined).length, of: states.length }
}

/** Whether there are key frames, and all were reached. */
export function allReached(states: readonly FramesState[]): boolean {
  const { reached, of } = framesProgress(states)
  return of > 0 && reached === of
}

/** Of two searches for the same key frames, what either reached. */
export function addFrames(
  a: readonly FramesState[] | undefined,
  b: readonly FramesState[] | undefined,
): readonly FramesState[] | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return b.map((later) => {
    const earlier = a.find(({ name }) => name === later.name)
    if (earlier === undefined) return later
    const better = earlier.foundAt !== undefined || earlier.reached > later.reached ? earlier : later
    return { ...better, directed: earlier.directed + later.directed }
  })
}

/** How a search for key frames stands. */
export interface FramesState {
  readonly name: string
  /** The names of the frames, in order. */
  readonly frames: readonly string[]
  /** The most that one execution reached. */
  readonly reached: number
  /** The execution, counted from 1, that reached all; undefined as long as none did. */
  readonly foundAt?: number
  /** What may be wrong with the frame that was not reached. */
  readonly doubt?: string
  /** Executions of the search that were made for these frames. */
  readonly directed: number
  /**
   * The steps that lead from frame to frame, in words, for each frame; only once all were reached.
   */
  readonly pieces?: readonly (readonly string[])[]
}
