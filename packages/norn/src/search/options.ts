/** What a search is asked for: the options of a user, and what its session adds. */

import type { Choices } from '../contract/choices.ts'
import type { Guide } from '../options/guide.ts'
import type { PropertySearchOptions } from '../options/table.ts'
import type { DomainOptions } from './domain.ts'

export interface EarlierFailure {
  /** Its fingerprint. */
  readonly identity: string
  /** The index of the example that was its input, if one was. */
  readonly example: number | undefined
  readonly choices: Choices
}

export interface SearchOptions extends DomainOptions, Omit<PropertySearchOptions, 'guide'> {
  /** The seed of the random numbers, 32 bits. */
  readonly seed: number
  /** The strategy of unguided choices; see schedule/portfolio.ts. */
  readonly strategy: string
  /** Default: no guidance. */
  readonly guide?: Guide
  /** Executions at most. */
  readonly runs: number
  /** Real time in milliseconds; infinite if only `runs` bounds the search. */
  readonly timeMs: number
  /** Executions that the search makes even if its time is up. Default: one. */
  readonly minRuns?: number
  /** Search for more failures after the first. */
  readonly keepGoing: boolean
  readonly shrink: boolean
  /** Real time that shrinking has at least, beyond `timeMs` if need be, in milliseconds. Default: 5000. */
  readonly shrinkMs?: number
  /** Fingerprints of failures that were reported before the search. They are counted only. */
  readonly known?: readonly string[]
  /** Failures saved earlier: one that still fails, and is simpler than what is found, stays. */
  readonly earlier?: readonly EarlierFailure[]
  /**
   * Executions depend on more than their choices (open mode): none is checked for determinism, and
   * a failure counts without having been seen twice. Default: false.
   */
  readonly isOpen?: boolean
  /** Whether events of progress have a summary of the search so far, now and then. Default: false. */
  readonly interim?: boolean
  /** Executions of an earlier process that died; they are planned again but do not run. */
  readonly skip: number
}
