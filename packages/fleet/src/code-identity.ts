/**
 * The code of a checkout, by which shards find workers that have the same: the commit, what was changed
 * since, and the lockfile. A worker takes only shards that were made for its own.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { currentCommit, propertyFiles, UsageError, version } from 'norn/internal/session'

const LOCKFILES = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock']
const MAX_DIFF_BYTES = 256 * 1024 * 1024
const HASH_LENGTH = 16

export interface CodeIdentity {
  /** Equal for the same code. */
  readonly hash: string
  /** For people: the commit, and whether files were changed since. */
  readonly text: string
}

/** What norn writes is not code. */
const NOT_NORNS = [':(top)', ':(exclude,top).norn', ':(exclude)**/.norn']
const SOURCE = /\.(?:[cm]?[jt]sx?|json|tla|cfg)$/

/** @param root of the project; without a repository its files of properties count instead of a commit */
export function codeIdentity(root: string): CodeIdentity {
  const hash = createHash('sha256')
  const add = (name: string, content: string | Buffer) => hash.update(`${name}\0${content.length}\0`).update(content)
  const addFile = (name: string) => add(name, readFileSync(join(root, name)))
  add('norn', version())
  for (const name of LOCKFILES) if (existsSync(join(root, name))) addFile(name)
  const commit = currentCommit(root)
  if (commit === undefined) {
    for (const name of filesOfProperties()) addFile(name)
    return { hash: hash.digest('hex').slice(0, HASH_LENGTH), text: 'a folder without a commit' }
  }
  add('commit', commit)
  const changes = git(root, 'diff', 'HEAD', '--no-ext-diff', '--no-color', '--', ...NOT_NORNS)
  add('changes', changes)
  const others = git(root, 'ls-files', '--others', '--exclude-standard', '-z', '--', '.', ...NOT_NORNS.slice(1))
  const sources = others.split('\0').filter((name) => SOURCE.test(name))
  for (const name of sources) addFile(name)
  const isClean = changes === '' && sources.length === 0
  const text = `commit ${commit.slice(0, 10)}${isClean ? '' : ' with changes that are not committed'}`
  return { hash: hash.digest('hex').slice(0, HASH_LENGTH), text }
}

function filesOfProperties(): readonly string[] {
  try {
    return propertyFiles([])
  } catch (error) {
    if (error instanceof UsageError) return []
    throw error
  }
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: MAX_DIFF_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
