/** The project's commit, for saved failures. */
import { execFileSync } from 'node:child_process'

/** Undefined outside a repository, or without git. */
export function currentCommit(root: string): string | undefined {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}
