/** The entry of a command. */
import module from 'node:module'
import { printError } from '../print.ts'
import { type ExitStatus, STATUS } from './exit-status.ts'

/** @param load imports the program: it is loaded with Node's compile cache, which takes less time */
export async function main(
  name: string,
  load: () => Promise<{ run(args: readonly string[]): Promise<ExitStatus> }>,
): Promise<void> {
  // The reader of the output has gone, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(STATUS.undecided)
  })
  module.enableCompileCache()
  try {
    const { run } = await load()
    process.exitCode = await run(process.argv.slice(2))
  } catch (error) {
    printError(`${name}: internal error, please report it\n${(error as Error)?.stack ?? error}`)
    process.exitCode = STATUS.undecided
  }
}
