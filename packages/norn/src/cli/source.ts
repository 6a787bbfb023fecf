/** What is read of the project's sources around a finding: the lines of a failure, and the commit. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionResult } from '../contract/execution.ts'
import { excerpt } from '../report/excerpt.ts'
import type { Style } from '../report/style.ts'

/** The source around the innermost frame that is the project's own; nothing where there is none, or no such file. */
export function excerptOf({ failure }: ExecutionResult, root: string, style: Style): string[] {
  const frame = failure?.frames.find(({ file }) => !file.includes('node_modules/'))
  if (frame === undefined) return []
  try {
    return excerpt(readFileSync(join(root, frame.file), 'utf8'), frame.line, style)
  } catch {
    return []
  }
}

/** The commit that the project stands at; undefined outside a repository, or without git. */
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
