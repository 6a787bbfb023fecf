/**
 * What the configuration of vitest, jest or mocha says, as far as norn relies on it. Read without running
 * the file, since plugins start servers and read what they like; so a value that is computed is not read.
 */
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { type Expression, type Property, parse } from 'acorn'
import { type DeclaredProject, declaredProjects, isTop } from '../loader/declared-projects.ts'
import { realFiles } from '../loader/real-files.ts'
import { StaticValues } from '../loader/static-value.ts'
import { keyOf, type Node, walk } from '../loader/syntax-tree.ts'
import { scriptCall, testScripts } from './script-call.ts'

/** What a configuration file says: texts by the name of a property. */
export type Entries = Readonly<Record<string, readonly string[]>>

const ENDINGS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json', 'jsonc', 'yaml', 'yml']
const named = (...names: string[]) => names.flatMap((name) => ENDINGS.map((ending) => `${name}.${ending}`))
const FILES = named('vitest.config', 'vite.config', 'jest.config', '.mocharc')
/** Of vitest until version 3. */
const FILES_OF_PROJECTS = named('vitest.workspace', 'vitest.projects')

export const ENVIRONMENTS: readonly string[] = ['environment', 'testEnvironment']
export const SETUPS: readonly string[] = ['setupFiles', 'setupFilesAfterEnv']
/** Modules that run once before all tests. */
export const GLOBAL_SETUP = 'globalSetup'
/** Of mocha, whose names other files use for other things. */
export const OF_MOCHA = {
  setups: ['require', 'file'],
  selections: ['spec', 'ignore'],
  settings: ['timeout', 't', 'retries'],
}
/** Of vitest and jest. */
const SETTINGS: readonly string[] = [
  ...['testTimeout', 'hookTimeout', 'retry', 'concurrent', 'globals', 'requireAssertions'],
  ...['clearMocks', 'resetMocks', 'mockReset', 'restoreMocks', 'unstubEnvs', 'unstubGlobals'],
]
const FURTHER: readonly string[] = ['preset', 'rootDir', GLOBAL_SETUP]
/** Of vitest: what norn's reading of snapshots does not follow. */
export const SNAPSHOT_SETTINGS: readonly string[] = [
  ...['snapshotFormat', 'snapshotSerializers', 'resolveSnapshotPath', 'snapshotEnvironment'],
]

/** Of vitest, in its part `test`; of jest and mocha, anywhere. */
const SELECTIONS: readonly string[] = ['include', 'exclude', 'testMatch', 'testRegex', 'testPathIgnorePatterns']
/** Of vitest, in its part `test`: others have properties of these names, too. */
const OF_TEST: readonly string[] = ['include', 'exclude', 'dir', 'root']

export interface Configuration {
  /** From where its paths are. */
  readonly folder: string
  readonly entries: Entries
  /** Whose configuration it is; undefined if there is none. */
  readonly runner?: 'vitest' | 'jest' | 'mocha' | undefined
  /** The file that it was read in; undefined for what scripts say, and where there is none. */
  readonly file?: string | undefined
  /** What the file says of projects; undefined if it has but one. */
  readonly declared?: readonly ReadProject[] | undefined
}

/** A project, with the entries of what is declared in the file itself. */
export interface ReadProject extends DeclaredProject {
  readonly entries: Entries
}

/** The configuration of the nearest folder that has one. */
export function nearestConfiguration(folder: string): Configuration {
  const found = configurationAt(folder)
  if (found !== undefined) return found
  return dirname(folder) === folder ? { folder, entries: {} } : nearestConfiguration(dirname(folder))
}

/** The configuration of a folder itself. */
export function configurationAt(folder: string): Configuration | undefined {
  const text = textOf(join(folder, 'package.json'))
  const { jest, mocha, called } = text === undefined ? {} : packageEntries(text)
  const file = firstOf(FILES, folder) ?? firstOf(FILES_OF_PROJECTS, folder)
  if (file !== undefined) return configurationIn(file, called)
  if (jest !== undefined) {
    const { entries, declared } = read(`(${JSON.stringify(jest)})`, join(folder, 'package.json'))
    return ofJest(entries, folder, { declared })
  }
  if (mocha !== undefined) {
    const { entries } = read(`(${JSON.stringify(mocha)})`, join(folder, '.mocharc.json'))
    return { folder, entries: together(called, entries), runner: 'mocha' }
  }
  return called && { folder, entries: called, runner: 'mocha' }
}

function firstOf(names: readonly string[], folder: string): string | undefined {
  return names.map((name) => join(folder, name)).find((path) => realFiles.exists(path))
}

/** @param called what a script hands mocha */
export function configurationIn(file: string, called?: Entries): Configuration {
  const runner = runnerOf(file)
  const folder = dirname(file)
  const { entries, declared } = readIn(file)
  if (runner === 'jest') return ofJest(entries, folder, { file, declared })
  if (runner === 'mocha') return { folder, entries: together(called, entries), runner, file }
  const projects = firstOf(FILES_OF_PROJECTS, folder)
  const others = declared === undefined && projects !== undefined ? readIn(projects).declared : declared
  return { folder: rootOf(entries, folder), entries, runner, file, declared: others }
}

/** The folder that the paths of a configuration of vitest are from. */
export function rootOf({ root = [] }: Entries, folder: string): string {
  return resolve(folder, root[0] ?? '')
}

function ofJest(entries: Entries, place: string, of: Pick<Configuration, 'file' | 'declared'>): Configuration {
  const folder = resolve(place, entries.rootDir?.[0] ?? '')
  return { ...of, folder, entries: withPreset(entries, folder), runner: 'jest' }
}

function runnerOf(file: string): 'vitest' | 'jest' | 'mocha' {
  return OF_JEST_FILE.test(file) ? 'jest' : OF_MOCHA_FILE.test(file) ? 'mocha' : 'vitest'
}

const OF_JEST_FILE = /(?:^|[/\\])jest\.config\./
const OF_MOCHA_FILE = /(?:^|[/\\])\.mocharc\./

/** What react-scripts configures by itself. */
const REACT_SCRIPTS = { testEnvironment: 'jsdom', setupFilesAfterEnv: ['./src/setupTests.ts', './src/setupTests.js'] }

interface PackageEntries {
  readonly jest?: object | undefined
  readonly mocha?: object | undefined
  /** What its script hands mocha. */
  readonly called?: Entries | undefined
}

function packageEntries(text: string): PackageEntries {
  try {
    const { jest, mocha, dependencies, scripts } = JSON.parse(text) as {
      jest?: object
      mocha?: object
      dependencies?: Record<string, string>
      scripts?: Record<string, string>
    }
    const called = callOfMocha(scripts ?? {})
    return { mocha, called, jest: dependencies?.['react-scripts'] === undefined ? jest : { ...REACT_SCRIPTS, ...jest } }
  } catch {
    return {}
  }
}

function callOfMocha(scripts: Readonly<Record<string, string>>): Entries | undefined {
  const script = testScripts(scripts).find((each) => MOCHA.test(each) || OTHERS.test(each))
  const call = script === undefined ? undefined : scriptCall(script, MOCHA)
  if (call === undefined) return undefined
  const { options } = call
  const names = [...OF_MOCHA.setups, ...OF_MOCHA.settings]
  const own = names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]] as const]))
  return { ...Object.fromEntries(own), ...('no-timeouts' in options ? { timeout: ['0'] } : {}) }
}

/** How a script calls mocha. */
export const MOCHA = /(?:^|[\s/])_?mocha(?:\.c?js)?(?=$|\s)/

const OTHERS = /\b(?:vitest|jest)\b/

/** The values of the first come first: of settings, they hold. */
export function together(first: Entries = {}, second: Entries): Entries {
  const names = new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries([...names].map((name) => [name, [...(first[name] ?? []), ...(second[name] ?? [])]]))
}

/** Adds what the preset of a configuration of jest says: its modules run first, its settings hold least. */
function withPreset(entries: Entries, folder: string): Entries {
  const preset = entries.preset?.[0]?.replace('<rootDir>', folder)
  const path = preset === undefined ? undefined : presetFile(preset, folder)
  if (path === undefined) return entries
  const given = readIn(path).entries
  const setups = SETUPS.map((name) => [name, [...(given[name] ?? []), ...(entries[name] ?? [])]] as const)
  return { ...together(entries, given), ...Object.fromEntries(setups) }
}

/** A path from the folder, or a package: the file itself, or `jest-preset` in it. */
function presetFile(preset: string, folder: string): string | undefined {
  const require = createRequire(join(folder, 'package.json'))
  const names = ['', ...['json', 'js', 'cjs', 'mjs'].map((ending) => `/jest-preset.${ending}`)]
  if (/^[./]/.test(preset)) {
    const found = names.map((name) => resolve(folder, preset + name))
    return found.find((path) => PRESET.test(path) && realFiles.exists(path))
  }
  for (const name of names.slice(1)) {
    try {
      return require.resolve(preset + name)
    } catch {}
  }
  return undefined
}

const PRESET = /\.(?:json|[cm]?js)$/

interface Read {
  readonly entries: Entries
  readonly declared?: readonly ReadProject[] | undefined
}

/** Nothing where the file does not parse: the runner reports that. */
function readIn(file: string): Read {
  try {
    const text = textOf(file)!
    if (/\.ya?ml$/.test(file)) return { entries: file.includes('.mocharc') ? listsOf(text) : {} }
    return read(/\.jsonc?$/.test(file) ? `(${text})` : javaScript(text, file), file)
  } catch {
    return { entries: {} }
  }
}

/** Loaded at first use: most configurations are JavaScript or JSON. */
const oxc = (): typeof import('oxc-transform') => createRequire(import.meta.url)('oxc-transform')

function javaScript(text: string, file: string): string {
  return /ts$/.test(file) ? oxc().transformSync(file, text, { target: 'esnext' }).code : text
}

function read(code: string, file: string): Read {
  const isMocha = OF_MOCHA_FILE.test(file)
  const names = isMocha
    ? Object.values(OF_MOCHA).flat()
    : [...ENVIRONMENTS, ...SETUPS, ...SELECTIONS, ...OF_TEST, ...SETTINGS, ...SNAPSHOT_SETTINGS, ...FURTHER]
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })
  const values = new StaticValues(program, file)
  const projects = isMocha ? undefined : declaredProjects(program, values, file)
  const nodes = new Set<Node>(projects?.flatMap(({ node = [] }) => node))
  const declared = projects?.map((each) => ({
    ...each,
    entries: each.node === undefined ? {} : entriesBelow(each.node, values, names),
  }))
  return { entries: entriesBelow(program, values, names, nodes), declared }
}

/** @param others what is read on its own */
function entriesBelow(
  root: Node,
  values: StaticValues,
  names: readonly string[],
  others: ReadonlySet<Node> = new Set(),
): Entries {
  const entries: Record<string, string[]> = {}
  walk(root, (node, ancestors) => {
    if (others.has(node)) return 'skip'
    const name = keyOf(node)
    const around = ancestors.at(-2)
    const place = around && keyOf(around)
    if (name === 'enabled' && place === 'browser') note('browser', node, values, entries)
    if (name === undefined || !names.includes(name)) return
    if (OF_TEST.includes(name) && place !== 'test' && !(name === 'root' && isTop(ancestors))) return
    note(name, node, values, entries)
  })
  return entries
}

function note(name: string, property: Node, values: StaticValues, entries: Record<string, string[]>): void {
  const value = values.expression((property as Property).value)
  const elements = value.type === 'ArrayExpression' ? value.elements : [value as Expression]
  const found = elements.map((each) => each && values.valueOf(each))
  const plain = found.filter((each) => ['string', 'number', 'boolean'].includes(typeof each))
  ;(entries[name] ??= []).push(...plain.map(String))
}

/** The lists and texts at the top of a file in YAML, which is what the configurations of mocha are. */
function listsOf(text: string): Entries {
  const entries: Record<string, string[]> = {}
  let name = ''
  for (const line of text.split('\n')) {
    const [, key, value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
    const [, item] = /^\s*-\s+(.*)$/.exec(line) ?? []
    if (key !== undefined) entries[(name = key)] = []
    const texts = item === undefined ? value.replace(/^\[|\]$/g, '').split(',') : [item]
    for (const each of texts.map((word) => word.trim().replace(/^['"]|['"]$/g, '')))
      if (each !== '' && name !== '') entries[name]!.push(each)
  }
  return entries
}

export function textOf(path: string): string | undefined {
  try {
    return realFiles.read(path).toString('utf8')
  } catch {
    return undefined
  }
}
