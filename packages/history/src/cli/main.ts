/** The entry of the command `norn-history`. */
import module from 'node:module'
import { STATUS } from './exit-status.ts'

// The reader of the output has gone, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(STATUS.undecided)
})

module.enableCompileCache()

try {
  const { run } = await import('./run.ts')
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(`norn-history: internal error, please report it\n${(error as Error)?.stack ?? error}`)
  process.exitCode = STATUS.undecided
}
