/** The options that all commands of a fleet have. */

import {
  type FleetFlags,
  processOptions,
  projectAliases,
  type RunFlags,
  type WorkerOptions,
} from 'norn/internal/session'
import { type QueueAddress, queueAddress } from '../queue-address.ts'

export function addressOf({ queue }: FleetFlags): QueueAddress {
  return queueAddress(queue, process.env)
}

export function startOf(root: string, options: RunFlags): (file: string) => WorkerOptions {
  const start = { root, aliases: projectAliases(root, options.alias), ...processOptions(options) }
  return (file) => ({ file, ...start })
}
