/**
 * What stock Node shows: programs run many times in fresh processes on the real loop and real files. In half of the
 * processes busy siblings take the processor away, which brings out rarer orders.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

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
  for (const loaded of [false, true]) {
    const siblings = loaded ? busySiblings() : []
    try {
      for (let process = 0; process < processes / 2; process++) {
        // Each program comes first somewhere, and after each other.
        const rotated = names.map((_, index) => names[(index + process) % names.length]!)
        add(await child(rotated, runs))
        for (const name of fromMain) add(await child([name], 1))
      }
    } finally {
      for (const sibling of siblings) sibling.kill('SIGKILL')
    }
  }
  return total
}

async function child(names: readonly string[], runs: number): Promise<Counts> {
  const settings = JSON.stringify({ names, runs })
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', CHILD, settings])
  return JSON.parse(stdout) as Counts
}

/** They end with their input, so that none outlives this process. */
function busySiblings(): ChildProcess[] {
  const busy =
    "process.stdin.resume().on('end', () => process.exit()); (function spin() { for (let i = 0; i < 1e8; i++); setImmediate(spin) })()"
  return Array.from({ length: availableParallelism() + 1 }, () =>
    spawn(process.execPath, ['-e', busy], { stdio: ['pipe', 'ignore', 'ignore'] }),
  )
}
