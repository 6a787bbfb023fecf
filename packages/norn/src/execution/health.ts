/**
 * Health checks: whether what a property generates and asks for lets its executions say much. After
 * Hypothesis's health checks (too slow, filters too much, inputs too large), which fail a test;
 * here they are warnings, each told once in the end, and change no status: what was found is found,
 * and what passed has passed, if by fewer inputs than it looks.
 *
 * Counts are of the executions that were planned to search, not of those that replay or shrink.
 * Invariant: all but one warning are functions of those executions, the same for the same seed; the
 * one about time is marked, so that output that has to be the same leaves it out.
 */

import type { HealthWarning } from '../search/events.ts'

/** What one execution adds. Times are real, in milliseconds. */
export interface HealthCount {
  readonly discarded: boolean
  readonly inputChoices: number
  readonly points: number
  /** Values that filters were asked about, and refused. */
  readonly tried: number
  readonly refused: number
  /** Whether the body gave back a promise. */
  readonly asynchronous: boolean
  readonly generationMs: number
  readonly totalMs: number
}

/** Fewer executions say nothing of shares. */
const LEAST_EXECUTIONS = 20
const LEAST_TRIED = 1000
/** The share of inputs, or of filtered values, above which too much is thrown away. */
const TOO_MUCH = 0.9
/**
 * Choices of a whole input, in the mean: Hypothesis's bound on the size of an example, in bytes, is
 * the same.
 */
const LARGE = 8192
const LEAST_MS = 1000
const SLOW_SHARE = 0.5

export class Health {
  #executions = 0
  #sums = {
    discarded: 0,
    inputChoices: 0,
    points: 0,
    tried: 0,
    refused: 0,
    asynchronous: 0,
    generationMs: 0,
    totalMs: 0,
  }

  note(count: HealthCount): void {
    this.#executions++
    const sums = this.#sums
    if (count.discarded) sums.discarded++
    if (count.asynchronous) sums.asynchronous++
    sums.inputChoices += count.inputChoices
    sums.points += count.points
    sums.tried += count.tried
    sums.refused += count.refused
    sums.generationMs += count.generationMs
    sums.totalMs += count.totalMs
  }

  warnings(): HealthWarning[] {
    const executions = this.#executions
    if (executions < LEAST_EXECUTIONS) return []
    const { discarded, inputChoices, points, tried, refused, asynchronous, generationMs, totalMs } = this.#sums
    const warnings: HealthWarning[] = []
    if (discarded / executions > TOO_MUCH) {
      const message = `fc.pre let ${executions - discarded} of ${executions} inputs pass: generate what it wants instead of searching for it`
      warnings.push({ check: 'discards', message })
    }
    if (tried >= LEAST_TRIED && refused / tried > TOO_MUCH) {
      const message = `filters let ${counted(tried - refused)} of ${counted(tried)} values pass: generate what they want, with min and max, map or chain`
      warnings.push({ check: 'filters', message })
    }
    if (inputChoices / executions > LARGE) {
      const message = `an input takes ${counted(Math.round(inputChoices / executions))} choices in the mean: smaller ones (maxLength, maxDepth, size) are faster to run and to shrink`
      warnings.push({ check: 'large inputs', message })
    }
    if (points === 0 && asynchronous > 0) {
      const message = `the body waits, but passed no schedule point in ${executions} executions: only inputs were searched`
      warnings.push({ check: 'nothing asynchronous', message, informative: true })
    }
    if (totalMs >= LEAST_MS && generationMs / totalMs > SLOW_SHARE) {
      const message = `generating inputs took ${Math.round((100 * generationMs) / totalMs)}% of the time: smaller or simpler arbitraries give more executions`
      warnings.push({ check: 'slow generation', message, timed: true })
    }
    return warnings
  }
}

function counted(count: number): string {
  return count.toLocaleString('en-GB')
}
