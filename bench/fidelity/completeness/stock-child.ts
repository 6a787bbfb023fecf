/**
 * Runs each program several times on the stock loop, and prints the count of each line. Every run
 * starts in the timers phase, as a main script does: timers, poll, check.
 */
import { inFolders, type StockSettings } from '../stock.ts'
import { programs } from './programs.ts'

const { names, runs }: StockSettings = JSON.parse(process.argv[2]!)
const inFolder = inFolders()
const counts: Record<string, Record<string, number>> = Object.fromEntries(names.map((name) => [name, {}]))
let next = 0

function run(): void {
  const name = names[next++ % names.length]!
  inFolder(programs[name]!.run).then((line) => {
    counts[name]![line] = (counts[name]![line] ?? 0) + 1
    if (next < names.length * runs) setTimeout(run, 1)
    else process.stdout.write(JSON.stringify(counts))
  })
}
run()
