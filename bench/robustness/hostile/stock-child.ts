/** Runs programs on stock Node, one after the other, and sends the outcome of each run. */
import type { Program } from './program.ts'
import { run } from './run.ts'

process.setMaxListeners(0)
// From here on it is held up, if at all.
process.umask(process.umask())
process.on('message', async ({ program, runs }: { program: Program; runs: number }) => {
  const outcomes: string[] = []
  for (let left = runs; left > 0; left--) {
    // What an earlier run left may still fail.
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', () => {})
    outcomes.push(await run(program))
  }
  process.send!(outcomes)
})
