/** Runs one program on the stock loop, some times, and prints how often each order came. */
import { inFolders } from '../stock.ts'
import { type Program, run } from './program.ts'

const { program, runs }: { program: Program; runs: number } = JSON.parse(process.argv[2]!)
const inFolder = inFolders()
const counts: Record<string, number> = {}

function next(left: number): void {
  inFolder((at) => run(program, at)).then((order) => {
    counts[order] = (counts[order] ?? 0) + 1
    if (left > 1) setTimeout(next, 1, left - 1)
    else process.stdout.write(JSON.stringify(counts))
  })
}
// From here on threads are held up (hold-up.c).
process.umask(process.umask())
next(runs)
