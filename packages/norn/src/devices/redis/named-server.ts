/** A server of Redis that the project names by a URL. It is only read. */
import { withoutPassword } from '../../options/databases.ts'
import { DeviceError } from '../device.ts'
import { Connection } from './connection.ts'

/** The number of the database that a URL names. */
export const databaseOf = ({ pathname }: URL): number => Number(pathname.slice(1)) || 0

/** Does something with a connection to a server. @throws DeviceError that names it, without its password */
export async function withNamed<Result>(url: URL, action: (source: Connection) => Promise<Result>): Promise<Result> {
  let source: Connection | undefined
  try {
    const { hostname, port, username, password } = url
    source = await Connection.open({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) })
    const words = [username, password].filter((word) => word !== '').map(decodeURIComponent)
    if (words.length > 0) await source.ask(['AUTH', ...words])
    return await action(source)
  } catch (error) {
    throw new DeviceError(`${withoutPassword(url)}: ${(error as Error).message}`)
  } finally {
    source?.end()
  }
}
