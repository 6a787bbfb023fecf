/**
 * The summary over the rows: each technique's results, and whether guidance pays.
 *
 * The gain of a subject is its median of executions unguided over that of guided; a trial that
 * found nothing, or took more, counts as the cap. Over the subjects it is the geometric mean; B2
 * counts once (n = 1), and the needle, which is not a race, does not count.
 */
import { mean, median } from '../statistics/summary.ts'
import type { Trial } from '../trials/trial.ts'
import { CAP } from './techniques.ts'

/** The trials of one technique with one subject. */
export interface Measured {
  readonly subject: string
  readonly technique: string
  readonly trials: readonly Trial[]
}

export interface TechniqueSummary {
  readonly technique: string
  readonly found: number
  readonly trials: number
  /** Over the trials that found it, in milliseconds. */
  readonly meanMs: number | null
  /** Over all trials, capped. */
  readonly medianRuns: number
}

export interface Gain {
  readonly mean: number
  readonly bySubject: readonly { readonly subject: string; readonly ratio: number }[]
  readonly worst: { readonly subject: string; readonly ratio: number }
  /** Where guidance does not pay: less than PAYS. */
  readonly doesNotPay: readonly string[]
}

/** The least ratio at which guidance pays. */
const PAYS = 1.05
const APART = /^(needle|B2\([2-9]\))$/

/** Executions of a trial, capped. */
export function cappedRuns({ found, runs }: Trial): number {
  return found ? Math.min(runs, CAP) : CAP
}

export function byTechnique(measured: readonly Measured[]): TechniqueSummary[] {
  const names = [...new Set(measured.map(({ technique }) => technique))]
  return names.flatMap((technique) => {
    const trials = measured.filter((each) => each.technique === technique).flatMap((each) => each.trials)
    if (trials.length === 0) return []
    const found = trials.filter((trial) => trial.found)
    return {
      technique,
      found: found.length,
      trials: trials.length,
      meanMs: found.length === 0 ? null : mean(found.map(({ ms }) => ms)),
      medianRuns: median(trials.map(cappedRuns)),
    }
  })
}

/** Undefined unless a subject was searched both guided and unguided. */
export function gain(measured: readonly Measured[]): Gain | undefined {
  const runs = (subject: string, technique: string) =>
    measured.find((each) => each.subject === subject && each.technique === technique)?.trials.map(cappedRuns) ?? []
  const subjects = [...new Set(measured.map(({ subject }) => subject))].filter((subject) => !APART.test(subject))
  const bySubject = subjects.flatMap((subject) => {
    const [guided, unguided] = [runs(subject, 'guided'), runs(subject, 'unguided')]
    if (guided.length === 0 || unguided.length === 0) return []
    return { subject, ratio: median(unguided) / median(guided) }
  })
  if (bySubject.length === 0) return undefined
  return {
    mean: Math.exp(mean(bySubject.map(({ ratio }) => Math.log(ratio)))),
    bySubject,
    worst: bySubject.reduce((worst, each) => (each.ratio < worst.ratio ? each : worst)),
    doesNotPay: bySubject.filter(({ ratio }) => ratio < PAYS).map(({ subject }) => subject),
  }
}

/**
 * The mean time of B2(5) over that of B2(1), guided; undefined unless every trial of both found the
 * bug.
 */
export function growth(measured: readonly Measured[]): number | undefined {
  const time = (subject: string) => {
    const trials = measured.find((each) => each.subject === subject && each.technique === 'guided')?.trials ?? []
    return trials.length > 0 && trials.every(({ found }) => found) ? mean(trials.map(({ ms }) => ms)) : undefined
  }
  const [small, large] = [time('B2(1)'), time('B2(5)')]
  return small === undefined || large === undefined ? undefined : large / small
}
