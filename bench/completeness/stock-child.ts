/**
 * Runs programs on the stock loop: some times each in this process, in a temporary folder of its own, and prints how often
 * each line came. Every run begins in the phase of timers, as a main script begins: timers, poll, check.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programs } from './programs.ts'

const { names, runs } = JSON.parse(process.argv[2]!) as { names: string[]; runs: number }
const folder = mkdtempSync(join(tmpdir(), 'norn-stock-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const counts: Record<string, Record<string, number>> = Object.fromEntries(names.map((name) => [name, {}]))
let next = 0

function run(): void {
  const name = names[next % names.length]!
  const own = join(folder, `${next++}`)
  mkdirSync(own)
  programs[name]!.run((file) => join(own, file)).then((line) => {
    counts[name]![line] = (counts[name]![line] ?? 0) + 1
    if (next < names.length * runs) setTimeout(run, 1)
    else process.stdout.write(JSON.stringify(counts))
  })
}
run()
