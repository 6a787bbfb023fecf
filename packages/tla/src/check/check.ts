/** One check of a machine, from options to plain data and text. */
import type { Machine } from '../evaluate/machine.ts'
import { outcomeText } from './outcome-text.ts'
import { type CheckResult, checkResult } from './result.ts'
import { type CheckOptions, runCheck, type Supervision } from './run.ts'

/**
 * A result with its printed text.
 *
 * @public
 */
export type CheckedSpecification = CheckResult & { readonly text: string }

/** @param coverage whether the result has the counts of all actions */
export function checkMachine(
  machine: Machine,
  options: CheckOptions & { readonly coverage?: boolean },
  supervision: Supervision = {},
): CheckedSpecification {
  const { begunMs = performance.now() } = supervision
  const { outcome, coverage } = runCheck(machine, options, { ...supervision, begunMs })
  const seconds = (performance.now() - begunMs) / 1000
  const result = checkResult(machine, outcome, coverage, seconds, options.coverage ?? false)
  const said = outcomeText(outcome, machine)
  if (said === undefined) return { ...result, text: `no error in ${result.distinct} distinct states` }
  const details = said.details.map((line) => `  ${line}`.trimEnd())
  const behaviour = said.behaviour === undefined ? [] : ['', said.behaviour]
  return { ...result, text: [said.headline, ...details, ...behaviour].join('\n') }
}

const BOUNDS = ['depth', 'states', 'timeMs', 'memoryMb', 'simulate'] as const

/** @throws TypeError */
export function assertBounds(options: CheckOptions): void {
  for (const name of BOUNDS) {
    const bound = options[name]
    if (bound === undefined || (typeof bound === 'number' && bound > 0)) continue
    throw new TypeError(`checkSpecification: expected \`${name}\` to be a number above 0, found ${String(bound)}`)
  }
}
