/**
 * BullMQ and its client of Redis. Both are optional peers: only `norn fleet` loads them, and a project
 * without a fleet does not install them.
 */
import type * as BullMq from 'bullmq'
import type { Redis } from 'ioredis'
import { UsageError } from 'norn/internal/session'

export interface QueueModules {
  readonly bullmq: typeof BullMq
  readonly Redis: typeof Redis
}

/** @throws UsageError if they are not installed */
export async function queueModules(): Promise<QueueModules> {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')])
    return { bullmq, Redis: ioredis.Redis }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError('norn fleet needs BullMQ and a client of Redis: npm install --save-dev bullmq ioredis')
  }
}
