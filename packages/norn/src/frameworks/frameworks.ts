/**
 * Replacements for the test frameworks that a test file imports, or uses as globals.
 *
 *     const frameworks = testFrameworks({ file, refuse })      // before the world is installed
 *     frameworks.modules.get('vitest')  // collects declarations; `expect` is the project's own
 *
 * Invariants: a framework that the file itself names is loaded at once, so its changes to the
 * process are not leaks of an execution; others are loaded at their first import. Globals are
 * defined only for a file that calls one that it does not import, until the process ends.
 */
import { readFileSync } from 'node:fs'
import type { Exports } from './installed.ts'
import { globalFunctions, jestModule, mochaModule } from './jest.ts'
import { LazyModules } from './lazy-modules.ts'
import { nodeTestModule } from './node-test.ts'
import { withProp } from './prop.ts'
import { type TestConfiguration, testConfigurationOf } from './test-configuration.ts'
import { type FrameworkHost, vitestModule } from './vitest.ts'

const FRAMEWORKS: Readonly<Record<string, (host: FrameworkHost) => Exports>> = {
  vitest: vitestModule,
  'node:test': nodeTestModule,
  '@jest/globals': jestModule,
  mocha: mochaModule,
  '@fast-check/vitest': (host) => withProp('@fast-check/vitest', vitestModule(host), host.file),
  '@fast-check/jest': (host) => withProp('@fast-check/jest', jestModule(host), host.file),
  'jest-fast-check': (host) => withProp('jest-fast-check', jestModule(host), host.file),
}

const IMPORTED = /['"](vitest|node:test|@jest\/globals|mocha|@fast-check\/(?:vitest|jest)|jest-fast-check)['"]/g
const GLOBAL_USED = /^\s*(?:await\s+)?((?:x|f)?(?:describe|context|suite|it|test|specify))(?:\.\w+)*\s*[(`]/gm
/** What jest defines for a file that imports the rest. */
const JEST_IMPORTED = /['"](?:@jest\/globals|@fast-check\/jest|jest-fast-check)['"]/
const JEST_USED = /(?<![.\w$])(expect|jest)\s*[.(]/g

/** Packages whose tests need a runner that norn does not replace. */
const UNSUPPORTED =
  /^(?:ava|ava-fast-check|@fast-check\/(?:ava|worker|jest\/worker)|tape|tap|uvu|qunit|zora|japa|jasmine|bun:test)$/

/**
 * Checks an import of a file of tests; a file that also imports norn may use such a package as it
 * likes.
 *
 * @throws Error that says what to do, for tests of a framework that is not supported
 */
export function checkFramework(specifier: string, importer: string, { file }: FrameworkHost): void {
  if (importer !== file || !UNSUPPORTED.test(specifier) || IMPORTS_NORN.test(textOf(file))) return
  throw new Error(
    `tests of ${specifier} are not supported: write them for vitest, jest, mocha or node:test, or declare their properties with fuzz.property(name, property) from 'norn'`,
  )
}

const IMPORTS_NORN = /['"]norn(?:\/[\w-]+)?['"]/

/**
 * Must be called before the world is installed. Defines the globals that the file uses.
 *
 * @returns the replacements, by specifier
 */
export function testFrameworks(host: FrameworkHost): { readonly modules: LazyModules } {
  const modules = new LazyModules()
  for (const [specifier, make] of Object.entries(FRAMEWORKS)) modules.add(specifier, () => make(host))
  const text = textOf(host.file)
  const imported = [...text.matchAll(IMPORTED)].map(([, specifier]) => specifier!)
  for (const specifier of imported) modules.get(specifier)
  if (usesGlobals(text)) Object.assign(globalThis, globalFunctions(host))
  return { modules }
}

/** What a file gets from the configuration of its test framework. */
export function configurationOf(file: string): TestConfiguration {
  const text = textOf(file)
  return testConfigurationOf(file, text.search(IMPORTED) >= 0 || usesGlobals(text))
}

/** Whether a file uses a function of a test framework that it does not import. */
function usesGlobals(text: string): boolean {
  const used = [...text.matchAll(GLOBAL_USED), ...(JEST_IMPORTED.test(text) ? text.matchAll(JEST_USED) : [])]
  const names = new Set(used.map(([, name]) => name!))
  return [...names].some(
    (name) =>
      !new RegExp(`[{,]\\s*${name}\\b(?!\\s*[.(\`])|\\b(?:import|as|const|let|var|function)\\s*${name}\\b`).test(text),
  )
}

/** Empty if the file cannot be read: loading it reports the error. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
