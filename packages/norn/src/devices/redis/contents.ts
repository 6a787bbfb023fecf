/** What a Redis holds when an execution begins, and how it is put back. */
import { DeviceError } from '../device.ts'
import type { Connection } from './connection.ts'
import { databaseOf, withNamed } from './named-server.ts'
import { words } from './resp.ts'

/** Settings that programs change and rely on. */
const SETTINGS = ['notify-keyspace-events', 'maxmemory', 'maxmemory-policy'] as const

const DATABASES = 16

interface Key {
  readonly key: Buffer
  readonly dump: Buffer
  readonly leftMs: string
}

export class Contents {
  readonly #control: Connection
  readonly #databases = new Map<number, readonly Key[]>()

  private constructor(control: Connection) {
    this.#control = control
  }

  /**
   * @param prepare commands that fill it, one a line, as redis-cli takes them
   * @param copied the URL of a server whose contents it has before; that is only read
   */
  static async of(control: Connection, prepare = '', copied?: string): Promise<Contents> {
    const contents = new Contents(control)
    if (copied !== undefined) await copy(new URL(copied), control)
    const lines = prepare.split('\n').filter((line) => line.trim() !== '')
    for (const line of lines) await control.ask(argumentsOf(line))
    for (let database = 0; database < DATABASES; database++) await contents.#keep(database)
    return contents
  }

  async restore(): Promise<void> {
    const settings = SETTINGS.flatMap((name) => [
      name,
      name === 'maxmemory' ? '0' : name === 'maxmemory-policy' ? 'noeviction' : '',
    ])
    await this.#control.ask(
      ['FLUSHALL', 'SYNC'],
      ['SCRIPT', 'FLUSH', 'SYNC'],
      ['FUNCTION', 'FLUSH', 'SYNC'],
      ['CONFIG', 'SET', ...settings],
    )
    for (const [database, keys] of this.#databases) {
      const restored = keys.map(({ key, dump, leftMs }) => ['RESTORE', key, leftMs, dump])
      await this.#control.ask(['SELECT', `${database}`], ...restored)
    }
    if (this.#databases.size > 0) await this.#control.ask(['SELECT', '0'])
  }

  async #keep(database: number): Promise<void> {
    const kept = await keysOf(this.#control, database)
    if (kept.length > 0) this.#databases.set(database, kept)
    await this.#control.ask(['SELECT', '0'])
  }
}

/** What a database of a server holds. */
async function keysOf(server: Connection, database: number): Promise<Key[]> {
  const [, listed] = await server.ask(['SELECT', `${database}`], ['KEYS', '*'])
  const keys = words(listed!).sort(Buffer.compare)
  const kept: Key[] = []
  for (const key of keys) {
    const [dump, left] = await server.ask(['DUMP', key], ['PTTL', key])
    const start = dump!.indexOf('\r\n') + 2
    const leftMs = Math.max(0, Number(left!.toString('latin1', 1)))
    kept.push({
      key: Buffer.from(key),
      dump: Buffer.from(dump!.subarray(start, dump!.length - 2)),
      leftMs: `${leftMs}`,
    })
  }
  return kept
}

/** Brings all that a server holds in the database that its URL names. */
async function copy(url: URL, control: Connection): Promise<void> {
  const number = databaseOf(url)
  const keys = await withNamed(url, (source) => keysOf(source, number))
  const restored = keys.map(({ key, dump, leftMs }) => ['RESTORE', key, leftMs, dump])
  await control.ask(['SELECT', `${number}`], ...restored, ['SELECT', '0'])
}

/** Words of a line; those with spaces stand in quotes. */
function argumentsOf(line: string): string[] {
  const found = [...line.matchAll(/"((?:\\.|[^"])*)"|'((?:\\.|[^'])*)'|(\S+)/g)]
  if (found.length === 0) throw new DeviceError(`no command: ${line}`)
  return found.map(([, double, single, plain]) => (double ?? single)?.replaceAll(/\\(.)/g, '$1') ?? plain!)
}
