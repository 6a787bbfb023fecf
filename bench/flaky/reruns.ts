/** What people do without norn: run the test again, as it is, beside a busy machine, or with delays. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { runOwnRunner } from './runners.ts'
import type { Runner } from './subjects.ts'

const BUSY_LOOPS = 8
const DELAYS = resolve(import.meta.dirname, 'delays.cjs')

export type Rerun = 'plain' | 'loaded' | 'delayed'

export interface Reruns {
  readonly runs: number
  readonly failed: number
  readonly ms: number
}

/** @param args of the runner, which choose the test */
export async function rerun(
  runner: Runner,
  root: string,
  args: readonly string[],
  runs: number,
  how: Rerun,
): Promise<Reruns> {
  const env: Record<string, string> = how === 'delayed' ? { NODE_OPTIONS: `--require=${DELAYS}` } : {}
  const loops = how === 'loaded' ? Array.from({ length: BUSY_LOOPS }, busyLoop) : []
  let failed = 0
  let ms = 0
  try {
    for (let run = 0; run < runs; run++) {
      const own = await runOwnRunner(runner, root, args, env)
      ms += own.ms
      if ([...own.value.values()].includes('failed')) failed++
    }
  } finally {
    await Promise.all(loops.map(end))
  }
  return { runs, failed, ms }
}

function busyLoop(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
