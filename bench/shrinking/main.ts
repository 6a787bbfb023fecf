/**
 * The shrinking suite: how small failures get, and whether equal failures look equal, beside fast-check.
 *
 * For each case so many failures are found, from one seed each, and shrunk. A row tells how many distinct minima they
 * came to, how large the median and the largest of those are (size.ts), and the median of the executions it took. Norn's
 * side is a worker that runs a file of properties, as `norn fuzz` does; of a schedule, both sides are measured by the
 * order in which the steps were seen to end.
 */
import { resolve } from 'node:path'
import { Worker } from '../../packages/norn/src/process/worker.ts'
import type { BenchOptions } from '../main.ts'
import { median } from '../statistics/summary.ts'
import { failedOn } from './cases.ts'
import { shrunkByFastCheck } from './fast-check.ts'
import { compareSizes, inversions, type Shrunk, type Size, sizeOf } from './size.ts'

interface Row {
  readonly suite: 'shrinking'
  readonly subject: string
  readonly tool: 'norn' | 'fast-check'
  readonly failures: number
  readonly minima: number
  /** Parts, then the sum of the numbers. */
  readonly medianSize: Size
  readonly worstSize: Size
  readonly executions: number
  /** The most frequent minimum, as JSON. */
  readonly example: string
}

/** Executions in which a failure is looked for; each case fails long before. */
const MAX_RUNS = 20_000

export async function main({ smoke, json, only }: BenchOptions): Promise<void> {
  const failures = smoke ? 5 : 30
  const worker = new Worker({
    file: resolve(import.meta.dirname, 'cases.fuzz.ts'),
    root: import.meta.dirname,
    aliases: [],
  })
  const rows: Row[] = []
  try {
    for (const property of await worker.list()) {
      const { name } = property
      if (!name.includes(only ?? '')) continue
      const byNorn = async (seed: number): Promise<Shrunk> => {
        let shrunk: Shrunk | undefined
        const options = { strategy: 'portfolio', runs: MAX_RUNS, timeMs: 1e9, keepGoing: false, shrink: true, skip: 0 }
        await worker.explore(property, { seed, ...options }, (notice) => {
          if (notice.type !== 'shrunk') return
          const { result, shrinking } = notice.failure
          shrunk = { value: failedOn(result.failure!.message), executions: shrinking!.executions }
        })
        if (shrunk === undefined) throw new Error(`${name}: norn found no failure from seed ${seed}`)
        return shrunk
      }
      const tools = { norn: byNorn, 'fast-check': (seed: number) => shrunkByFastCheck(name, seed) }
      for (const [tool, shrinkFrom] of Object.entries(tools)) {
        const shrunk: Shrunk[] = []
        for (let seed = 1; seed <= failures; seed++) shrunk.push(await shrinkFrom(seed))
        const row = rowOf(name, tool as Row['tool'], shrunk)
        rows.push(row)
        if (json) console.log(JSON.stringify(row))
      }
    }
  } finally {
    worker.close()
  }
  if (!json) printTable(rows)
}

function rowOf(subject: string, tool: Row['tool'], shrunk: readonly Shrunk[]): Row {
  const measure = (value: unknown) =>
    subject === 'schedule with a swap' ? inversions(value as number[]) : sizeOf(value)
  const sizes = shrunk.map(({ value }) => measure(value)).sort(compareSizes)
  const frequency = new Map<string, number>()
  for (const { value } of shrunk) {
    const text = JSON.stringify(value)
    frequency.set(text, (frequency.get(text) ?? 0) + 1)
  }
  const [[example]] = [...frequency].sort(([, a], [, b]) => b - a) as [[string, number]]
  return {
    suite: 'shrinking',
    subject,
    tool,
    failures: shrunk.length,
    minima: frequency.size,
    medianSize: sizes[sizes.length >> 1]!,
    worstSize: sizes.at(-1)!,
    executions: median(shrunk.map(({ executions }) => executions)),
    example,
  }
}

function printTable(rows: readonly Row[]): void {
  const size = ([parts, sum]: Size) => `${parts} (${sum})`
  const cells = rows.map((row) =>
    [row.subject, row.tool, row.minima, size(row.medianSize), size(row.worstSize), row.executions, row.example].map(
      String,
    ),
  )
  const table = [
    ['case', 'tool', 'distinct minima', 'median size', 'worst size', 'executions', 'most frequent'],
    ...cells,
  ]
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => line[column]!.length)))
  for (const line of table)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
}
