/**
 * What the configuration of vitest, jest or mocha says, as far as norn relies on it. Read without running
 * the file, since plugins start servers and read what they like; so a value that is computed is not read.
 */
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { type Expression, parse } from 'acorn'
import { realFiles } from '../loader/real-files.ts'
import { StaticValues } from '../loader/static-value.ts'
import { type Node, walk } from '../loader/syntax-tree.ts'
import { scriptCall, testScripts } from './script-call.ts'

/** What a configuration file says: texts by the name of a property. */
export type Entries = Readonly<Record<string, readonly string[]>>

const FILES = ['vitest.config', 'vite.config', 'jest.config', '.mocharc'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json', 'jsonc', 'yaml', 'yml'].map((ending) => `${name}.${ending}`),
)

export const ENVIRONMENTS: readonly string[] = ['environment', 'testEnvironment']
export const SETUPS: readonly string[] = ['setupFiles', 'setupFilesAfterEnv']
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
/** Of vitest: what norn's reading of snapshots does not follow. */
export const SNAPSHOT_SETTINGS: readonly string[] = [
  ...['snapshotFormat', 'snapshotSerializers', 'resolveSnapshotPath', 'snapshotEnvironment'],
]

/** Of vitest, in its part `test`; of jest and mocha, anywhere. */
const SELECTIONS: readonly string[] = ['include', 'exclude', 'testMatch', 'testRegex', 'testPathIgnorePatterns']

interface NearestEntries {
  readonly folder: string
  readonly entries: Entries
  /** Whose configuration it is; undefined if there is none. */
  readonly runner?: 'vitest' | 'jest' | 'mocha'
}

/** The entries of the nearest folder with a configuration. */
export function nearestEntries(folder: string): NearestEntries {
  const file = FILES.map((name) => join(folder, name)).find((path) => realFiles.exists(path))
  const text = textOf(join(folder, 'package.json'))
  const { jest, mocha, called } = text === undefined ? {} : packageEntries(text)
  if (file !== undefined) {
    const runner = runnerOf(file)
    const entries = entriesIn(file)
    if (runner === 'jest') return { folder, entries: withPreset(entries, folder), runner }
    return { folder, entries: runner === 'mocha' ? together(called, entries) : entries, runner }
  }
  if (jest !== undefined) {
    const entries = entriesOf(`(${JSON.stringify(jest)})`, folder)
    return { folder, entries: withPreset(entries, folder), runner: 'jest' }
  }
  if (mocha !== undefined) {
    const entries = entriesOf(`(${JSON.stringify(mocha)})`, join(folder, '.mocharc.json'))
    return { folder, entries: together(called, entries), runner: 'mocha' }
  }
  if (called !== undefined) return { folder, entries: called, runner: 'mocha' }
  return dirname(folder) === folder ? { folder, entries: {} } : nearestEntries(dirname(folder))
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
function together(first: Entries = {}, second: Entries): Entries {
  const names = new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries([...names].map((name) => [name, [...(first[name] ?? []), ...(second[name] ?? [])]]))
}

/** Adds what the preset of a configuration of jest says: its modules run first, its settings hold least. */
function withPreset(entries: Entries, folder: string): Entries {
  const preset = entries.preset?.[0]?.replace('<rootDir>', folder)
  const path = preset === undefined ? undefined : presetFile(preset, folder)
  if (path === undefined) return entries
  const given = entriesIn(path)
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

/** Nothing where the file does not parse: the runner reports that. */
function entriesIn(file: string): Entries {
  try {
    const text = textOf(file)!
    if (/\.ya?ml$/.test(file)) return file.includes('.mocharc') ? listsOf(text) : {}
    return entriesOf(/\.jsonc?$/.test(file) ? `(${text})` : javaScript(text, file), file)
  } catch {
    return {}
  }
}

/** Loaded at first use: most configurations are JavaScript or JSON. */
const oxc = (): typeof import('oxc-transform') => createRequire(import.meta.url)('oxc-transform')

function javaScript(text: string, file: string): string {
  return /ts$/.test(file) ? oxc().transformSync(file, text, { target: 'esnext' }).code : text
}

function entriesOf(code: string, file: string): Entries {
  const isMocha = OF_MOCHA_FILE.test(file)
  const names = isMocha
    ? Object.values(OF_MOCHA).flat()
    : [...ENVIRONMENTS, ...SETUPS, ...SELECTIONS, ...SETTINGS, ...SNAPSHOT_SETTINGS, 'preset']
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })
  const values = new StaticValues(program, file)
  const entries: Record<string, string[]> = {}
  walk(program, (node, ancestors) => {
    const name = node.type === 'Property' && !node.computed ? keyOf(node.key) : undefined
    if (name === undefined || !names.includes(name)) return
    const around = ancestors.at(-2)
    const isOfTest = around?.type === 'Property' && keyOf(around.key) === 'test'
    if ((name === 'include' || name === 'exclude') && !isOfTest) return
    const value = values.expression((node as { value: Node } & Node).value)
    const elements = value.type === 'ArrayExpression' ? value.elements : [value as Expression]
    const found = elements.map((each) => each && values.valueOf(each))
    const plain = found.filter((each) => ['string', 'number', 'boolean'].includes(typeof each))
    ;(entries[name] ??= []).push(...plain.map(String))
  })
  return entries
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

function keyOf(key: Node): string | undefined {
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? `${key.value}` : undefined
}

export function textOf(path: string): string | undefined {
  try {
    return realFiles.read(path).toString('utf8')
  } catch {
    return undefined
  }
}
