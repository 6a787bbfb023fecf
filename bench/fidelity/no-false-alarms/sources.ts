/**
 * The sources of tests: tests that packages publish (from node_modules), our own tests by a
 * package's documentation, and checkouts of repositories in a folder that the caller names.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SuiteFile {
  readonly package: string
  readonly version: string
  readonly source: 'published' | 'own' | 'repository'
  /** The absolute path, and the name in messages. */
  readonly path: string
  readonly name: string
}

const HERE = dirname(fileURLToPath(import.meta.url))
const OWN = join(HERE, 'subjects')

/** Packages that publish their tests, and the place of these. */
const PUBLISHED: Readonly<Record<string, string>> = {
  avvio: 'test',
  bl: 'test',
  bottleneck: 'test',
  fastq: 'test',
  'flush-write-stream': 'test.js',
  from2: 'test.js',
  mqemitter: 'test',
  mutexify: 'test.js',
  nanoresource: 'test',
  'sonic-boom': 'test',
  split2: 'test.js',
  steed: 'test.js',
  thunky: 'test.js',
  workq: 'test',
}

/** The files of every suite that comes with the project. */
export function ownSuites(): SuiteFile[] {
  const published = Object.entries(PUBLISHED).flatMap(([name, tests]) => {
    const folder = packageFolder(name)
    return testsIn(join(folder, tests)).map((path) => describe(name, 'published', path, folder, folder))
  })
  if (!existsSync(OWN)) return published
  const own = readdirSync(OWN)
    .filter((name) => name.endsWith('.test.ts'))
    .map((file) => {
      const name = file.replace(/\.test\.ts$/, '')
      return describe(name, 'own', join(OWN, file), packageFolder(name), OWN)
    })
  return [...published, ...own]
}

/** The files of the suites in DIR/<package>/. */
export function repositorySuites(directory: string): SuiteFile[] {
  return readdirSync(directory)
    .sort()
    .filter((name) => existsSync(join(directory, name, 'package.json')))
    .flatMap((name) => {
      const folder = join(directory, name)
      const tests = ['test', 'tests', 'spec', '__tests__']
        .map((each) => join(folder, each))
        .filter((each) => existsSync(each))
      const single = readdirSync(folder).filter((each) => /^tests?\.[cm]?[jt]s$/.test(each))
      const files = tests.length > 0 ? tests.flatMap(testsIn) : single.map((each) => join(folder, each))
      return files.map((path) => describe(name, 'repository', path, folder, folder))
    })
}

function describe(name: string, source: SuiteFile['source'], path: string, folder: string, base: string): SuiteFile {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { package: name, version, source, path, name: relative(base, path) }
}

const HELPERS = new Set(['fixtures', 'fixture', 'support', 'helpers', 'node_modules', 'types'])

/** The test files below a path; helpers are left out by the name of their folder. */
function testsIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .filter((name) => !HELPERS.has(name) && !name.startsWith('.'))
    .flatMap((name) => {
      const below = join(path, name)
      if (statSync(below).isDirectory()) return testsIn(below)
      return /\.[cm]?[jt]s$/.test(name) && !/(\.d|test-d)\.[cm]?ts$/.test(name) ? [below] : []
    })
}

/** The folder of an installed package, exported or not. */
function packageFolder(name: string): string {
  const { paths } = createRequire(join(HERE, 'package.json')).resolve
  for (const folder of paths(name) ?? []) {
    const found = join(folder, name)
    if (existsSync(join(found, 'package.json'))) return found
  }
  throw new Error(`package not installed: ${name}; run npm ci`)
}
