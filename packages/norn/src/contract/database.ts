/** Databases of the world, as the processes of a call tell each other of them: plain data. */

/** Where a real server listens. */
export type ServerAddress = { readonly path: string } | { readonly host: string; readonly port: number }

/** A real server that is a device of the world. */
interface Target {
  /** As the configuration names it. */
  readonly name: string
  /** Where the program finds it: a name, the addresses in the world that it stands for, and a port. */
  readonly host: string
  readonly addresses: readonly string[]
  readonly port: number
  /** The variable of the environment that leads there, and what it says; without a password. */
  readonly variable: string
  readonly url: string
  /** The file of the clock of its processes, if norn sets it. */
  readonly clock?: string
}

export interface PostgresTarget extends Target {
  readonly kind: 'postgres'
  readonly server: ServerAddress
  readonly user: string
  readonly password?: string
  /** The database that each process copies. */
  readonly template: string
  /** The database as the program names it. */
  readonly database: string
}

/** Each process starts a server of its own. */
export interface RedisTarget extends Target {
  readonly kind: 'redis'
  readonly program: string
  /** The folder of its sockets. */
  readonly folder: string
  /** What it is preloaded with. */
  readonly library?: string
  /** A server whose contents it begins with, as a URL. */
  readonly copied?: string
  /** Commands that fill it. */
  readonly prepare?: string
}

/** Each process starts a server of its own. */
export interface MariadbTarget extends Target {
  readonly kind: 'mariadb'
  readonly program: string
  /** The folder of its sockets. */
  readonly folder: string
  /** What it is preloaded with. */
  readonly library: string
  readonly clock: string
  /** The folder of the data that each server copies. */
  readonly data: string
  /** As whom it runs, if not as this process. */
  readonly as?: { readonly uid: number; readonly gid: number }
}

export type DatabaseTarget = PostgresTarget | RedisTarget | MariadbTarget

export type DatabaseKind = DatabaseTarget['kind']
