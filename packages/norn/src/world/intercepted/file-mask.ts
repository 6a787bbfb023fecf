/**
 * Intercepts `process.umask`: every execution starts with the same mask, so that the modes of its
 * files do not depend on who calls norn. The mask of the real process never changes.
 */
import { type Control, define } from '../replace.ts'

const USUAL_MASK = 0o022

export interface FileMask {
  current(): number
  reset(): void
}

export function interceptFileMask(host: Control): FileMask {
  const umask = process.umask.bind(process) as (...args: readonly unknown[]) => number
  let mask = USUAL_MASK
  define(process, 'umask', (...args: readonly [mask?: unknown]) => {
    if (!host.active()) return umask(...args)
    const before = mask
    if (args[0] !== undefined) {
      // Node checks and parses the argument, and returns it when the real mask is put back.
      const real = umask(...args)
      mask = umask(real)
    }
    return before
  })
  return {
    current: () => (host.active() ? mask : umask()),
    reset: () => {
      mask = USUAL_MASK
    },
  }
}
