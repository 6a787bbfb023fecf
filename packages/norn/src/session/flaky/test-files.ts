/**
 * The files of tests that a project's runner would run: those of its configuration or of the runner's
 * defaults, from the working directory.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { globSync, isDynamicPattern } from 'tinyglobby'
import { MOCHA } from '../../frameworks/configuration-entries.ts'
import { projectsAt, runsInNode } from '../../frameworks/projects.ts'
import { type ScriptCall, scriptCall, testScripts } from '../../frameworks/script-call.ts'
import { selectionOf, type TestSelection } from '../../frameworks/test-selection.ts'
import { UsageError } from '../errors.ts'

const ALWAYS_IGNORED = ['**/node_modules/**', '**/.git/**', '**/.norn/**', '**/*.fuzz.*']

const BY_TITLE = '**/*.{test,spec}.?(c|m)[jt]s?(x)'

/** The runners' own defaults, and how their calls are recognised in the script `test` of a project. */
const RUNNERS = {
  vitest: { call: /\bvitest\b/, include: [BY_TITLE], exclude: ['**/dist/**', '**/cypress/**'], takesPatterns: false },
  jest: {
    call: /\bjest\b|\breact-scripts\s+test\b/,
    include: ['**/__tests__/**/*.?(c|m)[jt]s?(x)', BY_TITLE],
    exclude: [],
    takesPatterns: false,
  },
  mocha: { call: MOCHA, include: ['test/*.{js,cjs,mjs,ts}'], exclude: [], takesPatterns: true },
  ava: {
    call: /\bava\b/,
    include: [
      'test.{js,cjs,mjs}',
      '{src,source}/test.{js,cjs,mjs}',
      '**/__tests__/**/*.{js,cjs,mjs}',
      '**/*.test.{js,cjs,mjs}',
      '**/test-*.{js,cjs,mjs}',
      '**/test/**/*.{js,cjs,mjs}',
      '**/tests/**/*.{js,cjs,mjs}',
    ],
    exclude: ['**/__tests__/**/{_*,fixtures,helpers}/**', '**/test/**/{fixtures,helpers}/**', '**/_*/**', '**/_*'],
    takesPatterns: true,
  },
  tape: {
    call: /\btape\b/,
    include: ['test/**/*.{js,cjs,mjs}', 'test.{js,cjs,mjs}'],
    exclude: ['**/fixtures/**'],
    takesPatterns: true,
  },
  tap: {
    call: /\btap\b/,
    include: [
      '{test,tests,__tests__}/**/*.?(c|m)[jt]s?(x)',
      '**/*.{test,tests,spec}.?(c|m)[jt]s?(x)',
      'test.?(c|m)[jt]s',
    ],
    exclude: ['**/{fixtures,fixture,helpers,tap-snapshots}/**'],
    takesPatterns: true,
  },
  node: {
    call: /\bnode\b.*\s--test\b|\bborp\b/,
    include: [
      BY_TITLE,
      '**/*[._-]test.?(c|m)[jt]s',
      '**/test-*.?(c|m)[jt]s',
      '**/test.?(c|m)[jt]s',
      '**/test/**/*.?(c|m)[jt]s',
    ],
    exclude: ['**/fixtures/**'],
    takesPatterns: true,
  },
} as const

type Runner = keyof typeof RUNNERS

/**
 * @param named files, folders and globs; none: what the project's runner would run
 * @param folder the working directory
 * @throws UsageError
 */
export function testFiles(named: readonly string[], folder: string): readonly string[] {
  const { runner, patterns } = runnerOf(folder)
  if (named.length === 0) {
    const files = filesOf(runner, patterns, folder)
    if (files.length === 0)
      throw new UsageError(
        `no files of tests in ${folder} as ${nameOf(runner)} looks for them: name the files or folders`,
      )
    return files
  }
  return [...new Set(named.flatMap((path) => filesNamed(path, runner, folder)))]
}

function filesNamed(path: string, runner: Runner | undefined, folder: string): readonly string[] {
  if (!existsSync(path) && !isDynamicPattern(path)) throw new UsageError(`no such file or folder: ${path}`)
  if (isDynamicPattern(path)) {
    const found = glob([path], [], folder)
    if (found.length === 0) throw new UsageError(`no file matches ${path}`)
    return found
  }
  const own = glob([path.replaceAll('\\', '/')], [], folder)
  if (own.length > 0) return [path]
  const below = filesOf(runner, [], join(folder, path)).map((file) => join(path, file))
  if (below.length === 0) throw new UsageError(`no files of tests in the folder ${path}`)
  return below
}

function filesOf(runner: Runner | undefined, patterns: readonly string[], folder: string): readonly string[] {
  const defaults = runner === undefined ? { include: [BY_TITLE], exclude: [] } : RUNNERS[runner]
  const selections = projectsAt(resolve(folder)).filter(runsInNode).map(selectionOf)
  return [...new Set(selections.flatMap((each) => filesIn(each, defaults, patterns, resolve(folder))))].sort()
}

/** Below a folder, and relative to it. */
function filesIn(
  { folder: root, include, exclude, matches }: TestSelection,
  defaults: { readonly include: readonly string[]; readonly exclude: readonly string[] },
  patterns: readonly string[],
  folder: string,
): readonly string[] {
  const asked = patterns.length > 0 ? patterns : include.length > 0 ? include : defaults.include
  // Globs of a configuration are from its own folder.
  const isBelow = !relative(root, folder).startsWith('..')
  const from = isBelow && asked !== include ? folder : root
  return glob(asked, [...defaults.exclude, ...exclude], from)
    .map((file) => join(from, file))
    .filter(matches)
    .map((path) => relative(folder, path))
    .filter((file) => !file.startsWith('..'))
}

function glob(patterns: readonly string[], ignore: readonly string[], cwd: string): string[] {
  const options = { cwd, ignore: [...ALWAYS_IGNORED, ...ignore], followSymbolicLinks: false, expandDirectories: false }
  return globSync(
    patterns.map((pattern) => pattern.replace(/^\.\//, '')),
    options,
  ).sort()
}

/** The runner of a project, and the patterns that its script `test` hands it. */
function runnerOf(folder: string): { readonly runner: Runner | undefined; readonly patterns: readonly string[] } {
  const { scripts = {}, devDependencies = {}, dependencies = {} } = packageOf(folder)
  const names = Object.keys(RUNNERS) as Runner[]
  for (const script of testScripts(scripts)) {
    const runner = names.find((name) => RUNNERS[name].call.test(script))
    if (runner === undefined) continue
    const call = RUNNERS[runner].takesPatterns ? scriptCall(script, RUNNERS[runner].call) : undefined
    return { runner, patterns: call === undefined ? [] : patternsIn(call, folder) }
  }
  return { runner: names.find((name) => name in { ...devDependencies, ...dependencies }), patterns: [] }
}

/** Files, folders and globs; words of a shell mean other things. */
function patternsIn({ words, options }: ScriptCall, folder: string): readonly string[] {
  return [...words, ...(options.spec ?? [])].flatMap((word) => {
    if (/\.[cm]?[jt]sx?$|\*/.test(word)) return [word]
    if (!isFolder(join(folder, word))) return []
    const below = 'recursive' in options ? '**/*' : '*'
    return [`${word.replace(/\/$/, '')}/${below}.{js,cjs,mjs,ts}`]
  })
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

interface Package {
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: object
  readonly devDependencies?: object
}

function packageOf(folder: string): Package {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package
  } catch {
    return {}
  }
}

function nameOf(runner: Runner | undefined): string {
  return runner === undefined ? 'test runners' : runner === 'node' ? 'node:test' : runner
}
