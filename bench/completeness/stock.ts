/**
 * What stock Node shows: programs run many times in fresh processes on the real loop and real files. In a fourth of
 * the processes busy siblings take the processor away, which brings out rarer orders.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { calmAndLoaded } from '../load.ts'

/** How often each line came, by program. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>

const CHILD = fileURLToPath(new URL('./stock-child.ts', import.meta.url))

/**
 * Runs every program `runs` times in each of `processes` processes, and those of `fromMain` once more in as many
 * processes of their own, from the main script.
 */
export async function stockOrders(
  names: readonly string[],
  fromMain: readonly string[],
  processes: number,
  runs: number,
): Promise<Counts> {
  const total: Record<string, Record<string, number>> = Object.fromEntries(names.map((name) => [name, {}]))
  const add = (counts: Counts) => {
    for (const [name, lines] of Object.entries(counts)) {
      for (const [line, count] of Object.entries(lines)) total[name]![line] = (total[name]![line] ?? 0) + count
    }
  }
  await calmAndLoaded(processes, async (process) => {
    // Each program comes first somewhere, and after each other.
    const rotated = names.map((_, index) => names[(index + process) % names.length]!)
    add(await child(rotated, runs))
    for (const name of fromMain) add(await child([name], 1))
  })
  return total
}

async function child(names: readonly string[], runs: number): Promise<Counts> {
  const settings = JSON.stringify({ names, runs })
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', CHILD, settings])
  return JSON.parse(stdout) as Counts
}
