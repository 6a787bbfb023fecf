/**
 * Intercepts `process.umask`: every process starts with the same mask, or its parent's, so that the modes of its
 * files do not depend on who calls norn. The mask of the real process never changes.
 */
import type { Interceptor } from '../loop/interceptor.ts'
import type { OsProcess } from '../loop/os-process.ts'
import { type Control, define } from '../realm/replace.ts'

export interface FileMask {
  current(): number
}

export interface FileMaskHost extends Control {
  /** The running process. */
  running(): OsProcess
}

export const fileMask: Interceptor<FileMaskHost, { umask(): number }> = {
  name: 'file mask',
  install: (host) => ({ provides: { umask: interceptFileMask(host).current } }),
}

export function interceptFileMask(host: FileMaskHost): FileMask {
  const umask = process.umask.bind(process) as (...args: readonly unknown[]) => number
  define(process, 'umask', (...args: readonly [mask?: unknown]) => {
    if (!host.active()) return umask(...args)
    const before = host.running().mask
    if (args[0] !== undefined) {
      // Node checks and parses the argument, and returns it when the real mask is put back.
      const real = umask(...args)
      host.running().mask = umask(real)
    }
    return before
  })
  return { current: () => (host.active() ? host.running().mask : umask()) }
}
