/**
 * Jazzer.js as a baseline, where it is installed: libFuzzer calls the same bodies with the first
 * four bytes of its data as the number.
 *
 * It is not a dependency of this repository: not every machine can load its native part. Each round
 * runs in a process of its own, as Jazzer.js does not return from its loop; the start-up time,
 * measured by a round of one run, is subtracted.
 */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const PACKAGE = '@jazzer.js/core'
const ROUND_MS = 120_000

export type JazzerTarget = 'synchronous' | 'asynchronous'

export interface Jazzer {
  /** Executions per second of one round. */
  rate(target: JazzerTarget, runs: number): Promise<number>
}

/** Jazzer.js, or one line about why it cannot run. */
export async function jazzer(): Promise<Jazzer | string> {
  let command: string
  try {
    command = join(dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)), 'dist', 'cli.js')
  } catch {
    return `Jazzer.js is not installed (npm install --no-save ${PACKAGE})`
  }
  const runMs = async (target: JazzerTarget, runs: number): Promise<number> => {
    const file = resolve(import.meta.dirname, 'jazzer-targets.cjs')
    const mode = target === 'synchronous' ? ['--sync'] : []
    const began = performance.now()
    await promisify(execFile)(
      process.execPath,
      [command, file, ...mode, '--fuzzEntryPoint', target, '--', `-runs=${runs}`, '-seed=1'],
      { timeout: ROUND_MS, cwd: import.meta.dirname },
    )
    return performance.now() - began
  }
  try {
    await runMs('synchronous', 1)
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    const [why = message] = stderr.split('\n').filter((line) => /error/i.test(line))
    return `Jazzer.js does not start: ${why.trim()}`
  }
  return {
    async rate(target, runs) {
      const startMs = await runMs(target, 1)
      const ms = (await runMs(target, runs)) - startMs
      return runs / (Math.max(ms, 1) / 1000)
    },
  }
}
