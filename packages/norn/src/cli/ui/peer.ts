/** Whose process is at the other end of a connection over the loopback interface. */
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

/** Sockets of IPv4, and those of IPv6 that are connected to addresses of IPv4. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']

/** 127.0.0.1 at the end of an address, as the kernel writes it: a word of the machine, in hexadecimal. */
const LOOPBACK = '0100007F'

/**
 * The user of the socket on 127.0.0.1 with a port that is connected to another port there.
 *
 * @param table of the kernel: a row a socket, whose columns are number, local address, remote address,
 *   state, queues, timer, retransmissions, user …
 */
export function userOf(table: string, port: number, connectedTo: number): number | undefined {
  const address = (number: number) => `${LOOPBACK}:${number.toString(16).toUpperCase().padStart(4, '0')}`
  for (const row of table.split('\n')) {
    const [, local = '', remote = '', , , , , user] = row.trim().split(/\s+/)
    if (local.endsWith(address(port)) && remote.endsWith(address(connectedTo))) return Number(user)
  }
  return undefined
}

/**
 * Whether a connection may be another user's. Not where the system does not say: only Linux does, and
 * other systems that run norn have one user, as a rule.
 */
export function isOthers({ remotePort = 0, localPort = 0 }: Socket): boolean {
  const tables = TABLES.flatMap((path) => {
    try {
      return [readFileSync(path, 'utf8')]
    } catch {
      return []
    }
  })
  if (tables.length === 0) return false
  const users = tables.map((table) => userOf(table, remotePort, localPort))
  return !users.some((user) => user !== undefined && (user === 0 || user === process.getuid?.()))
}
