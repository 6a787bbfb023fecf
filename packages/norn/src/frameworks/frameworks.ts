/**
 * Replacements for the test frameworks that a test file imports, or uses as globals.
 *
 *     const frameworks = testFrameworks({ file, refuse })      // before the world is installed
 *     frameworks.modules.get('vitest')  // collects declarations; `expect` is the project's own
 *
 * Invariants: a framework that the file itself names is loaded at once, so its changes to the
 * process are not leaks of an execution; others are loaded at their first import. Globals are
 * defined only for a file that uses them and imports no framework, until the process ends.
 */
import { readFileSync } from 'node:fs'
import type { Exports } from './installed.ts'
import { globalFunctions, jestModule, mochaModule } from './jest.ts'
import { LazyModules } from './lazy-modules.ts'
import { nodeTestModule } from './node-test.ts'
import { withProp } from './prop.ts'
import { type FrameworkHost, vitestModule } from './vitest.ts'

const FRAMEWORKS: Readonly<Record<string, (host: FrameworkHost) => Exports>> = {
  vitest: vitestModule,
  'node:test': nodeTestModule,
  '@jest/globals': jestModule,
  mocha: mochaModule,
  '@fast-check/vitest': (host) => withProp(vitestModule(host)),
  '@fast-check/jest': (host) => withProp(jestModule(host)),
}

const IMPORTED = /['"](vitest|node:test|@jest\/globals|mocha|@fast-check\/(?:vitest|jest))['"]/g
const GLOBAL_USED = /^\s*(?:await\s+)?(?:x|f)?(?:describe|context|suite|it|test|specify)(?:\.\w+)*\s*[(`]/m

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
  if (imported.length === 0 && GLOBAL_USED.test(text)) Object.assign(globalThis, globalFunctions(host))
  return { modules }
}

/** Empty if the file cannot be read: loading it reports the error. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
