/** Real time as a worker's owner sees it: a seam, so that tests need not wait for a hang. */
export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number
  /** Calls an action at an interval until what it returns is called. */
  every(ms: number, action: () => void): () => void
}

export const REAL_CLOCK: Clock = {
  now: () => performance.now(),
  every(ms, action) {
    const timer = setInterval(action, ms)
    return () => clearInterval(timer)
  },
}
