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

import { numberText, plural } from '../contract/text.ts'
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
      const message = `fc.pre rejected ${discarded} of ${plural(executions, 'input')}. Generate matching inputs instead`
      warnings.push({ check: 'discards', message })
    }
    if (tried >= LEAST_TRIED && refused / tried > TOO_MUCH) {
      const message = `filters rejected ${numberText(refused)} of ${plural(tried, 'value')}. Generate matching values with min and max, map or chain instead`
      warnings.push({ check: 'filters', message })
    }
    if (inputChoices / executions > LARGE) {
      const message = `inputs take ${plural(Math.round(inputChoices / executions), 'choice')} on average. Smaller inputs (maxLength, maxDepth, size) run and shrink faster`
      warnings.push({ check: 'large inputs', message })
    }
    if (points === 0 && asynchronous > 0) {
      const message = `the body is asynchronous, but none of ${plural(executions, 'execution')} reached a schedule point: only inputs were searched`
      warnings.push({ check: 'nothing asynchronous', message, informative: true })
    }
    if (totalMs >= LEAST_MS && generationMs / totalMs > SLOW_SHARE) {
      const message = `generating inputs took ${Math.round((100 * generationMs) / totalMs)} % of the time. Smaller or simpler arbitraries allow more executions`
      warnings.push({ check: 'slow generation', message, timed: true })
    }
    return warnings
  }
}
