/**
 * The cluster suite: executions per second of a cluster of seven actors, with 1,000 messages each and with 20, as a campaign
 * runs them; against a loop that does nothing but call the same handlers over a queue, in the same run. Then what the
 * process that runs them holds, as in the memory suite: after 10,000, 50,000 and 100,000 executions.
 *
 * The sides take turns, and rates are medians over the rounds: the machine may be busy.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ListedProperty } from '../../packages/norn/src/process/protocol.ts'
import { Worker } from '../../packages/norn/src/process/worker.ts'
import type { BenchOptions } from '../main.ts'
import { median } from '../statistics/summary.ts'
import { coreMs } from '../throughput/core-time.ts'
import { LARGE, type Load, messagesOf, runInQueue, SMALL } from './relay.ts'

const HERE = import.meta.dirname
const GROWTH = 1.2
const PAGE_BYTES = 4096
const MIB = 2 ** 20

interface Compared {
  readonly property: string
  readonly load: Load
  /** Executions a round, of norn and of the baseline. */
  readonly runs: readonly [norn: number, baseline: number]
  /** What norn is to reach, in executions per second. */
  readonly wanted: number
}

const COMPARED: readonly Compared[] = [
  { property: '1,000 messages', load: LARGE, runs: [600, 6000], wanted: 200 },
  { property: '20 messages', load: SMALL, runs: [20_000, 200_000], wanted: 10_000 },
]

export async function main({ smoke, json, only = '' }: BenchOptions): Promise<void> {
  const say = (row: Record<string, unknown>, text: string) => console.log(json ? JSON.stringify(row) : text)
  const file = resolve(HERE, 'relay.fuzz.ts')
  const worker = new Worker({ file, root: HERE, aliases: [] })
  try {
    const properties = await worker.list()
    for (const compared of COMPARED) {
      if (!compared.property.includes(only)) continue
      const listed = properties.find(({ name }) => name.startsWith(compared.property))!
      const row = await compare(worker, listed, compared, smoke ? 2 : 7, smoke ? 0.05 : 1)
      say(
        { suite: 'cluster', subject: compared.property, ...row },
        `${compared.property}: ${row.perSecond} executions/s (${row.messagesPerSecond} messages/s), ` +
          `${row.wantedShare} times what is wanted, ${row.coreUs} us of its core for each; a loop over a queue: ${row.baselinePerSecond}/s, ${row.ratio} times as fast`,
      )
    }
  } finally {
    worker.close()
  }
  if ('memory'.includes(only)) await memory(file, smoke ? [500, 1000, 2000] : [10_000, 50_000, 100_000], say)
}

async function compare(
  worker: Worker,
  property: ListedProperty,
  { load, runs: [nornRuns, baselineRuns], wanted }: Compared,
  rounds: number,
  scale: number,
) {
  const messages = messagesOf(load)
  const baseline = () => {
    for (let run = 0; run < baselineRuns * scale; run++) {
      if (runInQueue(load) !== messages) throw new Error(`the baseline does not make ${messages} messages`)
    }
  }
  await explored(worker, property, Math.round(nornRuns * scale))
  baseline()
  const rates: (readonly [norn: number, baseline: number])[] = []
  const usedMs = coreMs(worker.pid!)
  for (let round = 0; round < rounds; round++) {
    const norn = await perSecond(nornRuns * scale, () => explored(worker, property, Math.round(nornRuns * scale)))
    rates.push([norn, await perSecond(baselineRuns * scale, baseline)])
  }
  const coreUs = (1000 * (coreMs(worker.pid!) - usedMs)) / (rounds * Math.round(nornRuns * scale))
  const rate = median(rates.map(([norn]) => norn))
  return {
    messages,
    perSecond: Math.round(rate),
    messagesPerSecond: Math.round(rate * messages),
    baselinePerSecond: Math.round(median(rates.map(([, each]) => each))),
    ratio: Number(median(rates.map(([norn, each]) => each / norn)).toFixed(1)),
    coreUs: Number(coreUs.toFixed(1)),
    wantedShare: Number((rate / wanted).toFixed(2)),
  }
}

async function perSecond(count: number, run: () => unknown): Promise<number> {
  const began = performance.now()
  await run()
  return (1000 * count) / (performance.now() - began)
}

const EXPLORE = { seed: 1, strategy: 'portfolio', timeMs: 1e9, keepGoing: true, shrink: false, skip: 0 } as const

async function explored(worker: Worker, property: ListedProperty, runs: number): Promise<void> {
  const { passed } = await worker.explore(property, { ...EXPLORE, runs }, () => {})
  if (passed !== runs) throw new Error(`${runs - passed} executions of '${property.name}' did not pass`)
}

type Say = (row: Record<string, unknown>, text: string) => void

/** Of one campaign with many messages, in a process of its own. */
async function memory(file: string, marks: readonly number[], say: Say): Promise<void> {
  const worker = new Worker({ file, root: HERE, aliases: [] })
  try {
    const property = (await worker.list()).find(({ name }) => name.startsWith('1,000 messages'))!
    const held: number[] = []
    await worker.explore(property, { ...EXPLORE, runs: marks.at(-1)! }, (notice) => {
      if (notice.type === 'progress' && notice.executions >= (marks[held.length] ?? Number.POSITIVE_INFINITY))
        held.push(residentMib(worker.pid!))
    })
    while (held.length < marks.length) held.push(residentMib(worker.pid!))
    const growth = Number((held.at(-1)! / held[0]!).toFixed(2))
    say(
      { suite: 'cluster', subject: 'memory', executions: marks, mib: held, growth },
      `memory: ${marks.map((mark, at) => `${held[at]} MiB after ${mark}`).join(', ')}: ${growth} times`,
    )
    if (growth > GROWTH) process.exitCode = 1
  } finally {
    worker.close()
  }
}

function residentMib(pid: number): number {
  return Math.round((Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES) / MIB)
}
