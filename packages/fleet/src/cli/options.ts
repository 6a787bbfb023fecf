/** The options that all commands of a fleet have. */

import {
  executionLimits,
  type FleetCommandOptions,
  type LocalOptions,
  projectAliases,
  type WorkerOptions,
} from 'norn/internal/session'
import { type QueueAddress, queueAddress } from '../queue-address.ts'

export function addressOf({ queue }: FleetCommandOptions): QueueAddress {
  return queueAddress(queue, process.env)
}

export function startOf(root: string, options: LocalOptions): (file: string) => WorkerOptions {
  const start = { root, aliases: projectAliases(root, options.alias), ...executionLimits(options) }
  return (file) => ({ file, ...start })
}
