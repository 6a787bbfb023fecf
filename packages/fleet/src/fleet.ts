/** The connections of one process to a fleet. */
import type { Processor, Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { UndecidedError } from 'norn/internal/session'
import { Ledger } from './ledger.ts'
import { type QueueAddress, shownAddress } from './queue-address.ts'
import { type QueueModules, queueModules } from './queue-modules.ts'
import { Steward } from './steward.ts'

/** A command that waits longer has failed. */
const COMMAND_MS = 10_000
const MAX_RECONNECT_MS = 5000
/** An idle worker looks so often for what it was not told of, in seconds. */
const IDLE_S = 1
/** A connection that is lost for so long is not waited for at the end. */
const CLOSE_MS = 2000
/** How long the number of workers is remembered, in milliseconds. */
const WORKERS_MS = 2000

export interface FleetOptions {
  readonly address: QueueAddress
  readonly prefix: string
  /** Called when the connection is lost, with the reason, and when it is there again. */
  readonly changed?: (lost: string | undefined) => void
}

export class Fleet {
  readonly ledger: Ledger
  readonly #modules: QueueModules
  readonly #options: FleetOptions
  readonly #redis: Redis
  readonly #queues = new Map<string, Queue>()
  readonly #workers: Worker[] = []
  #isLost = false

  private constructor(modules: QueueModules, options: FleetOptions) {
    this.#modules = modules
    this.#options = options
    this.#redis = new modules.Redis({
      ...options.address,
      maxRetriesPerRequest: 1,
      commandTimeout: COMMAND_MS,
      lazyConnect: true,
      retryStrategy: (times) => Math.min(times * 100, MAX_RECONNECT_MS),
    })
    this.#redis.on('error', (error: Error) => this.#lost(error))
    this.#redis.on('ready', () => this.#back())
    this.ledger = new Ledger(this.#redis, options.prefix)
  }

  /** @throws UsageError if BullMQ is not installed */
  static async open(options: FleetOptions): Promise<Fleet> {
    return new Fleet(await queueModules(), options)
  }

  /** @throws UndecidedError unless the queue answers */
  async reach(): Promise<void> {
    try {
      await this.#redis.ping()
    } catch (error) {
      const shown = shownAddress(this.#options.address)
      throw new UndecidedError(`cannot reach the queue at ${shown}: ${reasonOf(error)}`)
    }
  }

  /** The queue of the shards for some code. @param code the hash of its identity */
  queue(code: string): Queue {
    let queue = this.#queues.get(code)
    if (queue === undefined) {
      const { Queue } = this.#modules.bullmq
      queue = new Queue(queueName(code), { prefix: this.#options.prefix, connection: this.#connection() })
      queue.on('error', () => {})
      this.#queues.set(code, queue)
    }
    return queue
  }

  steward(code: string): Steward {
    return new Steward(this.queue(code), this.ledger)
  }

  /** How many workers have the code. @param isExact whether they are counted now, which takes Redis a while */
  async workers(code: string, isExact = false): Promise<number> {
    const count = () => this.queue(code).getWorkersCount()
    return isExact ? count() : this.ledger.workers(code, WORKERS_MS, count)
  }

  /**
   * Takes shards one after the other.
   *
   * @param leaseMs a worker that does not renew its shard for so long has lost it to another
   * @param losses after so many losses of its worker a shard is given up
   */
  work(
    code: string,
    name: string,
    leaseMs: number,
    losses: number,
    run: (data: unknown) => Promise<'for another' | 'done'>,
  ): Worker {
    const { Worker, WaitingError } = this.#modules.bullmq
    const process: Processor = async (job, token) => {
      if ((await run(job.data)) === 'done') return
      await job.moveToWait(token)
      // Else this worker would be the first to take it again.
      await new Promise((resolve) => setTimeout(resolve, 2 * IDLE_S * 1000))
      throw new WaitingError()
    }
    const worker = new Worker(queueName(code), process, {
      prefix: this.#options.prefix,
      connection: this.#connection(),
      name,
      drainDelay: IDLE_S,
      lockDuration: leaseMs,
      stalledInterval: leaseMs,
      maxStalledCount: losses - 1,
    })
    worker.on('error', () => {})
    this.#workers.push(worker)
    return worker
  }

  async close(): Promise<void> {
    const closing = [...this.#workers, ...this.#queues.values()].map((each) => each.close())
    const closed = Promise.allSettled(closing).then(() => true)
    // It waits for shards under way, but not for a queue that cannot be reached.
    const late = () => new Promise<boolean>((resolve) => setTimeout(resolve, CLOSE_MS, this.#isLost).unref())
    while (!(await Promise.race([closed, late()])));
    this.ledger.close()
    this.#redis.disconnect()
  }

  #connection() {
    return { ...this.#options.address, maxRetriesPerRequest: null }
  }

  #lost(error: Error): void {
    if (this.#isLost) return
    this.#isLost = true
    this.#options.changed?.(reasonOf(error))
  }

  #back(): void {
    if (!this.#isLost) return
    this.#isLost = false
    this.#options.changed?.(undefined)
  }
}

function queueName(code: string): string {
  return `shards-${code}`
}

/** Several addresses of a host fail together, without a message. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return message || code || 'no answer'
}
