/**
 * Declares a program of the suite twice: corrected, and with its race planted. The race is what
 * remains when the correction is left out; otherwise the two are the same program.
 */
import { stat } from 'node:fs/promises'
import { fuzz, type PropertyOptions } from 'norn'

interface Variant {
  readonly isFixed: boolean
  /** Runs actions one at a time in the corrected program; at once where the race is planted. */
  inTurn<Result>(action: () => Promise<Result>): Promise<Result>
}

/** The corrected property comes first in the file, then the planted one. */
export function planted(name: string, body: (variant: Variant) => Promise<void>, options: PropertyOptions = {}): void {
  fuzz(name, {}, () => body(variant(true)), options)
  fuzz(`${name} (race planted)`, {}, () => body(variant(false)), options)
}

function variant(isFixed: boolean): Variant {
  let last: Promise<unknown> = Promise.resolve()
  return {
    isFixed,
    inTurn(action) {
      if (!isFixed) return action()
      const result = last.then(action)
      last = result.catch(() => {})
      return result
    },
  }
}

/** Waits for an operation of the thread pool, whose duration norn chooses. */
export async function pause(): Promise<void> {
  await stat('.')
}

/** A value in a store whose every operation takes a while. */
export function stored<Value>(value: Value) {
  return {
    async read(): Promise<Value> {
      await pause()
      return value
    },
    async write(next: Value): Promise<void> {
      await pause()
      value = next
    },
  }
}
