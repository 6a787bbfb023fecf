/**
 * The language as it was when norn loaded, for norn's code that runs while a program does: the
 * program may delete or replace any of it, and may set how stacks are captured.
 */
export const { Error: RealError, Map: RealMap } = globalThis

const { set, deleteProperty, getOwnPropertyDescriptor } = Reflect

/** Frames kept of an origin: enough to reach the program below `fetch`, which dials 60 calls deep. */
const FRAMES = 80

/**
 * An error whose stack has the full length whatever limit the program set. V8 formats it on first
 * read.
 */
export function errorHere(): Error {
  const limit = getOwnPropertyDescriptor(RealError, 'stackTraceLimit')?.value as unknown
  if (limit === FRAMES) return new RealError('origin')
  set(RealError, 'stackTraceLimit', FRAMES)
  try {
    return new RealError('origin')
  } finally {
    if (limit === undefined) deleteProperty(RealError, 'stackTraceLimit')
    else set(RealError, 'stackTraceLimit', limit)
  }
}
