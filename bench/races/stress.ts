/**
 * The baseline `stress`: bodies on the stock loop, with random delays. What one does today without a tool.
 *
 * Each trial is a process of its own (stress-child.ts) that runs its executions side by side, because they sleep for
 * real; found is an execution whose body failed, or an error that nobody caught.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Found } from './main.ts'

const CHILD = fileURLToPath(new URL('./stress-child.ts', import.meta.url))
const TRIAL_MS = 60_000

/** What a trial's process prints, last. */
interface Outcome {
  readonly failures: number
  /** Executions that had ended, in the order of ending, when the first failure was seen; 0 if none was. */
  readonly firstAt: number
  readonly firstMs: number
}

export async function stress(
  file: string,
  aliases: readonly (readonly [string, string])[],
  trials: number,
  runs: number,
): Promise<{ found: Found[]; alarms: number }> {
  const found: Found[] = []
  let alarms = 0
  for (let seed = 1; seed <= trials; seed++) {
    const { failures, firstAt, firstMs } = await trial(file, aliases, seed, runs)
    alarms += failures
    if (failures > 0) found.push({ runs: firstAt, ms: firstMs, choices: 0 })
  }
  return { found, alarms }
}

function trial(
  file: string,
  aliases: readonly (readonly [string, string])[],
  seed: number,
  runs: number,
): Promise<Outcome> {
  const temporary = mkdtempSync(join(tmpdir(), 'norn-stress-'))
  const settings = JSON.stringify({ file, aliases, seed, runs })
  const child = spawn(process.execPath, ['--expose-internals', '--no-warnings', CHILD, settings], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), TRIAL_MS)
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8')
  })
  return new Promise((resolve, reject) => {
    child.on('close', () => {
      clearTimeout(timer)
      rmSync(temporary, { recursive: true, force: true })
      const line = printed.trim().split('\n').at(-1) ?? ''
      try {
        resolve(JSON.parse(line) as Outcome)
      } catch {
        reject(new Error(`the stress trial of ${file} printed no outcome: ${printed.slice(-500)}`))
      }
    })
  })
}
