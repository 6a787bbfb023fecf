/** The modules of a repository that a first property is worth writing for. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'

const SOURCES = '**/*.{ts,mts,cts,tsx,js,mjs,cjs,jsx}'
const ELSEWHERE = [
  ...['node_modules', 'dist', 'build', 'out', 'coverage', 'test', 'tests', '__tests__', '__mocks__', 'fixtures'],
  ...['example', 'examples', 'bench', 'benchmark', 'benchmarks', 'scripts', 'docs', 'vendor'],
].map((folder) => `**/${folder}/**`)
const NO_MODULES = ['**/*.{test,spec,fuzz,bench,stories,config,d}.*', '**/.*']

const EXPORTS = /^\s*export\b|\bmodule\.exports\b|\bexports[.[]/m
/** Signs of what norn decides the order of. */
const ASYNCHRONOUS =
  /\basync\b|\bawait\b|\bPromise\b|\.then\(|\bcallback\b|\b(?:cb|done|next)\)|\bset(?:Timeout|Interval|Immediate)\b|\bEventEmitter\b/g

const MOST_FILES = 2000

/** Paths of those that seem to export something, relative to the repository: the most asynchronous ones first. */
export function candidates(root: string): readonly string[] {
  const files = globSync(SOURCES, { cwd: root, ignore: [...ELSEWHERE, ...NO_MODULES], followSymbolicLinks: false })
  return files
    .sort()
    .slice(0, MOST_FILES)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => EXPORTS.test(text))
    .map(({ path, text }) => ({ path, signs: text.match(ASYNCHRONOUS)?.length ?? 0 }))
    .sort((one, other) => other.signs - one.signs)
    .map(({ path }) => path)
}
