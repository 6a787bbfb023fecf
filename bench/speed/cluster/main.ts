/**
 * Executions per second of a cluster of seven actors, with 1,000 messages each and with 20, as a
 * campaign runs them; against a loop that only calls the same handlers over a queue. Then the
 * resident memory of the worker after 10,000, 50,000 and 100,000 executions: exits with 1 if it
 * grows by more than a fifth.
 */
import { resolve } from 'node:path'
import { CAMPAIGN, explorePassing, type ListedProperty, Worker } from '../../engine.ts'
import { coreMs, perSecond, ratesInTurn, residentMib, rounded } from '../../measure.ts'
import { printer, type Say } from '../../output.ts'
import { median } from '../../statistics/summary.ts'
import type { FilteredOptions } from '../../suite.ts'
import { LARGE, type Load, messagesOf, runInQueue, SMALL } from './relay.ts'

const HERE = import.meta.dirname
const FILE = resolve(HERE, 'relay.fuzz.ts')
const MAX_GROWTH = 1.2

interface Compared {
  readonly property: string
  readonly load: Load
  /** Executions a round, of norn and of the baseline. */
  readonly runs: readonly [norn: number, baseline: number]
  /** Target in executions per second. */
  readonly wanted: number
}

const COMPARED: readonly Compared[] = [
  { property: '1,000 messages', load: LARGE, runs: [600, 6000], wanted: 200 },
  { property: '20 messages', load: SMALL, runs: [20_000, 200_000], wanted: 10_000 },
]

export async function run({ smoke, json, only = '' }: FilteredOptions): Promise<void> {
  const say = printer(json)
  const worker = new Worker({ file: FILE, root: HERE, aliases: [] })
  try {
    const properties = await worker.list()
    for (const compared of COMPARED.filter(({ property }) => property.includes(only))) {
      const listed = properties.find(({ name }) => name.startsWith(compared.property))!
      const row = await compare(worker, listed, compared, smoke ? 1 : 7, smoke ? 0.02 : 1)
      const parts = [
        `${compared.property}: ${row.perSecond} executions/s (${row.messagesPerSecond} messages/s)`,
        `${row.wantedShare} times the target`,
        `${row.coreUs} us of its core for each`,
        `a loop over a queue: ${row.baselinePerSecond}/s, ${row.ratio} times as fast`,
      ]
      say({ suite: 'cluster', subject: compared.property, ...row }, parts.join('; '))
    }
  } finally {
    worker.close()
  }
  if ('memory'.includes(only)) await memory(smoke ? [800, 1200, 1600] : [10_000, 50_000, 100_000], say)
}

async function compare(
  worker: Worker,
  property: ListedProperty,
  { load, runs, wanted }: Compared,
  rounds: number,
  scale: number,
) {
  const [nornRuns, baselineRuns] = runs.map((count) => Math.round(count * scale)) as [number, number]
  const messages = messagesOf(load)
  const baseline = () => {
    for (let run = 0; run < baselineRuns; run++) {
      if (runInQueue(load) !== messages) throw new Error(`the baseline does not make ${messages} messages`)
    }
  }
  const sides = [
    () => perSecond(nornRuns, () => explorePassing(worker, property, { runs: nornRuns })),
    () => perSecond(baselineRuns, baseline),
  ]
  await ratesInTurn(sides, 1)
  const before = coreMs(worker.pid!)
  const rates = await ratesInTurn(sides, rounds)
  const usedMs = coreMs(worker.pid!) - before
  const rate = median(rates.map(([norn]) => norn!))
  return {
    messages,
    perSecond: Math.round(rate),
    messagesPerSecond: Math.round(rate * messages),
    baselinePerSecond: Math.round(median(rates.map(([, each]) => each!))),
    ratio: rounded(median(rates.map(([norn, each]) => each! / norn!)), 1),
    coreUs: rounded((1000 * usedMs) / (rounds * nornRuns), 1),
    wantedShare: rounded(rate / wanted),
  }
}

/** Of one campaign with many messages, in a process of its own. */
async function memory(marks: readonly number[], say: Say): Promise<void> {
  const worker = new Worker({ file: FILE, root: HERE, aliases: [] })
  try {
    const property = (await worker.list()).find(({ name }) => name.startsWith('1,000 messages'))!
    const held: number[] = []
    const sample = () => held.push(Math.round(residentMib(worker.pid!)))
    await worker.explore(property, { ...CAMPAIGN, runs: marks.at(-1)! }, (notice) => {
      const next = marks[held.length] ?? Number.POSITIVE_INFINITY
      if (notice.type === 'progress' && notice.executions >= next) sample()
    })
    while (held.length < marks.length) sample()
    const growth = rounded(held.at(-1)! / held[0]!)
    const samples = marks.map((mark, at) => `${held[at]} MiB after ${mark}`).join(', ')
    say(
      { suite: 'cluster', subject: 'memory', executions: marks, mib: held, growth },
      `memory: ${samples}: ${growth} times`,
    )
    if (growth > MAX_GROWTH) process.exitCode = 1
  } finally {
    worker.close()
  }
}
