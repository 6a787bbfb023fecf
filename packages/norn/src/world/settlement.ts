import type { React } from './isolation/promise-hooks.ts'

/**
 * Whether a call into the program has settled, and how. Follows `await`: a thenable settles by the
 * promise that adopts it, anything else at once.
 */
export type Settlement =
  | { readonly how: 'fulfilled'; readonly value: unknown }
  | { readonly how: 'rejected'; readonly error: unknown }

/**
 * Calls an action; returns a function that reports its settlement, or undefined while it is
 * pending.
 */
export function settlementOf(action: () => unknown, react: React): () => Settlement | undefined {
  let settlement: Settlement | undefined
  const fulfil = (value: unknown) => {
    settlement = { how: 'fulfilled', value }
  }
  const reject = (error: unknown) => {
    settlement = { how: 'rejected', error }
  }
  try {
    const value = action()
    if (isThenable(value)) react(value, fulfil, reject)
    else fulfil(value)
  } catch (error) {
    reject(error)
  }
  return () => settlement
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && 'then' in value
}
