/** Which files of a project its runner runs as tests, as its configuration says. */
import { nearestEntries } from './configuration-entries.ts'

/** Which files are tests, as a configuration says. */
export interface TestSelection {
  /** Globs; empty if it names none. */
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** Whether its regular expressions take a file, by its absolute path. */
  matches(path: string): boolean
}

/** What the configuration of a project's runner says of its files of tests, for a folder below it. */
export function testSelectionOf(folder: string): TestSelection {
  const { folder: root, entries } = nearestEntries(folder)
  const values = (...names: string[]) =>
    names.flatMap((name) => entries[name] ?? []).map((text) => text.replace(/^<rootDir>\/?/, ''))
  const [wanted, ignored] = [
    expressions(values('testRegex'), root),
    expressions(values('testPathIgnorePatterns'), root),
  ]
  const include = values('include', 'testMatch', 'spec')
  return {
    include: include.length === 0 && wanted.length > 0 ? ['**/*.?(c|m)[jt]s?(x)'] : include,
    exclude: values('exclude', 'ignore'),
    matches: (path) =>
      (wanted.length === 0 || wanted.some((each) => each.test(path))) && !ignored.some((each) => each.test(path)),
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
