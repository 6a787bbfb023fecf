/**
 * What the configuration of vitest or jest says that a file of tests relies on: its environment, and
 * the modules that run before it. Read without running the file, since plugins start servers and
 * read what they like; so a value that is computed is not read.
 */
import { join, resolve } from 'node:path'
import type { RunningProject } from '../loader/configured-aliases.ts'
import { realFiles } from '../loader/real-files.ts'
import {
  ENVIRONMENTS,
  type Entries,
  GLOBAL_SETUP,
  OF_MOCHA,
  SETUPS,
  SNAPSHOT_SETTINGS,
  textOf,
} from './configuration-entries.ts'
import { placeOf } from './installed.ts'
import { configurationOfTests, type ProjectConfiguration } from './projects.ts'

export interface TestConfiguration {
  /** From where its paths are. */
  readonly folder: string
  /** The package that provides the environment; undefined for Node's own. */
  readonly environment: 'happy-dom' | 'jsdom' | undefined
  /** Absolute paths of the modules that run first. */
  readonly setup: readonly string[]
  /** Absolute paths of the modules that run once, in a process of their own, before all tests. */
  readonly globalSetup: readonly string[]
  /** Which of the projects that a configuration declares. */
  readonly project?: RunningProject | undefined
  /** Whose configuration it is; undefined if there is none. */
  readonly runner?: 'vitest' | 'jest' | 'mocha' | undefined
  readonly testTimeoutMs?: number | undefined
  readonly retry?: number | undefined
  readonly hookTimeoutMs?: number | undefined
  /** Whether tests run beside each other unless they say otherwise. */
  readonly isConcurrent?: boolean | undefined
  readonly requiresAssertions: boolean
  /** Whether tests have the functions of vitest without an import. */
  readonly givesGlobals: boolean
  /** A setting of snapshots that norn does not follow. */
  readonly snapshots?: string | undefined
  /** What is done with mocks and stubs before each test. */
  readonly resets: readonly Reset[]
}

/** A function of `jest` or `vi`. */
export type Reset = (typeof RESETS)[keyof typeof RESETS]

const RESETS = {
  restoreMocks: 'restoreAllMocks',
  mockReset: 'resetAllMocks',
  resetMocks: 'resetAllMocks',
  clearMocks: 'clearAllMocks',
  unstubEnvs: 'unstubAllEnvs',
  unstubGlobals: 'unstubAllGlobals',
} as const

/** What `vi.setConfig` takes, and vitest's configuration. */
export const RESETS_OF_VITEST = Object.entries(RESETS).filter(([name]) => name !== 'resetMocks')

/** Modules that translate sources, which norn does itself. */
const TRANSLATORS =
  /^(?:ts-node|tsx|@babel\/register|@swc(?:-node)?\/register|esbuild-register|source-map-support|coffeescript|jiti)\b/

const COMMENT = /@(?:vitest|jest)-environment\s+([^\s*]+)/

/**
 * @param file absolute path
 * @param isTest whether it is a file of tests; others have but the environment that a comment in them
 *   names
 */
export function testConfigurationOf(file: string, isTest: boolean): TestConfiguration {
  const nearest: ProjectConfiguration = isTest ? configurationOfTests(file) : { folder: '', entries: {} }
  const { folder, entries, runner, project } = nearest
  const valuesOf = (names: readonly string[]) => names.flatMap((name) => (entries as Entries)[name] ?? [])
  const numberOf = (...names: string[]) => valuesOf(names).map(Number).find(Number.isFinite)
  const [, commented] = COMMENT.exec(textOf(file) ?? '') ?? []
  return {
    folder,
    environment: packageOf(commented ?? valuesOf(ENVIRONMENTS)[0]),
    setup: valuesOf([...SETUPS, ...OF_MOCHA.setups])
      .filter((path) => !TRANSLATORS.test(path))
      .flatMap((path) => setupModule(path, folder) ?? []),
    globalSetup: valuesOf([GLOBAL_SETUP]).flatMap((path) => setupModule(path, folder) ?? []),
    runner,
    project,
    hookTimeoutMs: limitOf(numberOf('hookTimeout')),
    isConcurrent: valuesOf(['concurrent'])[0] === 'true' ? true : undefined,
    requiresAssertions: valuesOf(['requireAssertions'])[0] === 'true',
    givesGlobals: runner === 'vitest' && valuesOf(['globals'])[0] === 'true',
    snapshots: SNAPSHOT_SETTINGS.find((name) => (entries as Entries)[name] !== undefined),
    testTimeoutMs: limitOf(numberOf('testTimeout', 'timeout', 't')),
    retry: numberOf('retry', 'retries'),
    resets: Object.entries(RESETS).flatMap(([name, reset]) => (valuesOf([name])[0] === 'true' ? [reset] : [])),
  }
}

/** Runners take 0 for no limit. */
function limitOf(ms: number | undefined): number | undefined {
  return ms === 0 ? Number.POSITIVE_INFINITY : ms
}

function packageOf(name: string | undefined): TestConfiguration['environment'] {
  if (name === undefined) return undefined
  // Jest's environments have the names of packages around them.
  return name.includes('happy-dom') ? 'happy-dom' : name.includes('jsdom') ? 'jsdom' : undefined
}

/** Undefined if nothing is there: the runner would say so. */
function setupModule(path: string, folder: string): string | undefined {
  const place = resolve(folder, path.replace('<rootDir>', folder))
  const found = [place, `${place}.js`].find((each) => realFiles.exists(each))
  return found ?? placeOf(path, join(folder, 'package.json'))
}
