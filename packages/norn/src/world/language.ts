/**
 * The language as it was when norn was loaded, for what runs while a program does: it may have deleted or replaced any
 * of these, and set how stacks are made.
 */
export const { Error: RealError, Map: RealMap } = globalThis

const { set, deleteProperty, getOwnPropertyDescriptor } = Reflect

/** The limit that the process is started with: frames that a stack of norn's own has to have to reach the program. */
const FRAMES = 40

/** An error made here, whose stack is as long as it takes whatever limit the program set. It is written out when asked for. */
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
