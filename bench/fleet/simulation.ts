/**
 * Simulated workers on a real Redis: each takes shards as a real one does, waits instead of searching, and
 * delivers a result of the size of a real one. First without a pause, which shows the limit of the queue; then
 * with shards of 30 s, which shows what coordination costs: all that a worker does between two searches.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { Ledger } from '../../packages/fleet/src/ledger.ts'
import { parseShard } from '../../packages/fleet/src/shard.ts'
import { NOTHING_YET, type Standing } from '../../packages/fleet/src/standing.ts'
import { Steward } from '../../packages/fleet/src/steward.ts'
import { chance } from '../../packages/norn/src/tape/chance.ts'
import { RedisServer } from '../../systems/redis/server.ts'
import { printer } from '../output.ts'
import { mean, median } from '../statistics/summary.ts'
import type { CommonOptions } from '../suite.ts'

const PROPERTIES = 20
const FULL = { workers: 1000, shards: 10_000, sliceMs: 30_000, rounds: 3 }
const SMOKE = { workers: 50, shards: 200, sliceMs: 2000, rounds: 2 }
/** Species of a real result, as the ledger keeps them. */
const SPECIES = 4096
/** Clients of Redis: real workers have one each. */
const CONNECTIONS = 20
interface Options extends CommonOptions {
  readonly workers: number | undefined
}

export async function run({ smoke, json, workers: asked }: Options): Promise<void> {
  const effort = smoke ? SMOKE : FULL
  const workers = asked ?? effort.workers
  for (const [sliceMs, shards] of [
    [0, effort.shards],
    [effort.sliceMs, workers * effort.rounds],
  ] as const) {
    const row = await simulate(workers, shards, sliceMs)
    const cost = row.costPercent === null ? '' : `, coordination costs ${row.costPercent} % of a worker's time`
    const text = `${workers} workers, shards of ${sliceMs / 1000} s: ${row.shardsPerSecond} shards/s, a merge takes ${row.medianMergeMs} ms${cost}, Redis holds ${row.redisMb} MB; ${row.lost} lost, ${row.doubled} doubled`
    printer(json)(row, text)
    if (row.lost !== 0 || row.doubled !== 0) process.exitCode = 1
  }
}

/** @param sliceMs how long each search takes; the first ones begin spread over that time */
async function simulate(workers: number, shards: number, sliceMs: number) {
  const { Queue, Worker } = await import('bullmq')
  await using server = await RedisServer.start()
  const connection = { host: '127.0.0.1', port: server.port, maxRetriesPerRequest: null }
  const clients = Array.from({ length: CONNECTIONS }, () => new Redis(connection))
  const queue = new Queue('shards-simulated', { prefix: 'norn', connection: clients[0]! })
  const ledgers = clients.map((client) => new Ledger(client, 'norn'))
  const stewards = ledgers.map((ledger) => new Steward(queue, ledger))
  const campaign = {
    id: 'simulated',
    code: 'simulated',
    codeText: 'simulated',
    properties: Array.from({ length: PROPERTIES }, (_, at) => ({ file: `${at}.fuzz.ts`, property: `p${at}` })),
    ...{ seed: 1, keepGoing: true, isSharing: true, sliceMs: 1, budgetMs: 0, shards, declaredAt: '' },
  }
  await ledgers[0]!.declare(campaign)
  await stewards[0]!.announce(campaign, workers)
  const merges: number[] = []
  /** Between the end of a search and the beginning of the next, of each worker. */
  const gaps: number[] = []
  let taken = 0
  const began = performance.now()
  const running = Array.from({ length: workers }, (_, slot) => {
    const ledger = ledgers[slot % CONNECTIONS]!
    const steward = stewards[slot % CONNECTIONS]!
    let ended: number | undefined
    const worker = new Worker(
      'shards-simulated',
      async ({ data }) => {
        if (ended !== undefined) gaps.push(performance.now() - ended)
        await delay(ended === undefined ? (sliceMs * slot) / workers : sliceMs)
        ended = performance.now()
        const shard = parseShard(data)
        const index = campaign.properties.findIndex(({ file }) => file === shard.file)
        const start = performance.now()
        if (await ledger.take(shard, index, resultOf(shard.number), false)) taken++
        merges.push(performance.now() - start)
        await steward.announce(campaign, workers)
      },
      { prefix: 'norn', connection: clients[slot % CONNECTIONS]!, lockDuration: 120_000, skipStalledCheck: true },
    )
    worker.on('failed', (_, error) => {
      throw error
    })
    return worker
  })
  while ((await ledgers[0]!.state(campaign))!.open > 0) await delay(100)
  const seconds = (performance.now() - began) / 1000
  const memory = /used_memory_peak:(\d+)/.exec(await server.command('info', 'memory'))![1]!
  const perSecond = taken / seconds
  const standings = await ledgers[0]!.standings(campaign)
  const counted = standings.reduce((sum, standing) => sum + standing.shards, 0)
  await Promise.all(running.map((worker) => worker.close(true)))
  await queue.close()
  for (const client of clients) client.disconnect()
  return {
    ...{ suite: 'fleet', part: 'simulation', workers, sliceMs, shards: taken },
    ...{ lost: shards - counted, doubled: counted - taken },
    shardsPerSecond: Math.round(perSecond),
    medianMergeMs: rounded(median(merges)),
    costPercent: sliceMs === 0 ? null : rounded((100 * mean(gaps)) / (sliceMs + mean(gaps))),
    redisMb: Math.round(Number(memory) / 1024 / 1024),
  }
}

function rounded(number: number): number {
  return Math.round(number * 10) / 10
}

/** A result with as many species as the ledger keeps. */
function resultOf(number: number): Standing {
  const random = chance(number)
  const kept = Uint32Array.from({ length: SPECIES }, () => random.integer(0, 2 ** 20))
  const { summary } = NOTHING_YET
  const species = { samples: 1000, halvings: 0, kept, seenIn: new Uint8Array(SPECIES).fill(1) }
  const counts = { executions: 1000, passed: 1000 }
  return {
    ...NOTHING_YET,
    shards: 1,
    timeMs: 1,
    summary: { ...summary, ...counts, stop: { ...summary.stop, species } },
  }
}
