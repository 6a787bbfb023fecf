/**
 * The language as it was when norn was loaded, for what runs while a program does: it may have deleted or replaced any
 * of these, and set how stacks are made.
 */
export const { Error: RealError, Map: RealMap } = globalThis

const { set, deleteProperty, getOwnPropertyDescriptor } = Reflect

/** Frames that a stack of norn's own has to have to reach the program. */
const FRAMES = 40

/** The stack here, made without the program's `Error.prepareStackTrace` and whatever limit it set. */
export function stackHere(): string {
  const limit = getOwnPropertyDescriptor(RealError, 'stackTraceLimit')?.value as unknown
  const prepare = getOwnPropertyDescriptor(RealError, 'prepareStackTrace')?.value as unknown
  if (limit !== FRAMES) set(RealError, 'stackTraceLimit', FRAMES)
  if (prepare !== undefined) set(RealError, 'prepareStackTrace', undefined)
  try {
    return new RealError('origin').stack ?? ''
  } finally {
    if (limit === undefined) deleteProperty(RealError, 'stackTraceLimit')
    else if (limit !== FRAMES) set(RealError, 'stackTraceLimit', limit)
    if (prepare !== undefined) set(RealError, 'prepareStackTrace', prepare)
  }
}
