/** Executions of nodes of Maelstrom, without the world. */
import { resolve } from 'node:path'
import type { ClusterOptions } from '../../norn/src/cluster/definition.ts'
import { logText } from '../../norn/src/cluster/log.ts'
import { runSchedule } from '../../norn/src/cluster/run.ts'
import { Simulation } from '../../norn/src/cluster/simulation.ts'
import type { System } from '../../norn/src/cluster/system.ts'
import { type MaelstromOptions, type MaelstromRequest, maelstrom } from '../src/maelstrom.ts'

export const fixture = (name: string, ...args: string[]) => [
  name.endsWith('.py') ? 'python3' : process.execPath,
  resolve(import.meta.dirname, 'fixtures', name),
  ...args,
]

export interface Executed {
  readonly log: string
  /** The first reply to each request. */
  readonly replies: readonly unknown[]
  readonly nowMs: number
}

interface ExecuteOptions extends MaelstromOptions {
  readonly requests: readonly MaelstromRequest[]
  readonly cluster?: Partial<ClusterOptions>
}

/** One execution under the default schedule. */
export function execute(command: readonly string[], { requests, cluster, ...options }: ExecuteOptions): Executed {
  return executeCluster(maelstrom(command, options), requests, cluster)
}

export function executeCluster(
  system: System,
  requests: readonly MaelstromRequest[],
  cluster: Partial<ClusterOptions> = {},
): Executed {
  const all = { steps: 100, ...cluster, system: () => system } as ClusterOptions
  const simulation = new Simulation({ cluster: all, requests, random: () => 0.5 })
  try {
    simulation.start()
    runSchedule(simulation, { next: () => 0 })
  } finally {
    system.finish!()
  }
  const replies = simulation.requests.map((request) => request.replies[0])
  return { log: logText(simulation.log), replies, nowMs: simulation.nowUs / 1000 }
}
