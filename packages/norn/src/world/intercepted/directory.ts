/**
 * Owns the working directory. It is the directory of the process, not what `process.cwd` answers: a program may replace
 * that function, as graceful-fs does to remember its answers, and relative paths still start where they did.
 *
 * Follows lib/internal/bootstrap/switches/does_own_process_state.js and chdir(2): links are resolved, and what is no
 * directory is refused.
 */
import fs from 'node:fs'
import { resolve } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import { type Activity, define } from '../replace.ts'

export interface WorkingDirectory {
  /** Absolute. */
  current(): string
  /** Back to that of the real process. */
  reset(): void
}

// The program may replace these too; they work on the files of the execution all the same.
const { native: realpath } = fs.realpathSync
const { statSync } = fs

export interface WorkingDirectoryHost extends Activity {
  /** The program is about to leave this directory. */
  leaving(directory: string): void
}

export function interceptWorkingDirectory(host: WorkingDirectoryHost): WorkingDirectory {
  let directory: string | undefined
  const { cwd, chdir } = process
  const current = () => (host.active() && directory !== undefined ? directory : cwd.call(process))
  define(process, 'cwd', current)
  define(process, 'chdir', (wanted: string) => {
    // What is no text is refused before anything happens, by Node itself.
    if (!host.active() || typeof wanted !== 'string') return chdir.call(process, wanted)
    const before = current()
    // The native side reads up to the first zero; an empty path names nothing.
    const [path = ''] = wanted.split('\0')
    try {
      if (path === '') throw Object.assign(new Error(), { code: 'ENOENT', errno: -2 })
      const target = realpath(resolve(before, path))
      if (!statSync(target).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR', errno: -20 })
      host.leaving(before)
      directory = target
    } catch (error) {
      const { code, errno } = error as NodeJS.ErrnoException
      const [, description] = getSystemErrorMap().get(errno!) ?? []
      const message = `${code}: ${description}, chdir '${before}' -> '${path}'`
      throw Object.assign(new Error(message), { errno, code, syscall: 'chdir', path: before, dest: path })
    }
  })
  return {
    current,
    reset() {
      directory = undefined
    },
  }
}
