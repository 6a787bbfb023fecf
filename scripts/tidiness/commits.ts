/** The subjects of commits, as `git log` and other lists of commits show them. */
import { spawnSync } from 'node:child_process'
import type { Problem } from './sources.ts'

export const MAX_SUBJECT = 72

/** The last commit before the rule; 36 subjects up to it are longer. */
const BEFORE_THE_RULE = '76605d3c0758272c8d5b0459fd808058ee205ab0'

/** @returns undefined where the history is missing, as in a shallow clone or an archive */
export function longSubjects(root: string, since = BEFORE_THE_RULE): Problem[] | undefined {
  const { status, stdout } = spawnSync('git', ['log', '--no-merges', '--format=%h %s', `${since}..HEAD`], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  return status === 0 ? subjectsTooLong(stdout.split('\n')) : undefined
}

/** @param commits one a line: its hash, a space, its subject */
export function subjectsTooLong(commits: readonly string[]): Problem[] {
  return commits.flatMap((commit) => {
    const [, hash = '', subject = ''] = /^(\S+) (.*)$/.exec(commit) ?? []
    return subject.length > MAX_SUBJECT ? [{ where: hash, what: `the subject has ${subject.length} letters` }] : []
  })
}
