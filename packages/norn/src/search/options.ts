/**
 * What a search is asked to do: the options that flags, environment, code and configuration share.
 */

import type { KeyFramesData } from '../contract/key-frames.ts'
import type { Guide } from './guide.ts'

export const DEFAULT_STRATEGY = 'portfolio'

export interface SearchOptions {
  /** First number of the search's pseudo-random sequence, 32 bits. */
  readonly seed: number
  /** Proposes choices where no guidance does; see schedule/portfolio.ts. */
  readonly strategy: string
  /** Feedback that guides the search; none unless set. */
  readonly guide?: Guide
  /** Executions, at most. */
  readonly runs: number
  /** Real time, in milliseconds; infinite if only runs count. */
  readonly timeMs: number
  /** Search for more failures after the first. */
  readonly keepGoing: boolean
  readonly shrink: boolean
  /** Real time that shrinking gets even after `timeMs`, in milliseconds; none unless set. */
  readonly shrinkMs?: number
  /** Executions of an earlier process that died: planned again, not run again. */
  readonly skip: number
  /** Key frames of a cluster: the search goes on until all are reached. */
  readonly frames?: readonly KeyFramesData[]
}
