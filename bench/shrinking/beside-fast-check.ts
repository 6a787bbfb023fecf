/**
 * The size of minima, and whether equal failures shrink to equal minima, beside fast-check.
 *
 * For each case one failure a seed is found and shrunk. A row has the number of distinct minima,
 * the median and the largest size of those (size.ts), and the median of executions. Norn's side is
 * a worker that runs a file of properties, as `norn fuzz` does. On both sides a schedule is
 * measured by the order in which the steps ended.
 */
import { resolve } from 'node:path'
import { CAMPAIGN, type ListedProperty, Worker } from '../engine.ts'
import { printTable } from '../output.ts'
import { median } from '../statistics/summary.ts'
import type { FilteredOptions } from '../suite.ts'
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

/** Limit of a search; each case fails long before. */
const MAX_RUNS = 20_000

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const failures = smoke ? 5 : 30
  const file = resolve(import.meta.dirname, 'cases.fuzz.ts')
  const worker = new Worker({ file, root: import.meta.dirname, aliases: [] })
  const rows: Row[] = []
  try {
    for (const property of await worker.list()) {
      const { name } = property
      if (!name.includes(only)) continue
      const tools = {
        norn: (seed: number) => shrunkByNorn(worker, property, seed),
        'fast-check': (seed: number) => shrunkByFastCheck(name, seed),
      }
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
  if (json) return
  const text = ([parts, sum]: Size) => `${parts} (${sum})`
  printTable(
    rows.map((row) => ({ ...row, medianSize: text(row.medianSize), worstSize: text(row.worstSize) })),
    ['subject', 'tool', 'minima', 'medianSize', 'worstSize', 'executions', 'example'],
  )
}

async function shrunkByNorn(worker: Worker, property: ListedProperty, seed: number): Promise<Shrunk> {
  let shrunk: Shrunk | undefined
  const options = { ...CAMPAIGN, seed, runs: MAX_RUNS, keepGoing: false, shrink: true }
  await worker.explore(property, options, (notice) => {
    if (notice.type !== 'shrunk') return
    const { result, shrinking } = notice.failure
    shrunk = { value: failedOn(result.failure!.message), executions: shrinking!.executions }
  })
  if (shrunk === undefined) throw new Error(`${property.name}: norn found no failure from seed ${seed}`)
  return shrunk
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
