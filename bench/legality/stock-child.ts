/**
 * Runs promises on the stock loop: some times each, in a temporary folder of its own, and prints what broke which. One about
 * the end of the process runs alone: the process then ends by itself, and not with 0 if it is broken.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atTheEnd, promises } from './promises.ts'

const { names, runs } = JSON.parse(process.argv[2]!) as { names: string[]; runs: number }
const folder = mkdtempSync(join(tmpdir(), 'norn-stock-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
let count = 0

function run(body: (at: (name: string) => string) => Promise<void>): Promise<void> {
  const own = join(folder, `${count++}`)
  mkdirSync(own)
  return body((file) => join(own, file))
}

const last = atTheEnd[names[0]!]
if (last !== undefined) await run(last)
else {
  const broken: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]))
  let current = names[0]!
  process.on('uncaughtException', (error) => broken[current]!.push(String(error)))
  for (let turn = 0; turn < runs; turn++) {
    for (const name of names) {
      current = name
      await run(promises[name]!).catch((error) => broken[name]!.push(String(error)))
      // The next begins in the phase of timers, as a main script begins.
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  process.stdout.write(JSON.stringify(broken))
}
