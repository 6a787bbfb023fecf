#!/usr/bin/env node
/**
 * The command `norn` (bin/norn.js refuses a Node that is too old): runs, and exits with
 * 0 (nothing found), 1 (a failure found), 2 (the call or its input is wrong) or 3 (inconclusive).
 */
import module from 'node:module'
import { printError } from '#shared/print'

// The reader of the output is gone, as with `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') printError(`norn: cannot write the output: ${error.message}`)
  process.exit(3)
})

// Loading takes longer than checking a small specification, or running a small property.
module.enableCompileCache()

const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2))
