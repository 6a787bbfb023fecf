/**
 * The entry of the process that runs executions.
 *
 * Node's compile cache halves the time this process takes to start. It is set here and not in the
 * environment, so that programs under test find the environment as it is; their own modules are
 * compiled by norn's loader, without it.
 */
import module from 'node:module'

module.enableCompileCache()
await import('./execution-assembly.ts')
// This process ends by a signal or by `reallyExit`; neither writes the cache.
module.flushCompileCache()
