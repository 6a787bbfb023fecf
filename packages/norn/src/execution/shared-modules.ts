/**
 * The modules that code under test shares with norn: everything else is instantiated anew for each
 * execution.
 */

import { testFrameworks } from '../frameworks/frameworks.ts'
import { LazyModules } from '../frameworks/lazy-modules.ts'
import type { FrameworkHost } from '../frameworks/vitest.ts'
import { fastCheckModule } from '../property/fast-check/module.ts'
import * as norn from '../property/fuzz.ts'

/** What stands above this folder and is shared too. */
export interface Shared {
  /** Modules, by the specifier that imports them. */
  readonly modules: ReadonlyMap<string, object>
  /**
   * Functions that load modules, called when the first file asks for one; the module is then shared
   * by all executions.
   */
  readonly lazyModules: ReadonlyMap<string, () => object>
  /** What norn's modules for test runners export beside what norn does. */
  readonly declarers: object
}

const NOTHING_ELSE: Shared = { modules: new Map(), lazyModules: new Map(), declarers: {} }

/**
 * Call it before the world is installed: what a test framework leaves on the process belongs to the
 * process.
 *
 * @param host who runs a test file; without, no test framework is stood in for
 */
export function sharedModules(
  host?: FrameworkHost,
  { modules: others, lazyModules, declarers }: Shared = NOTHING_ELSE,
) {
  // Those of frameworks are made when they are asked for, so this is no map to copy.
  const modules = host === undefined ? new LazyModules() : testFrameworks(host).modules
  const fastCheck = fastCheckModule()
  const ours = { ...norn, fc: fastCheck.default }
  modules.set('norn', ours).set('fast-check', fastCheck)
  for (const [specifier, exports] of others) modules.set(specifier, exports)
  for (const [specifier, load] of lazyModules) modules.add(specifier, load)
  // In its runner's process these make a test of a property; here they declare it, as norn does.
  const forTests = { ...ours, ...declarers }
  modules.set('norn/vitest', forTests).set('norn/node-test', forTests)
  return modules as ReadonlyMap<string, object>
}
