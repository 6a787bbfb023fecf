/**
 * The test frameworks that a test file may import, or expect as globals: what it gets in their
 * place.
 *
 *     const frameworks = testFrameworks({ file, refuse })      // before the world is installed
 *     frameworks.modules.get('vitest')  // its declarations collected, its `expect` the project's
 *
 * Invariants: what a file names is loaded at once, so that what it leaves on the process belongs to
 * the process; what only a module behind it imports is loaded when it is asked for. Globals are
 * defined only for a file that uses them and imports no framework, and then for the life of the
 * process.
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
 * The frameworks as a test file sees them. Call it before the world is installed.
 *
 * @returns the modules that take their place, by specifier; the names it defines as globals are
 *   defined already
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

/** Empty where the file cannot be read: whoever loads it says so. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
