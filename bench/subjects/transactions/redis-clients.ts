/** Clients of Redis: each connection takes commands. */
import { Redis } from 'ioredis'
import { createClient, WatchError } from 'redis'
import type { RedisClient } from '../../databases/transactions/program.ts'

export interface Connection {
  command(name: string, ...parts: readonly (string | number)[]): Promise<unknown>
  /** A transaction that is sent in one piece; undefined if a watched key was changed. */
  transaction(commands: readonly (readonly (string | number)[])[]): Promise<readonly unknown[] | undefined>
  end(): void
}

const CONNECT: Readonly<Record<RedisClient, () => Promise<Connection>>> = {
  async ioredis() {
    const client = new Redis(process.env.REDIS_URL!)
    return {
      command: (name, ...parts) => client.call(`${name}`, ...parts),
      async transaction(commands) {
        const multi = client.multi()
        for (const [name, ...parts] of commands) multi.call(`${name}`, ...parts)
        return (await multi.exec()) ?? undefined
      },
      end: () => client.disconnect(),
    }
  },
  async redis() {
    const client = createClient({ url: process.env.REDIS_URL! })
    await client.connect()
    return {
      command: (...parts) => client.sendCommand(parts.map(String)),
      async transaction(commands) {
        const multi = client.multi()
        for (const parts of commands) multi.addCommand(parts.map(String))
        try {
          return await multi.exec()
        } catch (error) {
          if (!(error instanceof WatchError)) throw error
          return undefined
        }
      },
      end: () => client.destroy(),
    }
  },
}

export function connect(client: RedisClient): Promise<Connection> {
  return CONNECT[client]()
}
