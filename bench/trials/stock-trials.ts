/** Trials on stock Node: a process for all trials of a subject, which prints one line a trial. */
import { resolve } from 'node:path'
import { runBaseline } from '../processes.ts'
import type { Budget, Trial } from './trial.ts'

export interface StockSubject {
  readonly file: string
  /** The name of the property before the colon; default: the first property. */
  readonly subject?: string
  /** [import, replacement] */
  readonly aliases?: readonly (readonly [string, string])[]
  /** A body that takes longer hangs, which is a failure, in milliseconds. */
  readonly bodyMs: number
}

export interface StockSettings extends StockSubject {
  readonly seeds: readonly number[]
  readonly timeMs: number
  /** Executions a trial; null if only time counts. */
  readonly runs: number | null
}

/** Time for the process beyond its trials, which look at the clock between executions. */
const GRACE_MS = 30_000

export async function stockTrials(
  technique: 'stress' | 'fast-check',
  subject: StockSubject,
  seeds: readonly number[],
  { timeMs, runs }: Budget,
): Promise<Trial[]> {
  const settings: StockSettings = { ...subject, seeds, timeMs, runs: Number.isFinite(runs) ? runs : null }
  const script = resolve(import.meta.dirname, `${technique}-child.ts`)
  const { status, stdout, stderr } = await runBaseline(script, settings, seeds.length * timeMs + GRACE_MS)
  // What a subject prints is not the line of a trial.
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"seed":'))
  if (status !== 0 || lines.length !== seeds.length) {
    const ended = `after ${lines.length} of ${seeds.length} trials with status ${status}`
    throw new Error(`${technique} of ${subject.file} ended ${ended}\n${stderr}`)
  }
  return lines.map((line) => JSON.parse(line) as Trial)
}
