/** `checkSpecification(specification)`: what `norn-tla check` does, as a function. */
import { availableMemory } from 'node:process'
import { assertBounds, type CheckedSpecification, checkMachine } from '../check/check.ts'
import type { CheckOptions } from '../check/run.ts'
import { loadNamed, type NamedOptions } from './named.ts'
import { watched } from './watchdog.ts'

/** The share of free memory that a check may take by default. */
const MEMORY_SHARE = 0.8

/**
 * The options of `checkSpecification`.
 *
 * @public
 */
export interface CheckSpecificationOptions extends NamedOptions, CheckOptions {
  /** Whether the result has the counts of all actions; false by default. */
  readonly coverage?: boolean
  /** Called with the output of the specification (`PrintT`). Default: standard output. */
  readonly print?: (lines: string) => void
}

/**
 * Checks the assumptions of a specification, then explores all states breadth-first, or simulates.
 * Blocks the thread until it ends or reaches a bound: set `timeMs` or `states` if the state space
 * may be large.
 *
 * ```ts
 * const { result, distinct, text } = checkSpecification('specs/TwoPhase.tla', { states: 1_000_000 })
 * assert.equal(result, 'passed', text)
 * ```
 *
 * @public
 * @param specification the `.tla` file: a URL, or a path relative to the working directory
 * @throws Error for an invalid specification or configuration, with the location; a failed
 *   evaluation during exploration is a result
 */
export function checkSpecification(
  specification: string | URL,
  options: CheckSpecificationOptions = {},
): CheckedSpecification {
  const begunMs = performance.now()
  assertBounds(options)
  const { print = (lines: string) => console.log(lines) } = options
  const machine = loadNamed(specification, options, { isExplored: true, print })
  return checkMachine(machine, withMemory(options), { begunMs, guard: (run, limitMs) => watched(run, limitMs, false) })
}

/** Options with a bound of memory. */
export function withMemory<Options extends CheckOptions>(options: Options): Options {
  return options.memoryMb === undefined ? { ...options, memoryMb: (availableMemory() * MEMORY_SHARE) / 1e6 } : options
}
