/** The progress of a search, in the status line of a terminal. */

import type { FramesProgress } from '../contract/key-frames.ts'
import type { GuidedState } from '../search/domain.ts'

export interface Progress {
  readonly executions: number
  readonly shrinking: boolean
  /** Of a guided search. */
  readonly guided: GuidedState | undefined
  /** Of a search for key frames. */
  readonly frames?: FramesProgress
  /** Real time that has passed, and the limit, in milliseconds. */
  readonly elapsedMs: number
  readonly timeMs: number
  /** Executions at most, if they are limited. */
  readonly runs: number | undefined
}

/** Longer than any real limit: only runs are limited. */
const UNLIMITED_MS = 1e9

/** The most important part stands first: a narrow terminal cuts the line. */
export function progressText(property: string, progress: Progress): string {
  const { executions, shrinking, guided, frames, elapsedMs, timeMs, runs } = progress
  const rate = Math.round(executions / (elapsedMs / 1000))
  const left = timeMs > UNLIMITED_MS ? `of ${runs}` : `${Math.max(0, Math.ceil((timeMs - elapsedMs) / 1000))} s left`
  const doing = shrinking ? 'found a failure, shrinking it' : left
  const passed = frames === undefined ? [] : [`frames ${frames.reached}/${frames.of}`]
  const parts = [
    ...passed,
    `${executions} executions`,
    `${rate}/s`,
    doing,
    ...(guided === undefined ? [] : gathered(guided)),
  ]
  return `${property}: ${parts.join(', ')}`
}

function gathered({ branches, order, corpus, lastDiscovery, states = 0, traces }: GuidedState): string[] {
  const reached =
    traces === undefined
      ? `${branches + order} features`
      : states > 0
        ? `${states} abstract states`
        : `${traces} happens-before classes`
  return [reached, `corpus ${corpus}`, `last new in ${lastDiscovery}`]
}
