/** How often stock Node breaks a promise, calm and under load: if it does, it is none. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { calmAndLoaded } from '../load.ts'

/** What broke each promise, once for each time. */
export type Broken = Readonly<Record<string, readonly string[]>>

const CHILD = fileURLToPath(new URL('./stock-child.ts', import.meta.url))

const run = promisify(execFile)

/** Runs promises `runs` times in each of `processes` processes. */
export async function brokenByStock(names: readonly string[], processes: number, runs: number): Promise<Broken> {
  const broken: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]))
  await calmAndLoaded(processes, async (process) => {
    const rotated = names.map((_, index) => names[(index + process) % names.length]!)
    for (const [name, errors] of Object.entries(JSON.parse(await child(rotated, runs)) as Broken)) {
      broken[name]!.push(...errors)
    }
  })
  return broken
}

/** The same for promises about the end of a process: each run is a process. */
export async function brokenAtTheEnd(names: readonly string[], processes: number): Promise<Broken> {
  const broken: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]))
  await calmAndLoaded(processes, async () => {
    for (const name of names) await child([name], 1).catch((error) => broken[name]!.push(String(error)))
  })
  return broken
}

async function child(names: readonly string[], runs: number): Promise<string> {
  const { stdout } = await run(process.execPath, ['--no-warnings', CHILD, JSON.stringify({ names, runs })])
  return stdout
}
