#!/usr/bin/env node
/**
 * The command `norn`: refuses a Node that is too old, runs, and exits with
 * 0 (nothing found), 1 (a failure found), 2 (the call or its input is wrong) or 3 (inconclusive).
 */
import module from 'node:module'

const MINIMUM = [22, 15] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
  console.error(
    `norn needs Node ${MINIMUM.join('.')} or later; this is Node ${process.versions.node}.\nInstall one (nvm install 24), or call: npx --package node@24 --package norn norn ${process.argv.slice(2).join(' ')}`,
  )
  process.exit(2)
}

// The reader of the output is gone, as with `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') console.error(`norn: cannot write the output: ${error.message}`)
  process.exit(3)
})

// Loading takes longer than checking a small specification, or running a small property.
module.enableCompileCache()

const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2))
