/** The progress of a search: in the status line of a terminal, and in numbers for a page. */

import type { GuidedState } from '../contract/campaign-summary.ts'
import type { SessionEvent } from '../contract/events.ts'
import { numberText } from '../contract/text.ts'
import type { Searched } from '../session/reporter.ts'
import { countedIn, discovered } from './guided.ts'

type Progressed = Omit<Extract<SessionEvent, { type: 'progress' }>, 'type'>
type Limits = Pick<Searched, 'timeMs' | 'runs'>

/** The progress of a search, and its limits. */
export interface Progress extends Progressed, Limits {
  readonly elapsedMs: number
}

export function progressOf({ elapsedMs = 0, ...made }: Progressed, { timeMs, runs }: Limits): Progress {
  return { ...made, elapsedMs, timeMs, runs }
}

/** Longer than any real limit: only runs are limited. */
const UNLIMITED_MS = 1e9

/** The most important part stands first: a narrow terminal cuts the line. */
export function progressText(property: string, progress: Progress): string {
  const { executions, guided, frames } = progress
  const passed = frames === undefined ? [] : [`frames ${frames.reached}/${frames.of}`]
  const parts = [
    ...passed,
    `${executions} executions`,
    `${rateOf(progress)}/s`,
    doingText(progress),
    ...(guided === undefined ? [] : gathered(guided)),
  ]
  return `${property}: ${parts.join(', ')}`
}

/** The progress in numbers with their units, for a page. */
export function progressFigures(progress: Progress): (readonly [value: string, unit: string])[] {
  const { executions, shrinking, guided, frames, timeMs, runs } = progress
  const budget =
    timeMs > UNLIMITED_MS
      ? ([numberText(runs!), 'at most'] as const)
      : ([`${secondsLeft(progress)} s`, 'left'] as const)
  return [
    [numberText(executions), 'executions'],
    [numberText(rateOf(progress)), 'a second'],
    shrinking ? ['shrinking', 'a failure was found'] : budget,
    ...(frames === undefined ? [] : [[`${frames.reached} of ${frames.of}`, 'key frames'] as const]),
    ...(guided === undefined
      ? []
      : ([
          [numberText(discovered(guided)), countedIn(guided)],
          [numberText(guided.lastDiscovery), 'last discovery'],
          [numberText(guided.corpus), 'in the corpus'],
        ] as const)),
  ]
}

/** The part of the budget that is used, from 0 to 1. */
export function progressShare({ executions, elapsedMs, timeMs, runs }: Progress): number {
  return Math.min(1, Math.max(elapsedMs / timeMs, runs === undefined ? 0 : executions / runs))
}

function doingText(progress: Progress): string {
  if (progress.shrinking) return 'found a failure, shrinking it'
  return progress.timeMs > UNLIMITED_MS ? `of ${progress.runs}` : `${secondsLeft(progress)} s left`
}

function rateOf({ executions, elapsedMs }: Progress): number {
  return Math.round(executions / (elapsedMs / 1000))
}

function secondsLeft({ elapsedMs, timeMs }: Progress): number {
  return Math.max(0, Math.ceil((timeMs - elapsedMs) / 1000))
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
