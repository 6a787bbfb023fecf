/**
 * Intercepts the working directory of the process. A program may replace `process.cwd`, as
 * graceful-fs does to cache it; relative paths still resolve against the directory itself.
 *
 * Follows lib/internal/bootstrap/switches/does_own_process_state.js and chdir(2): links are
 * resolved, non-directories rejected.
 */

import fs from 'node:fs'
import { resolve } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import type { Interceptor } from '../loop/interceptor.ts'
import type { OsProcess } from '../loop/os-process.ts'
import { type Activity, define } from '../realm/replace.ts'

interface WorkingDirectory {
  /** Absolute. */
  current(): string
}

// Captured now: the program may replace these; they read the execution's files all the same.
const { native: realpath } = fs.realpathSync
const { statSync } = fs

export interface WorkingDirectoryHost extends Activity {
  /** The running process. */
  running(): OsProcess
  /** Called before the body's process leaves a directory. */
  leaving(directory: string): void
}

export const workingDirectory: Interceptor<WorkingDirectoryHost, { cwd(): string }> = {
  name: 'working directory',
  install: (host) => ({ provides: { cwd: interceptWorkingDirectory(host).current } }),
}

function interceptWorkingDirectory(host: WorkingDirectoryHost): WorkingDirectory {
  const { cwd, chdir } = process
  const current = () => (host.active() ? host.running().directory : undefined) ?? cwd.call(process)
  define(process, 'cwd', current)
  define(process, 'chdir', (wanted: string) => {
    // Node itself rejects a non-string.
    if (!host.active() || typeof wanted !== 'string') return chdir.call(process, wanted)
    const before = current()
    // The native side reads to the first NUL; an empty path names nothing.
    const [path = ''] = wanted.split('\0')
    try {
      if (path === '') throw Object.assign(new Error(), { code: 'ENOENT', errno: -2 })
      const target = realpath(resolve(before, path))
      if (!statSync(target).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR', errno: -20 })
      if (host.running().isFirst) host.leaving(before)
      host.running().directory = target
    } catch (error) {
      const { code, errno } = error as NodeJS.ErrnoException
      const [, description] = getSystemErrorMap().get(errno!) ?? []
      const message = `${code}: ${description}, chdir '${before}' -> '${path}'`
      throw Object.assign(new Error(message), { errno, code, syscall: 'chdir', path: before, dest: path })
    }
  })
  return { current }
}
