/**
 * The minima of races and other failures: one failure a seed is found as `norn fuzz` searches, and
 * shrunk.
 *
 * A minimum is an input with the choices of its schedule and faults that are not the simplest.
 * Failures of one property with different fingerprints are different failures, whose minima are
 * counted apart.
 */
import { essential } from '../../packages/norn/src/contract/choices.ts'
import { CAMPAIGN, EVERYTHING, type FoundFailure, fingerprint, type ListedProperty, Worker } from '../engine.ts'
import { printTable } from '../output.ts'
import { median } from '../statistics/summary.ts'
import { ROOT } from '../subjects/catalogue.ts'
import type { FilteredOptions } from '../suite.ts'
import { type Subject, subjects } from './subjects.ts'

interface Row {
  readonly suite: 'shrinking'
  readonly subject: string
  readonly group: Subject['group']
  readonly failures: number
  /** Distinct fingerprints. */
  readonly fingerprints: number
  /** Distinct minima of one fingerprint, the most of any. */
  readonly minima: number
  /** The most delayed operations, steps and faults of a minimum. */
  readonly delayed: number
  /** Executions of shrinking. */
  readonly medianExecutions: number
  readonly worstExecutions: number
  /** Failures that no single deletion or lowering simplifies further. */
  readonly oneMinimal: number
  /** The most frequent minimum. */
  readonly example: string
}

/** Limit of a search. */
const MAX_RUNS = 20_000

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const seeds = smoke ? 3 : 10
  const rows: Row[] = []
  for (const subject of subjects(smoke && only === '' ? 'proper-lockfile' : only)) {
    const worker = new Worker({ file: subject.file, root: ROOT, aliases: [] })
    try {
      const property = (await worker.list()).find(({ name }) => name === (subject.property ?? name))
      if (property === undefined) throw new Error(`${subject.file} has no property "${subject.property}"`)
      const found: FoundFailure[] = []
      for (let seed = 1; seed <= seeds; seed++) found.push(...(await shrunk(worker, property, seed)))
      rows.push(rowOf(subject, found))
    } finally {
      worker.close()
    }
    if (json) console.log(JSON.stringify(rows.at(-1)))
    else console.error(`${subject.name}: ${rows.at(-1)!.minima} minima`)
  }
  if (json) return
  printTable(rows, [
    ...(['subject', 'group', 'failures', 'fingerprints', 'minima', 'delayed'] as const),
    ...(['medianExecutions', 'worstExecutions', 'oneMinimal', 'example'] as const),
  ])
}

async function shrunk(worker: Worker, property: ListedProperty, seed: number): Promise<FoundFailure[]> {
  const found: FoundFailure[] = []
  const options = { ...CAMPAIGN, guide: EVERYTHING, seed, runs: MAX_RUNS, keepGoing: false, shrink: true }
  await worker.explore(property, options, (notice) => {
    if (notice.type === 'shrunk') found.push(notice.failure)
  })
  return found
}

function rowOf({ name, group }: Subject, found: readonly FoundFailure[]): Row {
  const byFingerprint = Map.groupBy(found, ({ result }) => fingerprint(result.failure!))
  const minima = Map.groupBy(found, minimum)
  const [[example] = ['']] = [...minima].sort(([, a], [, b]) => b.length - a.length)
  const executions = found.map(({ shrinking }) => shrinking?.executions ?? 0)
  const most = (counts: readonly number[]) => Math.max(0, ...counts)
  return {
    suite: 'shrinking',
    subject: name,
    group,
    failures: found.length,
    fingerprints: byFingerprint.size,
    minima: most([...byFingerprint.values()].map((alike) => new Set(alike.map(minimum)).size)),
    delayed: most(found.map((failure) => departures(failure).length)),
    medianExecutions: found.length === 0 ? 0 : median(executions),
    worstExecutions: most(executions),
    oneMinimal: found.filter(({ shrinking }) => shrinking?.complete).length,
    example,
  }
}

/** The choices of schedule and faults that are not the simplest. */
function departures({ result }: FoundFailure): string[] {
  const { schedule, fault } = essential(result.choices!)
  return [...schedule, ...fault].map(({ label, value }) => `${label} = ${value}`)
}

function minimum(failure: FoundFailure): string {
  return [failure.result.inputText, ...departures(failure)].join('; ')
}
