/**
 * Runs something that keeps the thread to itself, and ends it from outside: on Ctrl-C at once, and
 * when its time is up.
 *
 * Exploration checks its bounds between states, but one expression may take for ever. Node's
 * watchdog for scripts (`vm`, in a thread of its own) can end any JavaScript, so exploring needs no
 * worker.
 */
import { Script } from 'node:vm'
import type { Guarded } from '../check/run.ts'

const NAME = Symbol.for('norn.tla.watched')
const script = new Script(`globalThis[Symbol.for('norn.tla.watched')]()`)

/**
 * @param limitMs undefined: no limit
 * @param isInterruptible whether Ctrl-C ends the run; otherwise Ctrl-C acts on the process as usual
 */
export function watched<Result>(
  run: () => Result,
  limitMs: number | undefined,
  isInterruptible = true,
): Guarded<Result> {
  const global = globalThis as { [NAME]?: () => void }
  let result: { readonly value: Result } | undefined
  global[NAME] = () => {
    result = { value: run() }
  }
  try {
    script.runInThisContext({
      breakOnSigint: isInterruptible,
      timeout: limitMs === undefined ? undefined : Math.ceil(limitMs),
    })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return { ended: 'time' }
    if (code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') return { ended: 'interrupted' }
    throw error
  } finally {
    delete global[NAME]
  }
  return { ended: 'returned', result: result!.value }
}
