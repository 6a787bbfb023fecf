/** Which files of a project its runner runs as tests, as its configuration says. */
import { matchesGlob, relative, resolve } from 'node:path'
import type { Configuration } from './configuration-entries.ts'

/** Which files are tests, as a configuration says. */
export interface TestSelection {
  /** From where its globs are. */
  readonly folder: string
  /** Globs; empty if it names none. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Whether its regular expressions take a file, by its absolute path. */
  matches(path: string): boolean
  /** Whether it takes a file, where it says anything of that. */
  takes(path: string): boolean
}

export function selectionOf({ folder: root, entries }: Configuration): TestSelection {
  const values = (...names: string[]) =>
    names.flatMap((name) => entries[name] ?? []).map((text) => text.replace(/^<rootDir>\/?/, ''))
  const [wanted, ignored] = [
    expressions(values('testRegex'), root),
    expressions(values('testPathIgnorePatterns'), root),
  ]
  const named = values('include', 'testMatch', 'spec')
  const include = named.length === 0 && wanted.length > 0 ? ['**/*.?(c|m)[jt]s?(x)'] : named
  const exclude = values('exclude', 'ignore')
  const folder = resolve(root, entries.dir?.[0] ?? '')
  const matches = (path: string) =>
    (wanted.length === 0 || wanted.some((each) => each.test(path))) && !ignored.some((each) => each.test(path))
  return {
    folder,
    include,
    exclude,
    matches,
    takes(path) {
      const place = relative(folder, path)
      const fits = (globs: readonly string[]) => globs.some((glob) => matchesGlob(place, glob.replace(/^\.\//, '')))
      return !place.startsWith('..') && (include.length === 0 || fits(include)) && !fits(exclude) && matches(path)
    },
  }
}

/** The regular expressions of a configuration; one that is none takes nothing. */
function expressions(texts: readonly string[], root: string): RegExp[] {
  return texts.flatMap((text) => {
    try {
      return [new RegExp(text.replaceAll('<rootDir>', root))]
    } catch {
      return []
    }
  })
}
