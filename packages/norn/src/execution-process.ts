/**
 * The entry point of worker processes.
 *
 * Node's compile cache halves their start-up time. It is enabled here, not by an environment
 * variable, which the program under test would see. The loader compiles the program's modules
 * without it.
 */
import module from 'node:module'

module.enableCompileCache()
await import('./execution-assembly.ts')
// A worker ends by a signal or by `reallyExit`; neither writes the cache.
module.flushCompileCache()
