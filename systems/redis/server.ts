/** A Redis of its own on loopback: its folder is a temporary one, its port is free, and it ends with its owner. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const PROGRAM = 'redis-server'
const { CI } = process.env

export function isInstalled(): boolean {
  return spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' }).status === 0
}

/** Whether tests are skipped. In CI the absence of Redis is a failure: `.ci/run` installs it. */
export const isSkipped = !isInstalled() && CI === undefined
if (isSkipped) console.warn('skipped: there is no redis-server; `npm run systems:redis` installs it')

export class RedisServer implements AsyncDisposable {
  readonly port: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'norn-redis-'))
  readonly #flags: readonly string[]
  #process: ChildProcess | undefined

  private constructor(port: number, flags: readonly string[]) {
    this.port = port
    this.#flags = flags
  }

  /** @param flags more of its options, such as `--maxmemory 10mb` */
  static async start(flags: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), flags)
    await server.start()
    return server
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts it, or starts it again with what it had stored. */
  async start(): Promise<void> {
    const own = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--dir', this.#folder]
    const kept = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']
    const child = spawn(PROGRAM, [...own, ...kept, ...this.#flags], { stdio: ['ignore', 'pipe', 'ignore'] })
    this.#process = child
    for await (const line of createInterface(child.stdout)) if (line.includes('Ready to accept connections')) break
    child.stdout.resume()
    if (child.exitCode !== null) throw new Error(`${PROGRAM} ended with ${child.exitCode}`)
  }

  /** Kills it; what it acknowledged is on disk. */
  async kill(): Promise<void> {
    const child = this.#process
    if (child === undefined) return
    this.#process = undefined
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** What `redis-cli` answers to a command. */
  async command(...words: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('redis-cli', ['-h', '127.0.0.1', '-p', `${this.port}`, ...words])
    return stdout.trim()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
