/**
 * The environment that a file of tests asks for, read without running a configuration file.
 */
import { dirname, join } from 'node:path'
import { parse } from 'acorn'
import { javaScriptOf } from '../loader/javascript.ts'
import { realFiles } from '../loader/real-files.ts'
import { walk } from '../loader/syntax-tree.ts'

const COMMENT = /@(?:vitest|jest)-environment\s+([^\s*]+)/

const ENDINGS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']

/** Configuration files, and the property that names the environment. */
const CONFIGURATIONS: readonly (readonly [name: string, key: string])[] = [
  ...ENDINGS.map((ending) => [`vitest.config.${ending}`, 'environment'] as const),
  ...ENDINGS.map((ending) => [`vite.config.${ending}`, 'environment'] as const),
  ...[...ENDINGS, 'json'].map((ending) => [`jest.config.${ending}`, 'testEnvironment'] as const),
]

type Environment = 'happy-dom' | 'jsdom'

/** The package that provides the environment of a file; undefined for Node's own. */
export function configuredEnvironment(file: string): Environment | undefined {
  const [, named] = COMMENT.exec(textOf(file) ?? '') ?? []
  return packageOf(named ?? environmentOfFolder(dirname(file)))
}

function packageOf(name: string | undefined): Environment | undefined {
  if (name === undefined) return undefined
  // Jest's environments have the names of packages around them.
  return name.includes('happy-dom') ? 'happy-dom' : name.includes('jsdom') ? 'jsdom' : undefined
}

/** The environment of the nearest folder with a configuration. */
function environmentOfFolder(folder: string): string | undefined {
  for (const [name, key] of CONFIGURATIONS) {
    const path = join(folder, name)
    if (realFiles.exists(path)) return named(path, key)
  }
  const text = textOf(join(folder, 'package.json'))
  const own = text === undefined ? undefined : jestOf(text)
  if (own !== undefined) return own.testEnvironment
  return dirname(folder) === folder ? undefined : environmentOfFolder(dirname(folder))
}

function jestOf(text: string): { readonly testEnvironment?: string } | undefined {
  try {
    return (JSON.parse(text) as { jest?: { testEnvironment?: string } }).jest
  } catch {
    return undefined
  }
}

/** The text that a property of a configuration file has, wherever the property stands. */
function named(path: string, key: string): string | undefined {
  let found: string | undefined
  try {
    const text = realFiles.read(path).toString('utf8')
    const code = path.endsWith('.json') ? `(${text})` : javaScriptOf(text, path).code
    const options = { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true } as const
    walk(parse(code, options), (node) => {
      if (node.type !== 'Property' || node.computed || node.value.type !== 'Literal') return
      const name = node.key.type === 'Identifier' ? node.key.name : node.key.type === 'Literal' ? node.key.value : ''
      if (name === key && typeof node.value.value === 'string') found ??= node.value.value
    })
  } catch {}
  return found
}

function textOf(path: string): string | undefined {
  try {
    return realFiles.read(path).toString('utf8')
  } catch {
    return undefined
  }
}
