/** The options that all commands of a fleet have. */
import { type QueueAddress, queueAddress } from '../../fleet/queue-address.ts'
import type { WorkerOptions } from '../../process/worker.ts'
import type { Alias } from '../../session/aliases.ts'
import { executionLimits, projectAliases } from '../../session/project.ts'

export interface FleetCommandOptions {
  readonly queue?: string
  readonly prefix: string
  readonly json: boolean
}

/** The options of those that run code of the project. */
export interface LocalOptions {
  readonly alias: readonly Alias[]
  readonly hang?: number
  readonly memory?: number
  readonly allowAddon?: readonly string[]
}

export function addressOf({ queue }: FleetCommandOptions): QueueAddress {
  return queueAddress(queue, process.env)
}

export function startOf(root: string, options: LocalOptions): (file: string) => WorkerOptions {
  const start = { root, aliases: projectAliases(root, options.alias), ...executionLimits(options) }
  return (file) => ({ file, ...start })
}
