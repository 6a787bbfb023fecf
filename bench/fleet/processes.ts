/** Fleets of real processes on a Redis of their own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { RedisServer } from '../../systems/redis/server.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const MAIN = resolve(ROOT, 'packages/norn/src/cli/main.ts')
const FLAGS = ['-C', 'norn-source', '--no-warnings', MAIN, 'fleet']
const POLL_MS = 200

/** What `norn fleet status --json` says of a campaign. */
export interface Status {
  readonly isOver: boolean
  readonly open: number
  readonly failures: readonly string[]
  readonly quarantined: readonly unknown[]
  readonly properties: readonly {
    readonly property: string
    readonly executions: number
    readonly passed: number
    readonly failed: number
    readonly voided: number
    readonly discarded: number
    readonly shards: number
    readonly timeMs: number
  }[]
}

export class BenchFleet implements AsyncDisposable {
  readonly redis: RedisServer
  readonly #environment: NodeJS.ProcessEnv
  readonly #workers = new Set<ChildProcess>()

  private constructor(redis: RedisServer, environment: NodeJS.ProcessEnv) {
    this.redis = redis
    this.#environment = { ...process.env, NORN_QUEUE: redis.url, ...environment }
  }

  static async start(environment: NodeJS.ProcessEnv = {}): Promise<BenchFleet> {
    return new BenchFleet(await RedisServer.start(), environment)
  }

  /** Starts a process of the fleet. */
  work(...args: string[]): ChildProcess {
    const child = spawn(process.execPath, [...FLAGS, 'work', ...args], {
      cwd: ROOT,
      env: this.#environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    this.#workers.add(child)
    child.once('exit', () => this.#workers.delete(child))
    return child
  }

  get workers(): readonly ChildProcess[] {
    return [...this.#workers]
  }

  async declare(...args: string[]): Promise<void> {
    await this.#call('fuzz', ...args, '--detach')
  }

  async status(): Promise<Status> {
    const { stdout } = await this.#call('status', '--json')
    return JSON.parse(stdout.split('\n')[0]!)
  }

  /** Announces no more shards. */
  async drain(): Promise<void> {
    await this.#call('drain')
  }

  async over(): Promise<Status> {
    for (;;) {
      const status = await this.status()
      if (status.isOver) return status
      await delay(POLL_MS)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.workers.map(async (child) => {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }),
    )
    await this.redis[Symbol.asyncDispose]()
  }

  #call(...args: string[]) {
    return promisify(execFile)(process.execPath, [...FLAGS, ...args], { cwd: ROOT, env: this.#environment })
  }
}
