/** Compiles what a private server is preloaded with, once for each machine and user. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

const SOURCE = join(import.meta.dirname, 'session-clock.c')

/** The path of the library; undefined without a C compiler, and then a server has the real clock. */
export function sessionClockLibrary(): string | undefined {
  const version = createHash('sha256').update(readFileSync(SOURCE)).digest('hex').slice(0, 16)
  const folder = join(tmpdir(), `norn-session-clock-${userInfo().uid}`)
  const library = join(folder, `${version}.so`)
  if (existsSync(library)) return library
  // The user of the server reads it.
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const part = join(folder, `${process.pid}.so`)
  try {
    execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', part, SOURCE, '-ldl'], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  chmodSync(part, 0o755)
  renameSync(part, library)
  return library
}
