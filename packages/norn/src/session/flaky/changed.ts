/** Which files of tests have changed since a commit, or load a file that has. */
import { execFileSync } from 'node:child_process'
import { relative, resolve } from 'node:path'
import { UsageError } from '../errors.ts'
import { filesOf } from './memory.ts'

/**
 * Those of which nothing is known count as changed.
 *
 * @param files paths of files of tests, relative to the root
 * @throws UsageError if git does not know the commit
 */
export function changedSince(commit: string, root: string, files: readonly string[]): readonly string[] {
  const changed = new Set([
    ...git(root, commit, ['diff', '--name-only', '--relative', '-z', commit, '--']),
    ...git(root, commit, ['ls-files', '--others', '--exclude-standard', '-z']),
  ])
  return files.filter((file) => {
    const own = relative(root, resolve(root, file))
    const loaded = filesOf(root, own)
    return loaded === undefined || [own, ...loaded].some((each) => changed.has(each))
  })
}

function git(root: string, commit: string, args: readonly string[]): string[] {
  // An option of git is no commit.
  if (commit.startsWith('-')) throw new UsageError(`--changed: not a commit: ${commit}`)
  try {
    const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    return output.split('\0').filter((path) => path !== '')
  } catch (error) {
    const [why = ''] = `${(error as { stderr?: string }).stderr ?? (error as Error).message}`.trim().split('\n')
    throw new UsageError(`--changed ${commit}: ${why}`)
  }
}
