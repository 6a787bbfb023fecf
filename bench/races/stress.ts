/**
 * The baseline `stress`: bodies on the stock loop with random delays, as one does without a tool.
 *
 * Each trial is a process (stress-child.ts) that runs its executions side by side, because they
 * sleep for real. An execution finds the bug if its body fails, or an error is not caught.
 */
import { resolve } from 'node:path'
import { runBaseline } from '../processes.ts'

const CHILD = resolve(import.meta.dirname, 'stress-child.ts')
const TRIAL_MS = 60_000

/** A trial that found the bug. */
export interface Found {
  readonly runs: number
  readonly ms: number
  readonly choices: number
}

export interface Searched {
  readonly found: readonly Found[]
  /** Executions that failed. */
  readonly alarms: number
}

export interface StressSettings {
  readonly file: string
  /** [import, replacement] */
  readonly aliases: readonly (readonly [string, string])[]
  readonly seed: number
  readonly runs: number
}

/** The last line of a trial's process. */
export interface StressOutcome {
  readonly failures: number
  /** Executions that had ended at the first failure; 0 without one. */
  readonly firstAt: number
  readonly firstMs: number
}

export async function stress(
  file: string,
  aliases: StressSettings['aliases'],
  trials: number,
  runs: number,
): Promise<Searched> {
  const found: Found[] = []
  let alarms = 0
  for (let seed = 1; seed <= trials; seed++) {
    const { failures, firstAt, firstMs } = await trial({ file, aliases, seed, runs })
    alarms += failures
    if (failures > 0) found.push({ runs: firstAt, ms: firstMs, choices: 0 })
  }
  return { found, alarms }
}

async function trial(settings: StressSettings): Promise<StressOutcome> {
  const { stdout, stderr } = await runBaseline(CHILD, settings, TRIAL_MS)
  const line = stdout.trim().split('\n').at(-1)!
  try {
    return JSON.parse(line) as StressOutcome
  } catch {
    throw new Error(`stress trial without an outcome: ${settings.file}\n${stdout.slice(-500)}${stderr}`)
  }
}
