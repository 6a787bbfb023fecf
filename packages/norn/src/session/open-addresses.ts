/** `--open ADDRESS`: the addresses to which real sockets are let through (open mode). */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import type { OpenAddress } from '../contract/open-address.ts'
import { isLoopback } from '../world/network/addresses.ts'
import { UsageError } from './errors.ts'

const MAX_PORT = 65535

type Port = Pick<Extract<OpenAddress, { port: number }>, 'name' | 'host' | 'port'>

/**
 * Reads addresses of this machine.
 *
 * @param named each a HOST:PORT or the path of a Unix socket, or several separated by commas
 * @param what names where they come from
 * @throws UsageError that says what is wrong, and what to do
 */
export function openAddresses(named: readonly string[], what = '--open'): OpenAddress[] {
  return namesOf(named).map((name) => {
    if (isAbsolute(name)) return { name, path: name }
    const parsed = parse(name, what)
    const addresses = ownAddresses(parsed.host)
    if (addresses.length > 0) return { ...parsed, addresses }
    throw new UsageError(
      `${what} ${name}: ${parsed.host} is not this machine. Norn connects hundreds of times, in any order: test against a server on this machine, or add --open-anywhere if that host may receive this`,
    )
  })
}

/** Reads addresses of any machine, and looks their hosts up. @throws UsageError */
export function openAnywhere(named: readonly string[], what = '--open'): Promise<OpenAddress[]> {
  return Promise.all(
    namesOf(named).map(async (name) => {
      if (isAbsolute(name)) return { name, path: name }
      const parsed = parse(name, what)
      const own = ownAddresses(parsed.host)
      return { ...parsed, addresses: own.length > 0 ? own : await addressesOf(parsed.host, `${what} ${name}`) }
    }),
  )
}

function namesOf(named: readonly string[]): string[] {
  return [...new Set(named.flatMap((list) => list.split(',').map((name) => name.trim())))]
}

function parse(name: string, what: string): Port {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:[\]/\s]+)):(\d{1,5})$/.exec(name) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  const isValid = host !== undefined && (bracketed === undefined || isIP(host) === 6) && port >= 1 && port <= MAX_PORT
  if (isValid) return { name, host, port }
  throw new UsageError(
    `${what} ${name}: expected HOST:PORT, such as 127.0.0.1:5432, or the absolute path of a Unix socket`,
  )
}

/** The addresses of a host that is this machine; none for any other. */
function ownAddresses(host: string): string[] {
  if (host === 'localhost') return ['127.0.0.1', '::1']
  return isIP(host) !== 0 && isLoopback(host) ? [host] : []
}

async function addressesOf(host: string, what: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch (error) {
    throw new UsageError(`${what}: cannot look up ${host} (${(error as NodeJS.ErrnoException).code})`)
  }
}
