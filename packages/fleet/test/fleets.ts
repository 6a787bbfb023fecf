/** Fleets of processes on a Redis of their own, as a person starts them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { Queue } from 'bullmq'
import { RedisServer } from '../../../systems/redis/server.ts'
import { type Line, MAIN, type Project, parsed, project } from '../../norn/test/cli/project.ts'

export { isSkipped } from '../../../systems/redis/server.ts'
export { parsed, project } from '../../norn/test/cli/project.ts'

/** A property that passes: each execution keeps the processor busy for some milliseconds. */
export const SLOW = `
import { fuzz } from 'norn'
fuzz('takes its time', {}, async () => {
  for (let turn = 0; turn < 5e6; turn++);
  await Promise.all([1, 2].map(() => new Promise((resolve) => setTimeout(resolve, 1))))
})
`

/** A lost update. */
export const RACE = `
import { fuzz } from 'norn'
import { readFile, writeFile } from 'node:fs/promises'
fuzz('no update is lost', {}, async () => {
  await writeFile('/tmp/norn-count', '0')
  const add = async () => writeFile('/tmp/norn-count', String(Number(await readFile('/tmp/norn-count', 'utf8')) + 1))
  await Promise.all([add(), add()])
  if ((await readFile('/tmp/norn-count', 'utf8')) !== '2') throw new Error('lost')
})
`

const POLL_MS = 50
/** So short that a lost worker is noticed soon. */
const LEASE = ['--lease', '1s']

export interface WorkerProcess {
  readonly child: ChildProcess
  /** What it has said so far. */
  said(): string
  /** Until it has said something. */
  says(text: string): Promise<void>
  end(signal: NodeJS.Signals): Promise<void>
}

export class TestFleet implements AsyncDisposable {
  readonly redis: RedisServer
  readonly here: Project
  readonly #workers: WorkerProcess[] = []

  private constructor(redis: RedisServer, here: Project) {
    this.redis = redis
    this.here = here
  }

  static async start(files: Readonly<Record<string, string>>): Promise<TestFleet> {
    return new TestFleet(await RedisServer.start(), project(files))
  }

  /** A worker; `environment` is added to that of this process. */
  work(environment: NodeJS.ProcessEnv = {}, root = this.here.root): WorkerProcess {
    return this.#start(['fleet', 'work', ...LEASE], environment, root)
  }

  #start(args: readonly string[], environment: NodeJS.ProcessEnv, root: string): WorkerProcess {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: root,
      env: { ...process.env, NORN_QUEUE: this.redis.url, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    let isClosed = false
    child.once('close', () => {
      isClosed = true
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (more: string) => {
        text += more
      })
    }
    const worker: WorkerProcess = {
      child,
      said: () => text,
      says: (wanted) =>
        until(
          () => {
            if (text.includes(wanted)) return true
            if (isClosed) throw new Error(`"${wanted}" was not said before the end, but:\n${text}`)
            return false
          },
          () => `"${wanted}" from a worker, which said:\n${text}`,
        ),
      async end(signal) {
        const ended = new Promise((resolve) => child.once('exit', resolve))
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill(signal)
        await ended
      },
    }
    this.#workers.push(worker)
    return worker
  }

  /** Declares a campaign that nobody watches. */
  async declare(...args: string[]): Promise<void> {
    const { status, stdout, stderr } = await this.here.call('fleet', 'fuzz', ...args, '--detach', ...this.flags)
    if (status !== 0) throw new Error(`${stdout}${stderr}`)
  }

  /** Declares a campaign and watches it, in a process. */
  watch(...args: string[]): WorkerProcess {
    return this.#start(['fleet', 'fuzz', ...args], {}, this.here.root)
  }

  /** Until the only process that watches has looked at the campaign so often, each time from its beginning. */
  async roundsOfWatcher(count: number): Promise<void> {
    // Each look, and nothing else that runs meanwhile, asks for the names of failures.
    const looks = async () => Number(/hkeys:calls=(\d+)/.exec(await this.redis.command('info', 'commandstats'))?.[1])
    const before = await looks()
    await until(
      async () => (await looks()) >= before + count,
      () => `${count} rounds of the watcher`,
    )
  }

  /** What `norn fleet status` says of the only campaign; nothing if there is none. */
  async status(): Promise<Line> {
    const { stdout } = await this.here.call('fleet', 'status', '--json', ...this.flags)
    return stdout === '' ? {} : parsed(stdout)[0]!
  }

  /** Until the campaign is over. */
  async over(): Promise<Line> {
    let last: Line = {}
    await until(
      async () => {
        last = await this.status()
        return last.isOver
      },
      () =>
        `the end of ${JSON.stringify(last)}; the workers said:\n${this.#workers.map((each) => each.said()).join('\n')}`,
    )
    return last
  }

  /** Puts anything into the queue. */
  async enqueue(data: unknown): Promise<void> {
    const { code } = JSON.parse(await this.redis.command('hvals', 'norn:fleet:campaigns'))
    const connection = { host: '127.0.0.1', port: this.redis.port }
    const queue = new Queue(`shards-${code}`, { prefix: 'norn', connection })
    await queue.add('search', data)
    await queue.close()
  }

  get flags(): string[] {
    return ['--queue', this.redis.url]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child } of this.#workers) child.kill('SIGCONT')
    await Promise.all(this.#workers.map((worker) => worker.end('SIGKILL')))
    await this.redis[Symbol.asyncDispose]()
  }
}

/** Waits without a bound of its own: the runner's is for what never comes. */
export async function until(condition: () => unknown, waitedFor: () => string): Promise<void> {
  const late = setTimeout(() => console.error(`still waiting for ${waitedFor()}`), 60_000)
  while (!(await condition())) await delay(POLL_MS)
  clearTimeout(late)
}
