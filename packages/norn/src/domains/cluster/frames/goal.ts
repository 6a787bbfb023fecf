/**
 * Key frames as the goal of a search: feedback for the planner of clusters (search/step-policy.ts).
 *
 * Each frame reached is a feature that the archive keeps the shortest way to. A directed execution
 * continues from the furthest frame reached with probability 1/2, from the one before with 1/4, and
 * so on back to the start. Not every way to a frame leads on to the next frame, so a frame has several
 * cells, by the steps that lead to it. Once every frame is reached, the steps are shrunk, one
 * candidate an execution.
 */

import { MAX_FRAMES } from '../../../cluster/frames/key-frames.ts'
import { NATURAL } from '../../../cluster/steps.ts'
import { hashText } from '../../../cluster/trace-class.ts'
import type { FramesReached, FramesState } from '../../../contract/key-frames.ts'
import { minimiseList } from '../../../shrink/delete-runs.ts'
import type { Chance } from '../../../tape/chance.ts'
import type { Archive, ArchivedExecution, Cell, KeptExecution } from '../search/archive.ts'
import type { Reached } from '../search/cluster-features.ts'

/** Features of frames have numbers from here on, above those of search/cluster-features.ts. */
const FIRST_FEATURE = 2 ** 46
/** Cells of one frame. */
const WAYS = 8
/** Bound on one shrinking. */
const MAX_CANDIDATES = 400

/** What to run: a candidate of shrinking, or a continuation from a cell (undefined: from the start). */
export type Directed =
  | { readonly candidate: readonly number[]; readonly kept: ArchivedExecution }
  | { readonly candidate?: undefined; readonly cell: Cell | undefined }

/** An execution that reached all frames. `pieces`: the steps that lead to each from the one before. */
interface Found {
  readonly kept: ArchivedExecution
  readonly pieces: readonly (readonly number[])[]
}

/** One list of key frames, and how far the search for it came. */
interface Sought {
  readonly name: string
  readonly frames: readonly string[]
  readonly feature: number
  reached: number
  directed: number
  foundAt?: number
  doubt?: string | undefined
  found?: Found
  shrinking?: ReturnType<typeof minimiseList<number>>
  /** The next candidate; undefined once shrinking is done. */
  candidate?: readonly number[] | undefined
}

export class FramesGoal {
  readonly #share: number
  readonly #sought: Sought[] = []
  #hasObserved = false
  #turn = 0
  #running: Sought | undefined

  /**
   * @param known the key frames known before the first execution, which shows the others
   * @param share of the executions that is directed, 0..1
   */
  constructor(known: readonly Pick<FramesReached, 'name' | 'frames'>[], share: number) {
    this.#share = share
    for (const each of known) this.#soughtOf(each)
  }

  /** Whether every frame was reached, and the steps shrunk. */
  get isDone(): boolean {
    return this.#isReached && this.#sought.every(({ candidate }) => candidate === undefined)
  }

  get #isReached(): boolean {
    return this.#hasObserved && this.#sought.every(({ found }) => found !== undefined)
  }

  /** The share of executions to direct: all once only shrinking is left, none while no frame is known. */
  get share(): number {
    if (this.#isReached) return this.isDone ? 0 : 1
    return this.#sought.some(({ found }) => found === undefined) ? this.#share : 0
  }

  get states(): readonly FramesState[] {
    return this.#sought.map(({ name, frames, reached, directed, foundAt, doubt, found }) => {
      const state = { name, frames, reached, directed }
      if (found === undefined) return doubt === undefined ? state : { ...state, doubt }
      return { ...state, foundAt: foundAt!, pieces: found.pieces.map((piece) => found.kept.codes.describeAll(piece)) }
    })
  }

  found(name: string): Found | undefined {
    return this.#sought.find((each) => each.name === name)?.found
  }

  /** What to run next. Precondition: `share` is not 0. */
  next(archive: Archive, draws: Chance): Directed {
    this.#running = this.#isReached ? this.#sought.find(({ candidate }) => candidate !== undefined) : undefined
    if (this.#running !== undefined) return { candidate: this.#running.candidate!, kept: this.#running.found!.kept }
    const missing = this.#sought.filter(({ found }) => found === undefined)
    const sought = missing[this.#turn++ % missing.length]!
    sought.directed++
    let frame = Math.min(sought.reached, sought.frames.length - 1)
    while (frame > 0 && draws.coin(0.5)) frame--
    return { cell: frame === 0 ? undefined : archive.leastSeen(sought.feature + frame * WAYS, WAYS) }
  }

  /**
   * @param shown how far the execution came; undefined if it showed nothing
   * @param execution its number, counted from 1
   * @returns the features of the frames that it reached, of lists not found yet
   */
  observe(shown: readonly FramesReached[] | undefined, execution: number, keep: () => KeptExecution): Reached[] {
    const running = this.#running
    this.#running = undefined
    const ofRunning = shown?.find(({ name }) => name === running?.name)
    if (running !== undefined) this.#shrink(running, ofRunning, keep)
    this.#hasObserved ||= shown !== undefined
    const features: Reached[] = []
    for (const each of shown ?? []) {
      const sought = this.#soughtOf(each)
      if (sought.found !== undefined) continue
      if (each.steps.length >= sought.reached) sought.doubt = each.doubt
      sought.reached = Math.max(sought.reached, each.steps.length)
      if (each.steps.length === sought.frames.length) {
        sought.foundAt = execution
        sought.found = foundIn(each, keep())
        sought.shrinking = minimiseList(sought.found.pieces.flat(), NATURAL, MAX_CANDIDATES)
        this.#try(sought, sought.shrinking.next())
      }
      for (const [frame, step] of each.steps.entries()) {
        const { kept, left } = keep()
        const way = (hashText(kept.steps.slice(0, left(step + 1)).join()) >>> 16) % WAYS
        features.push({ feature: sought.feature + (frame + 1) * WAYS + way, after: step + 1 })
      }
    }
    return features
  }

  /** Accepts the execution of a candidate if it reached all frames and is simpler. */
  #shrink(sought: Sought, reached: FramesReached | undefined, keep: () => KeptExecution): void {
    const isReached = reached !== undefined && reached.steps.length === sought.frames.length
    const found = isReached ? foundIn(reached, keep()) : undefined
    const isAccepted = found !== undefined && isSimpler(found.pieces.flat(), sought.found!.pieces.flat())
    if (isAccepted) sought.found = found
    this.#try(sought, sought.shrinking!.next(isAccepted ? found.pieces.flat() : undefined))
  }

  #try(sought: Sought, { done, value }: IteratorResult<readonly number[]>): void {
    sought.candidate = done ? undefined : value
  }

  #soughtOf({ name, frames }: Pick<FramesReached, 'name' | 'frames'>): Sought {
    const known = this.#sought.find((each) => each.name === name)
    if (known !== undefined) return known
    const feature = FIRST_FEATURE + this.#sought.length * MAX_FRAMES * WAYS
    this.#sought.push({ name, frames, feature, reached: 0, directed: 0 })
    return this.#sought.at(-1)!
  }
}

function foundIn({ steps }: FramesReached, { kept, left }: KeptExecution): Found {
  const ends = [0, ...steps.map((step) => left(step + 1))]
  return { kept, pieces: ends.slice(1).map((end, frame) => kept.steps.slice(ends[frame], end)) }
}

/** Fewer steps that are not the default step, then fewer steps. */
function isSimpler(one: readonly number[], other: readonly number[]): boolean {
  const [departures, others] = [one, other].map((steps) => steps.filter((step) => step !== NATURAL).length)
  return departures! < others! || (departures === others && one.length < other.length)
}
