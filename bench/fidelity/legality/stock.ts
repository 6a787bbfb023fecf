/**
 * How often stock Node breaks a promise, with and without load. What it breaks is not a promise.
 */
import { resolve } from 'node:path'
import { withAndWithoutLoad } from '../load.ts'
import { rotated, runStockChild } from '../stock.ts'

/** The errors that broke each promise. */
export type Broken = Readonly<Record<string, readonly string[]>>

const CHILD = resolve(import.meta.dirname, 'stock-child.ts')

/** Runs promises `runs` times in each of `processes` processes. */
export async function brokenByStock(names: readonly string[], processes: number, runs: number): Promise<Broken> {
  const broken: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]))
  await withAndWithoutLoad(processes, async (process) => {
    const ofProcess: Broken = JSON.parse(await runStockChild(CHILD, { names: rotated(names, process), runs }))
    for (const [name, errors] of Object.entries(ofProcess)) broken[name]!.push(...errors)
  })
  return broken
}

/** The same for promises about the end of a process: each run is a process. */
export async function brokenAtTheEnd(names: readonly string[], processes: number): Promise<Broken> {
  const broken: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]))
  await withAndWithoutLoad(processes, async () => {
    for (const name of names) {
      await runStockChild(CHILD, { names: [name], runs: 1 }).catch((error) => broken[name]!.push(String(error)))
    }
  })
  return broken
}
