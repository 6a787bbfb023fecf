/**
 * A fleet for a long time on all examples and subjects at once, with random kills: that its counts are exact,
 * and that neither Redis nor the machine fills up. Exits with 1 if they are not, or if it does.
 */
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { printer } from '../output.ts'
import type { CommonOptions } from '../suite.ts'
import { BenchFleet } from './processes.ts'

const WORKERS = 4
const DEFAULT_MS = 180_000
const SMOKE_MS = 20_000
/** Three kills a minute. */
const KILL_MS = 20_000
const FILES = ['examples', 'bench/subjects/races', 'bench/subjects/confuzz']

interface Options extends CommonOptions {
  readonly soakMs: number | undefined
}

export async function run({ smoke, json, soakMs = smoke ? SMOKE_MS : DEFAULT_MS }: Options): Promise<void> {
  const before = leftovers()
  const memory: number[] = []
  let kills = 0
  let row: Record<string, unknown> = {}
  {
    await using fleet = await BenchFleet.start()
    await fleet.declare(...FILES, '--continuous', '--keep-going', '--slice', '2s', '--seed', '1')
    for (let worker = 0; worker < WORKERS; worker++) fleet.work('--lease', '5s')
    const end = performance.now() + soakMs
    let killAt = performance.now() + KILL_MS * Math.random()
    let last = { executions: 0, shards: 0 }
    const shrunk: string[] = []
    while (performance.now() < end) {
      await delay(1000)
      if (performance.now() > killAt) {
        killAt += KILL_MS * 2 * Math.random()
        const victims = fleet.workers
        victims[Math.floor(Math.random() * victims.length)]!.kill('SIGKILL')
        fleet.work('--lease', '5s')
        kills++
      }
      const now = totals(await fleet.status())
      if (now.executions < last.executions || now.shards < last.shards) shrunk.push(JSON.stringify([last, now]))
      last = now
      memory.push(Number(/used_memory:(\d+)/.exec(await fleet.redis.command('info', 'memory'))![1]))
    }
    await fleet.drain()
    const status = await fleet.over()
    const announced = Number(await fleet.redis.command('hget', await campaignKey(fleet), 'searches'))
    const { executions, outcomes, shards } = totals(status)
    const half = Math.floor(memory.length / 2)
    row = {
      ...{ suite: 'fleet', part: 'soak', seconds: Math.round(soakMs / 1000), workers: WORKERS, kills },
      ...{ properties: status.properties.length, announced, shards, quarantined: status.quarantined.length },
      ...{ executions, uncounted: executions - outcomes, failures: status.failures.length, open: status.open },
      redisMb: [half, memory.length - 1].map((at) => Math.round((memory[at] ?? 0) / 1024 / 1024)),
      shrunk,
    }
  }
  const left = leftovers().filter((name) => !before.includes(name))
  const ok = row.uncounted === 0 && row.open === 0 && left.length === 0 && (row.shrunk as string[]).length === 0
  const lost = (row.announced as number) - (row.shards as number) - (row.quarantined as number)
  printer(json)(
    { ...row, lost, left },
    `${row.seconds} s, ${WORKERS} workers, ${kills} kills: ${row.shards} of ${row.announced} shards counted, ${row.quarantined} given up, ${row.executions} executions (${row.uncounted} of unknown outcome), ${row.failures} failures; Redis ${(row.redisMb as number[]).join(' MB, then ')} MB; left behind: ${left.join(', ') || 'nothing'}`,
  )
  if (!ok || lost !== 0) process.exitCode = 1
}

function totals({ properties }: Awaited<ReturnType<BenchFleet['status']>>) {
  const sum = (of: (each: (typeof properties)[number]) => number) => properties.reduce((all, each) => all + of(each), 0)
  return {
    executions: sum(({ executions }) => executions),
    outcomes: sum(({ passed, failed, voided, discarded }) => passed + failed + voided + discarded),
    shards: sum(({ shards }) => shards),
  }
}

async function campaignKey(fleet: BenchFleet): Promise<string> {
  return `norn:fleet:${await fleet.redis.command('hkeys', 'norn:fleet:campaigns')}`
}

/** What is left in the folder of temporary files, but for the folders of killed workers: the next one removes them. */
function leftovers(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => /^norn-(?!worker-)/.test(name))
}
