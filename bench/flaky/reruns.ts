/** What people do without a tool: run the test again, as it is or beside a busy machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { runOwnRunner } from './runners.ts'
import type { Runner } from './subjects.ts'

const BUSY_LOOPS = 8

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
  isLoaded: boolean,
): Promise<Reruns> {
  const loops = isLoaded ? Array.from({ length: BUSY_LOOPS }, busyLoop) : []
  let failed = 0
  let ms = 0
  try {
    for (let run = 0; run < runs; run++) {
      const own = await runOwnRunner(runner, root, args)
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
