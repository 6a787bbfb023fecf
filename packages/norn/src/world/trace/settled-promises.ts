/**
 * Promises that the program settles by a call, `resolve(…)` or `reject(…)`, in a later step than the
 * one that made them: a queue, a lock or an abort lets somebody go on. Promises of async functions
 * and of `then`, and those resolved with another promise, only follow, so they are left out.
 *
 * For reports only. V8 calls the hooks synchronously: no order of ticks or microtasks changes.
 */

import { types } from 'node:util'
import { promiseHooks } from 'node:v8'
import { cut } from '../../contract/text.ts'
import type { Note } from '../../contract/trace.ts'
import { internalBinding } from '../../loader/internals.ts'
import type { Step } from '../loop/causality.ts'
import { errorHere, RealMap } from '../realm/language.ts'
import { callsBuiltin } from '../realm/stack.ts'

/** Bounds on the promises that are followed at a time, and that are noted: each keeps a stack. */
const MAX_PENDING = 10_000
const MAX_NOTED = 10_000

const MAX_VALUE = 24

const { getPromiseDetails, constants } = internalBinding<{
  getPromiseDetails(promise: Promise<unknown>): [state: number, result?: unknown]
  constants: Record<'kPending' | 'kRejected', number>
}>('util')

interface Creation {
  readonly step: Step
  /** A number among the promises of that step. */
  readonly ordinal: number
  readonly stack: Error
}

export interface Settled {
  readonly promise: Promise<unknown>
  readonly creation: Creation
  /** The stack that settled it. */
  readonly stack: Error
}

/**
 * Follows promises until the returned function is called.
 *
 * @param current the running step of the program; undefined while the program does not run
 * @param onSettled called with the step that settles a promise of another step
 */
export function followPromises(
  current: () => Step | undefined,
  onSettled: (by: Step, settled: Settled) => void,
): () => void {
  const pending = new RealMap<Promise<unknown>, Creation>()
  const counts = new RealMap<Step, number>()
  let noted = 0
  const onInit = quiet((promise) => {
    const step = current()
    if (step === undefined || noted >= MAX_NOTED || pending.size >= MAX_PENDING) return
    const ordinal = counts.get(step) ?? 0
    counts.set(step, ordinal + 1)
    pending.set(promise, { step, ordinal, stack: errorHere() })
  })
  const onSettle = quiet((promise) => {
    const creation = pending.get(promise)
    if (creation === undefined) return
    pending.delete(promise)
    const by = current()
    if (by === undefined || by === creation.step || noted++ >= MAX_NOTED) return
    onSettled(by, { promise, creation, stack: errorHere() })
  })
  // Not `createHook`: what it returns iterates over an array, which the program may have broken.
  const stopInit = promiseHooks.onInit(onInit) as () => void
  const stopSettled = promiseHooks.onSettled(onSettle) as () => void
  return () => {
    stopInit()
    stopSettled()
  }
}

/** Node would report an error of a hook as one of the program, which may have broken what the hook needs. */
function quiet(hook: (promise: Promise<unknown>) => void) {
  return (promise: Promise<unknown>) => {
    try {
      hook(promise)
    } catch {}
  }
}

/**
 * The note with how the promise was settled; undefined if the program did not call for it. For
 * executions that have ended: V8 formats the stack, and the hook runs before the promise has a value.
 */
export function settlementNote(note: Note, { promise, stack }: Settled): Note | undefined {
  if (!callsBuiltin(stack.stack ?? '')) return undefined
  const [state, result] = getPromiseDetails(promise)
  const value = state === constants.kPending ? undefined : valueText(result)
  const event = state === constants.kRejected ? 'reject' : 'resolve'
  return { ...note, event, ...(value === undefined ? {} : { value }) }
}

function valueText(value: unknown): string | undefined {
  if (typeof value === 'string') return JSON.stringify(cut(value, MAX_VALUE))
  if (types.isNativeError(value) || value instanceof DOMException) return nameOf(value)
  const isOpaque = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return isOpaque ? undefined : String(value)
}

function nameOf(error: Error): string {
  try {
    return cut(String(error.name), MAX_VALUE)
  } catch {
    return 'an error'
  }
}
