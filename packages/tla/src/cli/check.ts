/** `norn tla check SPEC`: explores a specification, or simulates it, and tells what came of it. */
import { statusLine } from '../../../norn/src/report/status.ts'
import { runCheck } from '../check/run.ts'
import { TlaError } from '../error.ts'
import { loadMachine } from '../evaluate/load.ts'
import type { Machine } from '../evaluate/machine.ts'
import { type ExitStatus, UsageError } from '../../../norn/src/cli/exit-status.ts'
import { withHeapFor } from './larger-heap.ts'
import { type ConfigurationOptions, configurationOf, specificationFile } from './inputs.ts'
import { CheckTelling, numberText } from './check-reporter.ts'

export interface TlaCheckOptions extends ConfigurationOptions {
  readonly library: readonly string[]
  readonly depth?: number
  readonly states?: number
  /** In milliseconds. */
  readonly time?: number
  /** In MB. */
  readonly memory?: number
  readonly simulate?: number
  readonly seed?: number
  readonly deadlock: boolean
  readonly coverage: boolean
  readonly json: boolean
}

export async function tlaCheckCommand(named: string, options: TlaCheckOptions): Promise<ExitStatus> {
  withHeapFor(options.memory)
  const begun = performance.now()
  const telling = new CheckTelling(options, () => (performance.now() - begun) / 1000)
  let isQuiet = false
  let machine: Machine
  try {
    const specification = specificationFile(named)
    machine = loadMachine(specification, {
      configuration: configurationOf(specification, options),
      library: options.library,
      seed: options.seed,
      isExplored: true,
      print: (line) => {
        if (!isQuiet) telling.printed(line)
      },
    })
    // Compiled where it is first asked for, which may find that definitions never end.
    void machine.parts
  } catch (error) {
    if (!(error instanceof TlaError || error instanceof UsageError)) throw error
    return telling.refused(error)
  }
  telling.warn(machine)
  const quietly = <Result>(run: () => Result): Result => {
    isQuiet = true
    try {
      return run()
    } finally {
      isQuiet = false
    }
  }
  const { progress } = machine.surroundings
  const status = statusLine(process.stderr)
  const { outcome, coverage } = runCheck(machine, {
    ...options,
    begun,
    isInterruptible: true,
    quietly,
    progressed: () => status.update(progressText(progress, (performance.now() - begun) / 1000)),
  })
  status.clear()
  return telling.end(machine, outcome, coverage)
}

function progressText(
  { distinct, generated, queue, diameter, traces }: Machine['surroundings']['progress'],
  seconds: number,
): string {
  const rate = numberText(Math.round(distinct / Math.max(seconds, 0.001)))
  const behaviours = traces > 0 ? `${numberText(traces)} behaviours, ` : ''
  return `${seconds.toFixed(0)} s: ${behaviours}${numberText(distinct)} distinct states (${rate}/s), ${numberText(generated)} generated, ${numberText(queue)} in the queue, depth ${diameter}`
}
