/**
 * Tells those who wait that something was published on a channel of Redis.
 *
 * It needs a connection of its own, which is opened with the first who listens. What is published while that
 * is lost is not told: whoever listens looks by itself from time to time.
 */
import type { Redis } from 'ioredis'

export class News {
  readonly #redis: Redis
  #connection: Redis | undefined
  readonly #hearers = new Map<string, Set<() => void>>()

  /** @param redis a connection of the same kind */
  constructor(redis: Redis) {
    this.#redis = redis
  }

  /** @returns ends that */
  listen(channel: string, heard: () => void): () => void {
    this.#connection ??= this.#open()
    const hearers = this.#hearers.get(channel) ?? new Set()
    if (hearers.size === 0) {
      this.#hearers.set(channel, hearers)
      this.#connection.subscribe(channel).catch(ignored)
    }
    hearers.add(heard)
    return () => {
      hearers.delete(heard)
      if (hearers.size > 0 || this.#hearers.get(channel) !== hearers) return
      this.#hearers.delete(channel)
      this.#connection?.unsubscribe(channel).catch(ignored)
    }
  }

  close(): void {
    this.#connection?.disconnect()
    this.#connection = undefined
  }

  #open(): Redis {
    const connection = this.#redis.duplicate()
    connection.on('error', ignored)
    connection.on('message', (channel: string) => {
      for (const heard of this.#hearers.get(channel) ?? []) heard()
    })
    return connection
  }
}

/** The connection is lost, and comes back by itself. */
function ignored(): void {}
