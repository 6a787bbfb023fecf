/**
 * The modules that code under test shares with norn: everything else is instantiated anew for each execution.
 */
import { fastCheckModule } from './fast-check/module.ts'
import { testFrameworks } from './frameworks/frameworks.ts'
import type { FrameworkHost } from './frameworks/vitest.ts'
import * as norn from './fuzz.ts'

/**
 * Call it before the world is installed: what a test framework leaves on the process belongs to the process.
 *
 * @param host who runs a test file; without, no test framework is stood in for
 */
export function sharedModules(host?: FrameworkHost): ReadonlyMap<string, object> {
  const modules = host === undefined ? new Map<string, object>() : testFrameworks(host).modules
  const fastCheck = fastCheckModule()
  return modules.set('norn', { ...norn, fc: fastCheck.default }).set('fast-check', fastCheck)
}
