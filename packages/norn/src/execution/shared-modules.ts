/**
 * The modules that code under test shares with norn. All others are instantiated afresh in each
 * execution.
 */
import { installEnvironment } from '../frameworks/environment.ts'
import { projectFastCheck } from '../frameworks/fast-check.ts'
import type { FrameworkHost } from '../frameworks/framework.ts'
import {
  checkFramework,
  configurationOf,
  ENTRIES,
  type TestFrameworks,
  testFrameworks,
} from '../frameworks/frameworks.ts'
import { LazyModules } from '../frameworks/lazy-modules.ts'
import type { Environment, SharedModules } from '../loader/resolve.ts'
import { fastCheckModule } from '../property/fast-check/module.ts'
import * as norn from '../property/fuzz.ts'

/** Shared modules from rooms above this one. */
export interface Shared {
  /** Modules, by the specifier that imports them. */
  readonly modules: ReadonlyMap<string, object>
  /** Load a module at its first import; all executions share it. */
  readonly lazyModules: ReadonlyMap<string, () => object>
  /** Further exports of `norn/vitest` and `norn/node-test`. */
  readonly declarers: object
}

const NOTHING_ELSE: Shared = { modules: new Map(), lazyModules: new Map(), declarers: {} }

/** Installs the environment of the tests; a problem is thrown by the file's first import. */
function installed(host: FrameworkHost): {
  readonly environment?: Environment | undefined
  readonly problem?: unknown
} {
  try {
    return { environment: installEnvironment(host, configurationOf(host.file).environment) }
  } catch (problem) {
    return { problem }
  }
}

/** What the code under test of one file shares with norn. */
export interface FileModules extends Pick<TestFrameworks, 'leavesNothing' | 'withdraw'> {
  readonly modules: SharedModules
}

/**
 * Must be called before the world is installed, or within `World.renew`: changes that a test framework makes to
 * the process are not leaks of an execution.
 *
 * @param host without it, test frameworks are not replaced
 */
export function sharedModules(
  host?: FrameworkHost,
  { modules: others, lazyModules, declarers }: Shared = NOTHING_ELSE,
): FileModules {
  // Frameworks are loaded on demand, so this map must not be copied.
  const frameworks = host && testFrameworks(host)
  const modules = frameworks?.modules ?? new LazyModules()
  const fastCheck = fastCheckModule()
  const ours = { ...norn, fc: fastCheck.default }
  modules.set('norn', ours).set('fast-check', fastCheck)
  for (const [specifier, exports] of others) modules.set(specifier, exports)
  for (const [specifier, load] of lazyModules) modules.add(specifier, load)
  // In a test runner these turn a property into a test; here they declare it, as `norn` does.
  const forTests = { ...ours, ...declarers }
  for (const entry of ENTRIES) modules.set(entry, forTests)
  const { environment, problem } = host === undefined ? {} : installed(host)
  modules.environment = environment
  modules.importedBy = (specifier, importer) => {
    if (problem !== undefined && importer === host?.file) throw problem
    if (host !== undefined) checkFramework(specifier, importer, host)
    // Where the project has none, norn's own.
    return projectFastCheck(specifier, importer)
  }
  return {
    modules,
    leavesNothing: () => environment === undefined && (frameworks?.leavesNothing() ?? true),
    withdraw: () => frameworks?.withdraw(),
  }
}
