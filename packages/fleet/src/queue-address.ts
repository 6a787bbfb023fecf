/** Where the queue is: `--queue` or NORN_QUEUE, a URL of Redis. */
import { UsageError } from 'norn/internal/session'

const DEFAULT_PORT = 6379

/** The options of a connection, as ioredis takes them. */
export interface QueueAddress {
  readonly host: string
  readonly port: number
  readonly username?: string
  readonly password?: string
  readonly db: number
  readonly tls?: { readonly servername: string }
}

/**
 * Reads a URL: `redis://USER:PASSWORD@HOST:PORT/DATABASE`, or `rediss://` for TLS. A password outside of it, in
 * NORN_QUEUE_PASSWORD, does not show in lists of processes.
 *
 * @throws UsageError
 */
export function queueAddress(text: string | undefined, environment: NodeJS.ProcessEnv): QueueAddress {
  const named = text ?? environment.NORN_QUEUE
  const where = text === undefined ? 'NORN_QUEUE' : '--queue'
  if (named === undefined || named === '')
    throw new UsageError('norn fleet needs a queue: --queue redis://HOST:PORT, or NORN_QUEUE')
  const refuse = (why: string): never => {
    throw new UsageError(`${where}: ${why}: expected redis://HOST:PORT, or rediss:// for TLS`)
  }
  const url = URL.canParse(named) ? new URL(named) : refuse('not a URL')
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') refuse(`unknown protocol ${url.protocol}`)
  if (url.hostname === '') refuse('no host')
  const database = url.pathname.replace(/^\//, '')
  if (!/^\d*$/.test(database)) refuse(`the database is a number, not "${database}"`)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const password = decodeURIComponent(url.password) || environment.NORN_QUEUE_PASSWORD
  return {
    host,
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...(password ? { password } : {}),
    db: Number(database),
    ...(url.protocol === 'rediss:' ? { tls: { servername: host } } : {}),
  }
}

/** For people: without the password. */
export function shownAddress({ host, port, db, tls }: QueueAddress): string {
  const named = host.includes(':') ? `[${host}]` : host
  return `${tls === undefined ? 'redis' : 'rediss'}://${named}:${port}${db === 0 ? '' : `/${db}`}`
}
