/**
 * The techniques that are not norn: a process on stock Node for a subject, which starts once, is not measured, and
 * prints one line a trial.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Subject } from './subjects.ts'
import type { Budget, Trial } from './trial.ts'

/** What such a process is started with. */
export interface StockSettings {
  readonly file: string
  readonly subject: string
  readonly seeds: readonly number[]
  readonly timeMs: number
  /** Executions a trial; null is as many as there is time for. */
  readonly runs: number | null
}

/** What the process may take longer than its trials, which look at the time between executions. */
const GRACE_MS = 30_000
const MAX_OUTPUT = 10_000

export async function stockTrials(
  entry: 'stress-child' | 'fast-check-child',
  { file, name }: Subject,
  seeds: readonly number[],
  { timeMs, runs }: Budget,
): Promise<Trial[]> {
  const settings: StockSettings = { file, subject: name, seeds, timeMs, runs: Number.isFinite(runs) ? runs : null }
  const temporary = mkdtempSync(join(tmpdir(), 'norn-confuzz-'))
  const path = fileURLToPath(new URL(`./${entry}.ts`, import.meta.url))
  const child = spawn(process.execPath, ['--expose-internals', '--no-warnings', path, JSON.stringify(settings)], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), seeds.length * timeMs + GRACE_MS)
  let printed = ''
  let complaint = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < MAX_OUTPUT) complaint += chunk.toString('utf8')
  })
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  clearTimeout(timer)
  rmSync(temporary, { recursive: true, force: true })
  const lines = printed.split('\n').filter((line) => line !== '')
  if (code !== 0 || lines.length !== seeds.length) {
    throw new Error(
      `${entry} of ${name} ended after ${lines.length} of ${seeds.length} trials (status ${code}):\n${complaint}`,
    )
  }
  return lines.map((line) => JSON.parse(line) as Trial)
}
