/**
 * `checkSpecification(specification)`: what `norn tla check` does, as a function.
 *
 * ```ts
 * const { result, distinct, text } = checkSpecification('./TwoPhase.tla', { states: 1_000_000 })
 * assert.equal(result, 'passed', text)
 * ```
 */
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TlaError } from '../error.ts'
import type { Machine } from '../evaluate/machine.ts'
import { callerFolder } from '../../../norn/src/tla/caller.ts'
import { loadNamed, type MachineOptions } from '../follow/machines.ts'
import { outcomeText } from './outcome-text.ts'
import { type CheckResult, checkResult } from './result.ts'
import { type Bounds, runCheck } from './run.ts'

export interface CheckOptions extends MachineOptions, Bounds {
  /** So many random behaviours instead of all states, of at most `depth` (100) states each. */
  readonly simulate?: number
  /** Whether a state without successors is an error: so unless it is `false`, or the configuration says it is none. */
  readonly deadlock?: boolean
  /** Whether the result has the counts of all actions. */
  readonly coverage?: boolean
  /** Gets what the specification prints (`PrintT`); standard output unless given. */
  readonly print?: (lines: string) => void
}

/** A result with what a person reads of it. */
export type CheckedSpecification = CheckResult & { readonly text: string }

/**
 * Explores all states of a specification, breadth-first, or simulates it; assumptions come first. It keeps the thread to
 * itself until it is done, or a bound is reached: give it `time` or `states` where the state space may be large.
 *
 * @param specification the path of the `.tla` file; a relative one begins at the folder of the file that makes the call
 * @throws Error that tells what is wrong with the specification or the configuration, with the place; what cannot be
 *   evaluated while states are explored is a result
 */
export function checkSpecification(specification: string | URL, options: CheckOptions = {}): CheckedSpecification {
  const begun = performance.now()
  assertBounds(options)
  const folder = callerFolder(checkSpecification)
  const path = specification instanceof URL ? fileURLToPath(specification) : resolve(folder, specification)
  let isQuiet = false
  const { print = (lines: string) => console.log(lines) } = options
  const machine = loaded(() =>
    loadNamed(path, options, folder, {
      isExplored: true,
      print(lines) {
        if (!isQuiet) print(lines)
      },
    }),
  )
  const { outcome, coverage } = runCheck(machine, {
    ...options,
    begun,
    deadlock: options.deadlock ?? true,
    isInterruptible: false,
    quietly(run) {
      isQuiet = true
      try {
        return run()
      } finally {
        isQuiet = false
      }
    },
  })
  const seconds = (performance.now() - begun) / 1000
  const result = checkResult(machine, outcome, coverage, seconds, options.coverage ?? false)
  const told = outcomeText(outcome, machine)
  const text =
    told === undefined
      ? `no error in ${result.distinct} distinct states`
      : [told.headline, ...told.details.map((line) => `  ${line}`.trimEnd()), ...behaviourLines(told.behaviour)].join(
          '\n',
        )
  return { ...result, text }
}

const BOUNDS = ['depth', 'states', 'time', 'memory', 'simulate'] as const

/** @throws TypeError */
function assertBounds(options: CheckOptions): void {
  for (const name of BOUNDS) {
    const bound = options[name]
    if (bound === undefined || (typeof bound === 'number' && bound > 0)) continue
    throw new TypeError(`checkSpecification: expected \`${name}\` to be a number above 0, found ${String(bound)}`)
  }
}

/** The machine, compiled: which may find that definitions never end. */
function loaded(load: () => Machine): Machine {
  try {
    const machine = load()
    void machine.parts
    return machine
  } catch (error) {
    if (!(error instanceof TlaError)) throw error
    throw new Error(error.describe(), { cause: error })
  }
}

function behaviourLines(behaviour: string | undefined): readonly string[] {
  return behaviour === undefined ? [] : ['', behaviour]
}
