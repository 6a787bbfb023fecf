#!/usr/bin/env node
/**
 * The command `norn`: reads its arguments, refuses a Node that is too old, and ends with the status of the design:
 * 0 nothing found, 1 a failure found, 2 the call or its input is wrong, 3 undecided or void.
 */
import module from 'node:module'

const MINIMUM = [22, 15] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  console.error(`norn needs Node ${MINIMUM.join('.')} or later; this is Node ${process.versions.node}`)
  process.exit(2)
}

// Who read the output has gone, as `head` does: there is nobody left to tell anything.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(3)
})

// Loading takes longer than checking a small specification. Node keeps what it compiled, in its own folder for that
// (NODE_COMPILE_CACHE, else below the folder for temporary files); not for commands that run programs, which are to find Node as it is.
if (process.argv[2] === 'tla') module.enableCompileCache()

const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2))
