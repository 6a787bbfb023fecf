/**
 * Runs something that keeps the thread to itself, and ends it from outside: on Ctrl-C at once, and when its time is up.
 *
 * Exploration asks between states whether to stop; but one expression may take for ever, and then nobody asks. Node's own watchdog
 * for scripts (`vm`, which runs in a thread of its own) can end any JavaScript, so exploring needs no worker.
 */
import { Script } from 'node:vm'

const NAME = Symbol.for('norn.tla.watched')
const script = new Script(`globalThis[Symbol.for('norn.tla.watched')]()`)

/** How it ended: what it returned, or why it was ended. */
export type Watched<Result> =
  | { readonly ended: 'returned'; readonly result: Result }
  | { readonly ended: 'time' | 'interrupted' }

/**
 * @param limitMs after which it is ended; undefined: never
 * @param isInterruptible whether Ctrl-C ends it; else that does what it does to the process
 */
export function watched<Result>(
  run: () => Result,
  limitMs: number | undefined,
  isInterruptible = true,
): Watched<Result> {
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
