/**
 * Runs each promise several times on the stock loop, and prints the errors that broke it. A promise
 * about the end of the process runs alone: the process exits with a status other than 0 if the
 * promise is broken.
 */
import { inFolders, type StockSettings } from '../stock.ts'
import { atTheEnd, promises } from './promises.ts'

const { names, runs }: StockSettings = JSON.parse(process.argv[2]!)
const inFolder = inFolders()

const last = atTheEnd[names[0]!]
if (last !== undefined) await inFolder(last)
else {
  const broken: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]))
  let current = names[0]!
  process.on('uncaughtException', (error) => broken[current]!.push(String(error)))
  for (let turn = 0; turn < runs; turn++) {
    for (const name of names) {
      current = name
      await inFolder(promises[name]!).catch((error) => broken[name]!.push(String(error)))
      // The next run starts in the timers phase, as a main script does.
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  process.stdout.write(JSON.stringify(broken))
}
