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
 * @param declarers what norn's modules for test runners export beside what norn does
 */
export function sharedModules(host?: FrameworkHost, declarers: object = {}): ReadonlyMap<string, object> {
  const modules = host === undefined ? new Map<string, object>() : testFrameworks(host).modules
  const fastCheck = fastCheckModule()
  const ours = { ...norn, fc: fastCheck.default }
  modules.set('norn', ours).set('fast-check', fastCheck)
  // In its runner's process these make a test of a property; here they declare it, as norn does.
  const forTests = { ...ours, ...declarers }
  return modules.set('norn/vitest', forTests).set('norn/node-test', forTests)
}
