/** `check SPEC`: explores a specification, or simulates it, and reports the result. */
import { getHeapStatistics } from 'node:v8'
import { type ExitStatus, UsageError } from '#shared/cli/exit-status'
import { statusLine } from '#shared/status-line'
import { numberText } from '#shared/text'
import { type CheckOptions, runCheck } from '../check/run.ts'
import { TlaError } from '../error/error.ts'
import type { Machine } from '../evaluate/machine.ts'
import { withMemory } from '../node/check-specification.ts'
import { loadMachine } from '../node/load.ts'
import { watched } from '../node/watchdog.ts'
import { CheckReporter } from './check-reporter.ts'
import { type ConfigurationOptions, configurationOf, specificationFile } from './inputs.ts'

export interface CheckCommandOptions extends ConfigurationOptions, Omit<CheckOptions, 'timeMs' | 'memoryMb'> {
  /** In milliseconds. */
  readonly time?: number
  /** In megabytes. */
  readonly memory?: number
  readonly deadlock: boolean
  readonly coverage: boolean
  readonly json: boolean
}

export function checkCommand(program: string, named: string, options: CheckCommandOptions): ExitStatus {
  const { time: timeMs, memory: memoryMb } = options
  withHeapFor(memoryMb)
  const begunMs = performance.now()
  const seconds = () => (performance.now() - begunMs) / 1000
  const reporter = new CheckReporter(program, options, seconds)
  let machine: Machine
  try {
    const specification = specificationFile(named)
    machine = loadMachine(specification, {
      configuration: configurationOf(specification, options),
      library: options.library,
      seed: options.seed,
      isExplored: true,
      print: (line) => reporter.printed(line),
    })
    // Compiles it, which may find that definitions never end.
    void machine.parts
  } catch (error) {
    if (!(error instanceof TlaError || error instanceof UsageError)) throw error
    return reporter.refused(error)
  }
  reporter.warn(machine)
  const { progress } = machine.surroundings
  const status = statusLine(process.stderr)
  const { outcome, coverage } = runCheck(machine, withMemory({ ...options, timeMs, memoryMb }), {
    begunMs,
    guard: watched,
    progressed: () => status.update(progressText(progress, seconds())),
  })
  status.clear()
  return reporter.end(machine, outcome, coverage)
}

/**
 * Restarts this command in the same process with a larger heap, if it may use more memory than the
 * heap can take: Node fixes the limit at the start, to about 4 GB. Windows cannot replace a process
 * and keeps its heap.
 */
function withHeapFor(megabytes: number | undefined): void {
  if (megabytes === undefined || megabytes * 1e6 <= getHeapStatistics().heap_size_limit) return
  if (process.platform === 'win32' || process.execve === undefined) return
  const heap = `--max-old-space-size=${Math.ceil(megabytes)}`
  process.execve(process.execPath, [process.execPath, ...process.execArgv, heap, ...process.argv.slice(1)])
}

function progressText(
  { distinct, generated, queue, diameter, traces }: Machine['surroundings']['progress'],
  seconds: number,
): string {
  const rate = numberText(Math.round(distinct / Math.max(seconds, 0.001)))
  const behaviours = traces > 0 ? `${numberText(traces)} behaviours, ` : ''
  const states = `${numberText(distinct)} distinct states (${rate}/s), ${numberText(generated)} generated`
  return `${seconds.toFixed(0)} s: ${behaviours}${states}, ${numberText(queue)} in the queue, depth ${diameter}`
}
