/** `norn tla check SPEC`: explores a specification, or simulates it, and tells what came of it. */
import { availableMemory, memoryUsage } from 'node:process'
import { getHeapStatistics } from 'node:v8'
import { statusLine } from '../report/status.ts'
import { Exploration, type StopReason } from '../tla/check/explore.ts'
import type { Outcome } from '../tla/check/outcome.ts'
import { Simulation } from '../tla/check/simulate.ts'
import { watched } from '../tla/check/watchdog.ts'
import { TlaError } from '../tla/error.ts'
import { loadMachine } from '../tla/evaluate/load.ts'
import type { Machine } from '../tla/evaluate/machine.ts'
import { type ExitStatus, UsageError } from './exit-status.ts'
import { type ConfigurationOptions, configurationOf, specificationFile } from './tla-inputs.ts'
import { CheckTelling, numberText } from './tla-telling.ts'

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

/** How often memory and the status line are looked after. */
const LOOK_MS = 100
/** Time that one state may take after the time is up, until it is ended from outside. */
const GRACE_MS = 300
/** States of a random behaviour. */
const DEFAULT_DEPTH = 100
const MEMORY_SHARE = 0.8
const HEAP_SHARE = 0.9

export async function tlaCheckCommand(named: string, options: TlaCheckOptions): Promise<ExitStatus> {
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
  const maxBytes = options.memory === undefined ? availableMemory() * MEMORY_SHARE : options.memory * 1e6
  const shouldStop = (): StopReason | undefined => {
    const now = performance.now()
    if (options.time !== undefined && now - begun >= options.time) return 'time'
    if (now - looked < LOOK_MS) return undefined
    looked = now
    status.update(progressText(progress, (now - begun) / 1000))
    return isShortOfMemory(maxBytes) ? 'memory' : undefined
  }
  let looked = begun
  const deadlock = options.deadlock && machine.checksDeadlock
  const check =
    options.simulate === undefined
      ? new Exploration(machine, {
          deadlock,
          maxDepth: options.depth,
          maxStates: options.states,
          maxBytes,
          shouldStop,
          quietly,
        })
      : new Simulation(machine, {
          deadlock,
          behaviours: options.simulate,
          maxDepth: options.depth ?? DEFAULT_DEPTH,
          seed: options.seed ?? 0,
          maxBytes: maxBytes / 2,
          shouldStop,
          quietly,
        })
  const limit =
    options.time === undefined ? undefined : Math.max(1, begun + options.time + GRACE_MS - performance.now())
  const end = watched(() => check.run(), limit)
  status.clear()
  return telling.end(machine, outcomeOf(end), check.coverage)
}

function outcomeOf(end: ReturnType<typeof watched<Outcome>>): Outcome {
  switch (end.ended) {
    case 'returned':
      return end.result
    case 'time':
      return { kind: 'bound', bound: 'time' }
    case 'interrupted':
      return { kind: 'interrupted' }
  }
}

/** The heap of Node has a limit of its own, beyond which it ends the process. */
function isShortOfMemory(maxBytes: number): boolean {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  return used_heap_size > heap_size_limit * HEAP_SHARE || memoryUsage.rss() > maxBytes
}

function progressText(
  { distinct, generated, queue, diameter, traces }: Machine['surroundings']['progress'],
  seconds: number,
): string {
  const rate = numberText(Math.round(distinct / Math.max(seconds, 0.001)))
  const behaviours = traces > 0 ? `${numberText(traces)} behaviours, ` : ''
  return `${seconds.toFixed(0)} s: ${behaviours}${numberText(distinct)} distinct states (${rate}/s), ${numberText(generated)} generated, ${numberText(queue)} in the queue, depth ${diameter}`
}
