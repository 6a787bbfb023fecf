/**
 * Subscriptions to channels of Redis.
 *
 * They need a connection of their own, which is opened with the first. What is published while it is lost is
 * missed, so subscribers also poll.
 */
import type { Redis } from 'ioredis'

export class Subscriptions {
  readonly #redis: Redis
  #connection: Redis | undefined
  readonly #subscribers = new Map<string, Set<() => void>>()

  /** @param redis a connection of the same kind */
  constructor(redis: Redis) {
    this.#redis = redis
  }

  /** @returns ends the subscription */
  add(channel: string, published: () => void): () => void {
    this.#connection ??= this.#open()
    const subscribers = this.#subscribers.get(channel) ?? new Set()
    if (subscribers.size === 0) {
      this.#subscribers.set(channel, subscribers)
      this.#connection.subscribe(channel).catch(ignored)
    }
    subscribers.add(published)
    return () => {
      subscribers.delete(published)
      if (subscribers.size > 0 || this.#subscribers.get(channel) !== subscribers) return
      this.#subscribers.delete(channel)
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
      for (const published of this.#subscribers.get(channel) ?? []) published()
    })
    return connection
  }
}

/** The connection is lost, and comes back by itself. */
function ignored(): void {}
