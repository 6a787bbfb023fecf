/** Servers of Redis, of which each process starts its own; the keeper ends those that are left. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RedisTarget } from '../../contract/database.ts'
import { AT, type Databases } from '../../options/databases.ts'
import { DeviceError } from '../device.ts'
import { databaseOf, withNamed } from '../redis/named-server.ts'
import type { Kept } from './kept.ts'
import { clockFile, endServersIn, placeOf, program } from './machine.ts'
import { sessionClockLibrary } from './session-clock-library.ts'

const PORT = 6379

/** @throws DeviceError that says what is wrong */
export async function redisServers(parent: string, databases: Databases): Promise<Kept> {
  const folder = join(parent, 'redis')
  const declared = Object.entries(databases).flatMap(([name, options]) =>
    options.kind === 'redis' ? [[name, options] as const] : [],
  )
  for (const [name, { url }] of declared) if (url !== undefined) await check(name, new URL(url))
  const targets = declared.map(([name, options], index): RedisTarget => {
    const { url, prepare, variable = 'REDIS_URL', at = placeIn(url) ?? `127.0.0.1:${PORT + index}` } = options
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const library = sessionClockLibrary()
    const [, host, port] = AT.exec(at)!
    return {
      name,
      kind: 'redis',
      ...placeOf(host!, Number(port)),
      variable,
      url: `redis://${host}:${port}`,
      program: program('redis-server', 'install Redis (Debian: apt-get install redis-server)'),
      folder,
      ...(library === undefined ? {} : { library, clock: clockFile(folder) }),
      ...(url === undefined ? {} : { copied: url }),
      ...(prepare === undefined ? {} : { prepare }),
    }
  })
  return {
    targets,
    async remove() {
      if (targets.length > 0) endServersIn(folder)
    },
  }
}

/** @throws DeviceError if a server that the project names cannot be read */
async function check(name: string, url: URL): Promise<void> {
  try {
    await withNamed(url, (source) => source.ask(['SELECT', `${databaseOf(url)}`]))
  } catch (error) {
    throw new DeviceError(`database ${name}: url: ${(error as Error).message}`)
  }
}

function placeIn(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || PORT}`
}
