/**
 * Interrupts code that blocks the thread: on Ctrl-C, and after a time limit.
 *
 * Exploration checks its bounds between states, but a single expression may take forever. Node's
 * watchdog for scripts (`vm`, in its own thread) can interrupt any JavaScript, so exploration needs
 * no worker.
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
