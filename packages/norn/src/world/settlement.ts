/**
 * Whether what a program was called for has settled, and how.
 *
 * Follows `await`: a thenable settles by the promise that adopts it, anything else at once.
 */
export type Settlement =
  | { readonly how: 'fulfilled'; readonly value: unknown }
  | { readonly how: 'rejected'; readonly error: unknown }

// A program may break what it likes of promises: whether its own has settled is asked of the language as it was.
const { then } = Promise.prototype
const resolve = Promise.resolve.bind(Promise)
const { apply } = Reflect

/** Calls an action. What comes back tells how it has settled, or undefined while it has not. */
export function settlementOf(action: () => unknown): () => Settlement | undefined {
  let settlement: Settlement | undefined
  const fulfil = (value: unknown) => {
    settlement = { how: 'fulfilled', value }
  }
  const reject = (error: unknown) => {
    settlement = { how: 'rejected', error }
  }
  try {
    const value = action()
    if (isThenable(value)) apply(then, resolve(value), [fulfil, reject])
    else fulfil(value)
  } catch (error) {
    reject(error)
  }
  return () => settlement
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && 'then' in value
}
