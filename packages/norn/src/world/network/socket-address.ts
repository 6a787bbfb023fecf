/** Addresses of sockets as Node shows them to programs. */
import type { Address } from './addresses.ts'

interface SocketAddress {
  address: string
  family: string
  port: number
}

export function socketAddress({ address, family, port }: Address): SocketAddress {
  return { address, family: `IPv${family}`, port }
}

/** Answers `getsockname` or `getpeername`: fills `out`, or returns the error `missing` without an address. */
export function fillAddress(out: Partial<SocketAddress>, address: Address | undefined, missing: number): number {
  if (address === undefined) return missing
  const shown = socketAddress(address)
  out.address = shown.address
  out.family = shown.family
  out.port = shown.port
  return 0
}
