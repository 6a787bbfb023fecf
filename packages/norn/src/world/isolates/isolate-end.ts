/** How an isolate beside the body's ends by itself: `beforeExit`, `exit`, and its exit code. */
import process from 'node:process'
import type { Isolate } from '../loop/isolate.ts'
import { callFromTop, drainTicks } from '../realm/callback-scope.ts'

/** The exit code of a script whose top-level await never settles. */
const UNSETTLED = 13

const holder = process as unknown as { _exiting: boolean }

export function emitExit(code: number): void {
  if (holder._exiting) return
  holder._exiting = true
  process.emit('exit', code)
}

/**
 * The running isolate has an error that none of its listeners took: its listeners of `exit` run, unless it is one of
 * them that threw.
 *
 * @param ofExit the exit code if a listener of `exit` threw and none is set
 */
export function emitFailure(code: number, ofExit: number): void {
  if (holder._exiting) {
    process.exitCode ??= ofExit
    return
  }
  process.exitCode = code
  if (code !== 1) return
  try {
    emitExit(code)
  } catch {
    // The first error counts.
  }
}

/**
 * The running isolate has nothing left to run.
 *
 * @param isAlive whether a listener gave it more
 *
 * @param isUnfinished whether its script has not finished
 */
export function endByItself(
  isolate: Isolate,
  isAlive: () => boolean,
  isUnfinished: boolean,
  caught: (error: unknown) => void,
): void {
  const call = (action: () => void) => {
    callFromTop(action, caught)
    drainTicks(caught)
  }
  const code = () => Number(process.exitCode ?? 0)
  call(() => process.emit('beforeExit', code()))
  if (isolate.hasEnded || isAlive()) return
  if (isUnfinished) process.exitCode ??= UNSETTLED
  call(() => emitExit(code()))
  isolate.exitCode ??= code()
}
