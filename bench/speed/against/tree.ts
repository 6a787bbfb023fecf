/**
 * Another revision of this repository, checked out beside it for as long as a comparison takes.
 *
 * Its dependencies are those that are installed here, but for the packages of the workspace, which
 * are its own.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { UsageError } from '../../suite.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
/** The revision that later ones are compared with, unless a tag is newer. */
const FILE = resolve(import.meta.dirname, 'revision')

/** The last tag that this revision descends from; without a tag, the revision named in the file. */
export function lastRevision(): string {
  try {
    return git('describe', '--tags', '--abbrev=0')
  } catch {
    return readFileSync(FILE, 'utf8').trim()
  }
}

/**
 * Calls an action with the folder of a revision, and removes the folder afterwards.
 *
 * @throws UsageError if the repository here does not have the revision
 */
export async function withTree<Result>(
  revision: string,
  action: (tree: string, commit: string) => Promise<Result>,
): Promise<Result> {
  const commit = commitOf(revision)
  const folder = mkdtempSync(join(tmpdir(), 'norn-revision-'))
  const tree = join(folder, 'tree')
  try {
    git('worktree', 'add', '--quiet', '--detach', tree, commit)
    linkDependencies(tree)
    return await action(tree, commit)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    git('worktree', 'prune')
  }
}

function commitOf(revision: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`)
  } catch {
    throw new UsageError(
      `--against: this repository has no revision ${revision}. In a shallow clone, run \`git fetch --unshallow --tags\``,
    )
  }
}

function linkDependencies(tree: string): void {
  const installed = join(ROOT, 'node_modules')
  const linked = join(tree, 'node_modules')
  mkdirSync(linked)
  for (const name of readdirSync(installed)) {
    // Packages of the workspace are links.
    if (!lstatSync(join(installed, name)).isSymbolicLink()) symlinkSync(join(installed, name), join(linked, name))
  }
  const packages = join(tree, 'packages')
  for (const folder of existsSync(packages) ? readdirSync(packages) : []) {
    const declared = join(packages, folder, 'package.json')
    if (!existsSync(declared)) continue
    const { name } = JSON.parse(readFileSync(declared, 'utf8')) as { name: string }
    symlinkSync(join(packages, folder), join(linked, name))
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}
