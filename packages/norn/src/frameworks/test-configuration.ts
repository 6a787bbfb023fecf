/**
 * What the configuration of vitest or jest says that a file of tests relies on: its environment, and
 * the modules that run before it. Read without running the file, since plugins start servers and
 * read what they like; so a value that is computed is not read.
 */
import { dirname, join, resolve } from 'node:path'
import { type Expression, parse } from 'acorn'
import { javaScriptOf } from '../loader/javascript.ts'
import { realFiles } from '../loader/real-files.ts'
import { StaticValues } from '../loader/static-value.ts'
import { type Node, walk } from '../loader/syntax-tree.ts'
import { placeOf } from './installed.ts'

export interface TestConfiguration {
  /** The package that provides the environment; undefined for Node's own. */
  readonly environment: 'happy-dom' | 'jsdom' | undefined
  /** Absolute paths of the modules that run first. */
  readonly setup: readonly string[]
}

/** What a configuration file says: texts by the name of a property. */
type Entries = Readonly<Record<string, readonly string[]>>

const COMMENT = /@(?:vitest|jest)-environment\s+([^\s*]+)/

const FILES = ['vitest.config', 'vite.config', 'jest.config'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json'].map((ending) => `${name}.${ending}`),
)

const ENVIRONMENTS: readonly string[] = ['environment', 'testEnvironment']
const SETUPS: readonly string[] = ['setupFiles', 'setupFilesAfterEnv']

/**
 * @param file absolute path
 * @param isTest whether it is a file of tests; others have but the environment that a comment in them
 *   names
 */
export function testConfigurationOf(file: string, isTest: boolean): TestConfiguration {
  const { folder, entries } = isTest ? nearest(dirname(file)) : { folder: '', entries: {} }
  const valuesOf = (names: readonly string[]) => names.flatMap((name) => (entries as Entries)[name] ?? [])
  const [, commented] = COMMENT.exec(textOf(file) ?? '') ?? []
  return {
    environment: packageOf(commented ?? valuesOf(ENVIRONMENTS)[0]),
    setup: valuesOf(SETUPS).flatMap((path) => setupModule(path, folder) ?? []),
  }
}

function packageOf(name: string | undefined): TestConfiguration['environment'] {
  if (name === undefined) return undefined
  // Jest's environments have the names of packages around them.
  return name.includes('happy-dom') ? 'happy-dom' : name.includes('jsdom') ? 'jsdom' : undefined
}

/** Undefined if nothing is there: the runner would say so. */
function setupModule(path: string, folder: string): string | undefined {
  const place = resolve(folder, path.replace('<rootDir>', folder))
  return realFiles.exists(place) ? place : placeOf(path, join(folder, 'package.json'))
}

/** The entries of the nearest folder with a configuration. */
function nearest(folder: string): { readonly folder: string; readonly entries: Entries } {
  const file = FILES.map((name) => join(folder, name)).find((path) => realFiles.exists(path))
  if (file !== undefined) return { folder, entries: entriesIn(file) }
  const text = textOf(join(folder, 'package.json'))
  const jest = text === undefined ? undefined : jestOf(text)
  if (jest !== undefined) return { folder, entries: entriesOf(`(${JSON.stringify(jest)})`, folder) }
  return dirname(folder) === folder ? { folder, entries: {} } : nearest(dirname(folder))
}

/** What react-scripts configures by itself. */
const REACT_SCRIPTS = { testEnvironment: 'jsdom', setupFilesAfterEnv: ['./src/setupTests.ts', './src/setupTests.js'] }

function jestOf(text: string): object | undefined {
  try {
    const { jest, dependencies } = JSON.parse(text) as { jest?: object; dependencies?: Record<string, string> }
    return dependencies?.['react-scripts'] === undefined ? jest : { ...REACT_SCRIPTS, ...jest }
  } catch {
    return undefined
  }
}

/** Nothing where the file does not parse: the runner reports that. */
function entriesIn(file: string): Entries {
  try {
    const text = textOf(file)!
    return entriesOf(file.endsWith('.json') ? `(${text})` : javaScriptOf(text, file).code, file)
  } catch {
    return {}
  }
}

function entriesOf(code: string, file: string): Entries {
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })
  const values = new StaticValues(program, file)
  const entries: Record<string, string[]> = {}
  walk(program, (node) => {
    const name = node.type === 'Property' && !node.computed ? keyOf(node.key) : undefined
    if (name === undefined || ![...ENVIRONMENTS, ...SETUPS].includes(name)) return
    const value = values.expression((node as { value: Node } & Node).value)
    const elements = value.type === 'ArrayExpression' ? value.elements : [value as Expression]
    const texts = elements.map((each) => each && values.valueOf(each)).filter((each) => typeof each === 'string')
    ;(entries[name] ??= []).push(...texts)
  })
  return entries
}

function keyOf(key: Node): string | undefined {
  return key.type === 'Identifier' ? key.name : key.type === 'Literal' ? `${key.value}` : undefined
}

function textOf(path: string): string | undefined {
  try {
    return realFiles.read(path).toString('utf8')
  } catch {
    return undefined
  }
}
