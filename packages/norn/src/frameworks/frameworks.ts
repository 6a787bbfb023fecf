/**
 * Replacements for the test frameworks that a test file imports, or uses as globals.
 *
 *     const frameworks = testFrameworks({ file, refuse })      // before the world is installed
 *     frameworks.modules.get('vitest')  // collects declarations; `expect` is the project's own
 *
 * Invariants: a framework that the file itself names is loaded at once, so its changes to the
 * process are not leaks of an execution; others are loaded at their first import. Globals are
 * defined only for a file that calls one that it does not import, until they are withdrawn.
 */
import { readFileSync } from 'node:fs'
import type { Framework, FrameworkHost } from './framework.ts'
import { globalSetup, STARTING_THREAD } from './global-setup/global-setup.ts'
import { globalFunctions, globalsLeaveNothing, jest, mocha } from './jest.ts'
import { LazyModules } from './lazy-modules.ts'
import { nodeTest } from './node-test.ts'
import { FAST_CHECK_FRAMEWORKS } from './prop.ts'
import { tap } from './tap.ts'
import { type TestConfiguration, testConfigurationOf } from './test-configuration.ts'
import { vitest } from './vitest.ts'

/** The test frameworks that norn replaces: each is a file, and an entry here. */
const FRAMEWORKS: readonly Framework[] = [vitest, nodeTest, jest, mocha, tap, ...FAST_CHECK_FRAMEWORKS, globalSetup]

/** The entry points of norn that declare properties as tests of a framework. */
export const ENTRIES: readonly string[] = FRAMEWORKS.flatMap(({ entry = [] }) => entry)

const GLOBAL_USED = /^\s*(?:await\s+)?((?:x|f)?(?:describe|context|suite|it|test|specify))(?:\.\w+)*\s*[(`]/gm
const JEST_USED = /(?<![.\w$])(expect|jest)\s*[.(]/g

/** Packages whose tests need a runner that norn does not replace. */
const UNSUPPORTED =
  /^(?:ava|ava-fast-check|@fast-check\/(?:ava|worker|jest\/worker)|tape|uvu|qunit|zora|japa|jasmine|bun:test)$/

/**
 * Checks an import of a file of tests; a file that also imports norn may use such a package as it
 * likes.
 *
 * @throws Error that says what to do, for tests of a framework that is not supported
 */
export function checkFramework(specifier: string, importer: string, { file }: FrameworkHost): void {
  if (importer !== file || !UNSUPPORTED.test(specifier) || IMPORTS_NORN.test(textOf(file))) return
  throw new Error(
    `tests of ${specifier} are not supported: write them for vitest, jest, mocha, node:test or tap, or declare their properties with fuzz.property(name, property) from 'norn'`,
  )
}

const IMPORTS_NORN = /['"]norn(?:\/[\w-]+)?['"]/

/** The replacements for one file. */
export interface TestFrameworks {
  /** By specifier. */
  readonly modules: LazyModules
  /** See `Framework`. */
  leavesNothing(): boolean
  /** Takes back the globals. */
  withdraw(): void
}

/** Must be called before the world is installed, or within `World.renew`. Defines the globals that the file uses. */
export function testFrameworks(host: FrameworkHost, frameworks = FRAMEWORKS): TestFrameworks {
  const modules = new LazyModules()
  for (const { specifier, module } of frameworks) modules.add(specifier, () => module(host))
  const text = textOf(host.file)
  for (const { specifier } of importedBy(text, frameworks)) modules.get(specifier)
  const globals = usesGlobals(text) || givesGlobals(host.file, text) ? globalFunctions(host) : undefined
  Object.assign(globalThis, globals)
  return {
    modules,
    leavesNothing() {
      const made = frameworks.filter(({ specifier }) => modules.has(specifier))
      const leave = (framework: Framework) => framework.leavesNothing?.(host) ?? false
      return made.every(leave) && (globals === undefined || globalsLeaveNothing(host))
    },
    withdraw() {
      for (const name of Object.keys(globals ?? {})) Reflect.deleteProperty(globalThis, name)
    },
  }
}

/** What a file gets from the configuration of its test framework. */
export function configurationOf(file: string): TestConfiguration {
  const text = textOf(file)
  // node:test and tap read none that norn heeds.
  const isConfigured =
    importedBy(text).some((framework) => framework !== nodeTest && framework !== tap) || usesGlobals(text)
  const found = testConfigurationOf(file, isConfigured)
  return found.globalSetup.length === 0 ? found : { ...found, setup: [STARTING_THREAD, ...found.setup] }
}

/** The frameworks that a file names, in the order of the table. */
function importedBy(text: string, frameworks = FRAMEWORKS): readonly Framework[] {
  return frameworks.filter(({ specifier }) => text.includes(`'${specifier}'`) || text.includes(`"${specifier}"`))
}

/** Whether a file uses a function of a test framework that it does not import. */
function usesGlobals(text: string): boolean {
  const hasJest = importedBy(text).some(({ definesJest }) => definesJest)
  const used = [...text.matchAll(GLOBAL_USED), ...(hasJest ? text.matchAll(JEST_USED) : [])]
  const names = new Set(used.map(([, name]) => name!))
  return [...names].some(
    (name) =>
      !new RegExp(`[{,]\\s*${name}\\b(?!\\s*[.(\`])|\\b(?:import|as|const|let|var|function)\\s*${name}\\b`).test(text),
  )
}

/** Whether the configuration of vitest gives globals to a file of tests. */
function givesGlobals(file: string, text: string): boolean {
  return !IMPORTS_NORN.test(text) && testConfigurationOf(file, true).givesGlobals
}

/** Empty if the file cannot be read: loading it reports the error. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
