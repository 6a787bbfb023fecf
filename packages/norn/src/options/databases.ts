/**
 * Databases of a project: real servers that take part in executions. Norn starts a private one, or makes databases of
 * its own in one that the project names.
 */
import type { DatabaseKind } from '../contract/database.ts'
import { type Refuse, shown } from './refusal.ts'

/**
 * A database of PostgreSQL.
 *
 * @public
 */
export interface PostgresOptions {
  /** A server that runs, as a URL: norn copies the database that it names, and writes only to copies. */
  readonly url?: string | undefined
  /** SQL that makes the database, in a server that norn starts; a path begins at the folder of the configuration. */
  readonly schema?: string
  /** A command that fills it, once, such as `npx prisma migrate deploy`; its variable leads to the new database. */
  readonly prepare?: string
  /** The name of the database. Default: that of the URL, or `norn`. */
  readonly database?: string
  /** The variable in which the program finds the URL. Default: `DATABASE_URL`. */
  readonly variable?: string
  /** Where the program finds it, as HOST:PORT. Default: that of the URL, or `127.0.0.1:5432`. */
  readonly at?: string
}

/**
 * A Redis. Each process of executions starts one of its own.
 *
 * @public
 */
export interface RedisOptions {
  /** A server that runs, as a URL: executions begin with a copy of what it holds; it is only read. */
  readonly url?: string | undefined
  /** What a server that norn starts holds when an execution begins: commands of redis-cli, one a line. */
  readonly prepare?: string
  /** The variable in which the program finds the URL. Default: `REDIS_URL`. */
  readonly variable?: string
  /** Where the program finds it, as HOST:PORT. Default: `127.0.0.1:6379`. */
  readonly at?: string
}

/**
 * A MariaDB. Each process of executions starts one of its own.
 *
 * @public
 */
export interface MariadbOptions {
  /** A server of MariaDB or MySQL, as a URL. Executions begin with a copy of its database; it is only read. */
  readonly url?: string | undefined
  /** SQL that makes the database, in a server that norn starts; a path begins at the folder of the configuration. */
  readonly schema?: string
  /** A command that fills it, once; its variable leads to the new database, at a Unix socket. */
  readonly prepare?: string
  /** The name of the database. Default: that of the URL, or `norn`. */
  readonly database?: string
  /** The variable in which the program finds the URL. Default: `DATABASE_URL`. */
  readonly variable?: string
  /** Where the program finds it, as HOST:PORT. Default: that of the URL, or `127.0.0.1:3306`. */
  readonly at?: string
}

/** A database of a project, as `postgres`, `mariadb` or `redis` declares it. @public */
export type DatabaseOptions =
  | ({ readonly kind: 'postgres' } & PostgresOptions)
  | ({ readonly kind: 'mariadb' } & MariadbOptions)
  | ({ readonly kind: 'redis' } & RedisOptions)

/** @public */
export type Databases = Readonly<Record<string, DatabaseOptions>>

/**
 * Declares a database of PostgreSQL for `databases` of a configuration.
 *
 * @public
 */
export function postgres(options: PostgresOptions = {}): DatabaseOptions {
  return { kind: 'postgres', ...options }
}

/**
 * Declares a MariaDB for `databases` of a configuration.
 *
 * @public
 */
export function mariadb(options: MariadbOptions = {}): DatabaseOptions {
  return { kind: 'mariadb', ...options }
}

/**
 * Declares a Redis for `databases` of a configuration.
 *
 * @public
 */
export function redis(options: RedisOptions = {}): DatabaseOptions {
  return { kind: 'redis', ...options }
}

const KEYS: Readonly<Record<DatabaseKind, readonly string[]>> = {
  mariadb: ['url', 'schema', 'prepare', 'database', 'variable', 'at'],
  postgres: ['url', 'schema', 'prepare', 'database', 'variable', 'at'],
  redis: ['url', 'prepare', 'variable', 'at'],
}

export const AT = /^([\w.-]+):(\d{1,5})$/
const NAME = /^\w{1,20}$/

/** Checks the databases of a configuration. */
export function checkDatabases(name: string, value: unknown, refuse: Refuse): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse(`option ${name} must be an object of databases by name, such as { main: postgres() }: ${shown(value)}`)
  for (const [key, database] of Object.entries(value)) checkDatabase(`${name}.${key}`, key, database, refuse)
}

function checkDatabase(place: string, key: string, value: unknown, refuse: Refuse): void {
  if (!NAME.test(key)) refuse(`${place}: names of databases have at most 20 letters, digits and underscores`)
  const kind = (value as Partial<DatabaseOptions> | null)?.kind
  if (kind === undefined || !Object.hasOwn(KEYS, kind))
    refuse(`${place} must be declared by postgres(…), mariadb(…) or redis(…) of norn: ${shown(value)}`)
  for (const [option, text] of Object.entries(value as object)) {
    if (option === 'kind') continue
    if (!KEYS[kind].includes(option))
      refuse(`${place}: unknown option ${option}; ${kind}() takes ${KEYS[kind].join(', ')}`)
    // An URL that a variable should have named is missing: a private server instead would be a surprise.
    if (option === 'url' && text === undefined)
      refuse(`${place}.url is undefined: set the variable that it is read from, or leave \`url\` out`)
    if (typeof text !== 'string' || text === '') refuse(`${place}.${option} must be a text: ${shown(text)}`)
  }
  const { url, schema, at, variable } = value as PostgresOptions
  if (url !== undefined && schema !== undefined)
    refuse(`${place} has a url and a schema: with a schema norn starts a server of its own; keep one`)
  if (url !== undefined) URLS[kind](url, (why) => refuse(`${place}.url: ${why}`))
  if (at !== undefined && !AT.test(at)) refuse(`${place}.at must be HOST:PORT: ${shown(at)}`)
  if (variable !== undefined && !/^\w+$/.test(variable)) refuse(`${place}.variable is no name of a variable`)
}

/** Reads the URL of a PostgreSQL server; messages leave its password out. */
export const urlOf = readerOf(/^postgres(?:ql)?:$/, 'postgres')

/** Reads the URL of a server of MariaDB or MySQL; messages leave its password out. */
export const mariadbUrlOf = readerOf(/^(?:mysql|mariadb):$/, 'mysql')

function readerOf(protocol: RegExp, shown: string): (text: string, refuse: (why: string) => never) => URL {
  return (text, refuse) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url === undefined || !protocol.test(url.protocol))
      return refuse(`expected ${shown}://USER:PASSWORD@HOST:PORT/DATABASE`)
    if (url.pathname.length < 2) return refuse(`${withoutPassword(url)} names no database`)
    return url
  }
}

/** Reads the URL of a Redis server; messages leave its password out. */
export function redisUrlOf(text: string, refuse: (why: string) => never): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'redis:' || url.hostname === '')
    return refuse('expected redis://USER:PASSWORD@HOST:PORT/NUMBER')
  return url
}

const URLS = { mariadb: mariadbUrlOf, postgres: urlOf, redis: redisUrlOf } as const

/** The same URL as reports may show it. */
export function withoutPassword(url: URL): string {
  const shown = new URL(url)
  shown.password = ''
  return shown.href
}
