/**
 * Health checks: warnings about properties whose executions test less than they seem to. After
 * Hypothesis's health checks (too slow, filters too much, inputs too large), which fail a test;
 * here each warns once, at the end, and changes no exit status.
 *
 * Counts executions of the search, not replays or shrinking. Invariant: warnings are functions of
 * those executions, so equal seeds give equal warnings; the only one that depends on time is
 * marked, and reproducible output omits it.
 */
import type { HealthWarning } from '../contract/events.ts'
import { numberText, plural } from '../contract/text.ts'

/** The counts of one execution. Times are real, in milliseconds. */
export interface HealthCount {
  readonly discarded: boolean
  readonly inputChoices: number
  readonly points: number
  /** Values that filters were applied to, and those they rejected. */
  readonly tried: number
  readonly refused: number
  /** Whether the body returned a promise. */
  readonly asynchronous: boolean
  readonly generationMs: number
  readonly totalMs: number
}

/** Fewer executions give no reliable shares. */
const LEAST_EXECUTIONS = 20
const LEAST_TRIED = 1000
/** The share of discarded inputs, or of rejected values, above which norn warns. */
const TOO_MUCH = 0.9
/** Mean choices of an input; Hypothesis bounds the bytes of an example by the same number. */
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
      const message = `fc.pre rejected ${Math.floor((100 * discarded) / executions)} % of inputs. Generate matching inputs instead`
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
      const message = 'the body is asynchronous, but no execution reached a schedule point: only inputs were searched'
      warnings.push({ check: 'nothing asynchronous', message, informative: true })
    }
    if (totalMs >= LEAST_MS && generationMs / totalMs > SLOW_SHARE) {
      const message = `generating inputs took ${Math.round((100 * generationMs) / totalMs)} % of the time. Smaller or simpler arbitraries allow more executions`
      warnings.push({ check: 'slow generation', message, timed: true })
    }
    return warnings
  }
}
