/**
 * What sharing is worth: executions of all workers together until a bug is found, by one worker, by eight that
 * share what they find, and by eight that do not.
 *
 * The subjects do some milliseconds of work in each execution, as programs worth a fleet do: else one worker
 * has found the bug before the others have begun.
 */
import { printTable } from '../output.ts'
import { median } from '../statistics/summary.ts'
import { CONFUZZ } from '../subjects/catalogue.ts'
import type { CommonOptions } from '../suite.ts'
import { BenchFleet } from './processes.ts'

/** The subjects of confuzz that guided search needs most executions for, by their laws. */
const HARD: Readonly<Record<string, string>> = {
  LWT: 'the last jobs are not the first and the fifth',
  CLF: 'at most one file is not full',
  pipe: 'the list spells no word',
  'B2(4)': 'the text is not the forbidden one',
  'B2(5)': 'the text is not the forbidden one',
  needle: 'nobody gets through',
}

const FLEETS = [
  { name: 'one', workers: 1, isSharing: true },
  { name: 'shared', workers: 8, isSharing: true },
  { name: 'alone', workers: 8, isSharing: false },
] as const

/** Some milliseconds. */
const WORK = 300_000

interface Options extends CommonOptions {
  readonly only: string | undefined
  readonly trials: number | undefined
}

export async function run({ smoke, json, only, trials = smoke ? 1 : 5 }: Options): Promise<void> {
  const names = Object.keys(HARD).filter((name) => name.includes(only ?? (smoke ? 'needle' : '')))
  const rows = []
  for (const name of names) {
    const totals: Record<string, number[]> = {}
    for (let seed = 1; seed <= trials; seed++)
      for (const fleet of FLEETS) (totals[fleet.name] ??= []).push(await executions(name, fleet, seed))
    const [one, shared, alone] = FLEETS.map((fleet) => median(totals[fleet.name]!))
    const ratios = { sharedRatio: ratio(shared!, one!), aloneRatio: ratio(alone!, one!) }
    const row = { suite: 'fleet', part: 'sharing', subject: name, trials, one, shared, alone, ...ratios }
    if (json) console.log(JSON.stringify(row))
    rows.push(row)
  }
  if (!json) printTable(rows, ['subject', 'trials', 'one', 'shared', 'alone', 'sharedRatio', 'aloneRatio'])
}

async function executions(
  name: string,
  { workers, isSharing }: (typeof FLEETS)[number],
  seed: number,
): Promise<number> {
  await using fleet = await BenchFleet.start({ NORN_BENCH_WORK: `${WORK}` })
  const { file } = CONFUZZ.find((subject) => subject.name === name)!
  const flags = ['--slice', '10m', '--shards', `${workers}`, '--seed', `${seed}`]
  await fleet.declare(file, '--property', `${name}: ${HARD[name]}`, ...flags, ...(isSharing ? [] : ['--no-share']))
  fleet.work('--workers', `${workers}`)
  const { failures, properties } = await fleet.over()
  if (failures.length === 0) throw new Error(`${name}: ${workers} workers have found nothing`)
  return properties[0]!.executions
}

function ratio(a: number, b: number): string {
  return (a / b).toFixed(2)
}
