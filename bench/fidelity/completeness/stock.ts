/**
 * The orders that stock Node shows: programs run many times in fresh processes, on the real loop
 * and real files.
 */
import { resolve } from 'node:path'
import { withAndWithoutLoad } from '../load.ts'
import { rotated, runStockChild } from '../stock.ts'

/** How often each line was printed, by program. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>

const CHILD = resolve(import.meta.dirname, 'stock-child.ts')

/**
 * Runs every program `runs` times in each of `processes` processes, and those of `fromMain` once
 * more in as many processes of their own, from the main script.
 */
export async function stockOrders(
  names: readonly string[],
  fromMain: readonly string[],
  processes: number,
  runs: number,
): Promise<Counts> {
  const total: Record<string, Record<string, number>> = Object.fromEntries(names.map((name) => [name, {}]))
  const count = async (names: readonly string[], runs: number) => {
    const counts: Counts = JSON.parse(await runStockChild(CHILD, { names, runs }))
    for (const [name, lines] of Object.entries(counts)) {
      for (const [line, times] of Object.entries(lines)) total[name]![line] = (total[name]![line] ?? 0) + times
    }
  }
  await withAndWithoutLoad(processes, async (process) => {
    await count(rotated(names, process), runs)
    for (const name of fromMain) await count([name], 1)
  })
  return total
}
