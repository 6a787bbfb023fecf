/**
 * The other techniques: a process on stock Node for a subject, which prints one line a trial.
 */
import { resolve } from 'node:path'
import { runBaseline } from '../processes.ts'
import type { Subject } from './subjects.ts'
import type { Budget, Trial } from './trial.ts'

export interface StockSettings {
  readonly file: string
  readonly subject: string
  readonly seeds: readonly number[]
  readonly timeMs: number
  /** Executions a trial; null if only time counts. */
  readonly runs: number | null
}

/** Time for the process beyond its trials, which look at the clock between executions. */
const GRACE_MS = 30_000

export async function stockTrials(
  entry: 'stress-child' | 'fast-check-child',
  { file, name }: Subject,
  seeds: readonly number[],
  { timeMs, runs }: Budget,
): Promise<Trial[]> {
  const settings: StockSettings = { file, subject: name, seeds, timeMs, runs: Number.isFinite(runs) ? runs : null }
  const script = resolve(import.meta.dirname, `${entry}.ts`)
  const { status, stdout, stderr } = await runBaseline(script, settings, seeds.length * timeMs + GRACE_MS)
  const lines = stdout.split('\n').filter((line) => line !== '')
  if (status !== 0 || lines.length !== seeds.length) {
    const ended = `after ${lines.length} of ${seeds.length} trials with status ${status}`
    throw new Error(`${entry} of ${name} ended ${ended}\n${stderr}`)
  }
  return lines.map((line) => JSON.parse(line) as Trial)
}
