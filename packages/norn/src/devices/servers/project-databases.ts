/** The databases of a call: those of the configuration, and those of flags. */
import type { DatabaseTarget } from '../../contract/database.ts'
import { type DatabaseOptions, type Databases, mariadb, postgres, redis } from '../../options/databases.ts'
import type { ProcessOptions } from '../../options/table.ts'
import { startDatabases } from './start.ts'

type Named = Pick<ProcessOptions, 'databases' | 'postgres' | 'mariadb' | 'redis'>

/** Starts what the options name, once in a process. @throws DeviceError that says what is wrong */
export function databasesOf(options: Named): readonly DatabaseTarget[] {
  const all = declaredBy(options)
  return Object.keys(all).length === 0 ? [] : startDatabases(all)
}

/** A flag declares a database in the place of those of its kind. */
function declaredBy({ databases = {}, postgres: pg, mariadb: my, redis: url }: Named): Databases {
  const flags: DatabaseOptions[] = [
    ...(pg === undefined ? [] : [postgres(serverOf(pg))]),
    ...(my === undefined ? [] : [mariadb(serverOf(my))]),
    ...(url === undefined ? [] : [url === true ? redis() : redis({ url })]),
  ]
  const others = Object.entries(databases).filter(([, { kind }]) => !flags.some((flag) => flag.kind === kind))
  return Object.fromEntries([...others, ...flags.map((flag) => [flag.kind, flag])])
}

const serverOf = (text: string) => (text.endsWith('.sql') ? { schema: text } : { url: text })
