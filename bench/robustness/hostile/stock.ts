/** The outcomes of hostile programs on stock Node, over real loopback. */
import { type ChildProcess, fork } from 'node:child_process'
import { resolve } from 'node:path'
import { answer, sideBySide } from '../../processes.ts'
import type { Program } from './program.ts'

const CHILD = resolve(import.meta.dirname, 'stock-child.ts')

/** Programs mostly wait: more processes than cores. */
const PROCESSES = 6

/**
 * Of one run, in real time; a program takes a fraction of a second on an idle machine. One that is
 * never idle, as two ends that echo each other, does not end while the clock stands nearly still.
 */
const RUN_LIMIT_MS = 5_000

/**
 * @param env what Node gets besides, as libraries to preload
 * @returns what each program showed in so many runs, in their order; nothing if these do not end
 */
export async function stockOutcomes(
  programs: readonly Program[],
  runs: number,
  env: NodeJS.ProcessEnv,
): Promise<ReadonlySet<string>[]> {
  const all: Set<string>[] = programs.map(() => new Set())
  const free: ChildProcess[] = []
  await sideBySide([...programs.entries()], PROCESSES, async ([index, program]) => {
    const child = free.pop() ?? fork(CHILD, { execArgv: ['--no-warnings'], env: { ...process.env, ...env } })
    const timer = setTimeout(() => child.kill('SIGKILL'), runs * RUN_LIMIT_MS)
    child.send({ program, runs })
    try {
      for (const outcome of await answer<readonly string[]>(child)) all[index]!.add(outcome)
      free.push(child)
    } catch {
      // Another process runs the next one.
    } finally {
      clearTimeout(timer)
    }
  })
  // What a program left running would keep them alive.
  for (const child of free) child.kill()
  return all
}
