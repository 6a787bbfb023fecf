/** Reporters of a call: the terminal, the records of searches, the page of `norn ui`, and test runners. */
import type { SessionEvent } from '../contract/events.ts'
import type { Verdict } from '../contract/verdict.ts'
import type { Guide } from '../options/guide.ts'
import type { Target, UnloadedFile } from './targets.ts'

/** Where an event comes from: a property, and what it is searched with. */
export interface Searched {
  readonly target: Target
  readonly seed: number
  /** As a flag or the configuration names it. */
  readonly strategy: string
  readonly guide: Guide
  /** Executions at most, if they are limited, and real time, in milliseconds. */
  readonly runs: number | undefined
  readonly timeMs: number
  /** Whether real time limits the search. */
  readonly isTimed: boolean
}

/** What a call runs, in order, and what it does not. */
export interface PlannedCall {
  readonly targets: readonly Target[]
  /** Tests that norn leaves to their runner. */
  readonly notRun: readonly Target[]
  readonly unloaded: readonly UnloadedFile[]
}

/** The end of a call. */
export interface CallEnd {
  readonly status: number
  /** Of the properties that were run. */
  readonly verdicts: readonly Verdict[]
  /** Number of properties to run; `why` says why there are none. */
  readonly properties: number
  readonly why: string
  readonly unloaded: readonly UnloadedFile[]
  readonly interrupted: boolean
  /** The signal that interrupted it. */
  readonly signal?: NodeJS.Signals | undefined
  readonly timeMs: number
}

export interface Reporter {
  begin?(call: PlannedCall): void
  report(event: SessionEvent, from: Searched): void
  end?(end: CallEnd): void
}
