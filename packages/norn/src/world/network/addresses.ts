/** Addresses of the network, in the canonical text form that Node shows. Pure. */

export type Family = 4 | 6

export interface Address {
  readonly family: Family
  readonly address: string
  readonly port: number
}

const ANY = { 4: '0.0.0.0', 6: '::' } as const
const MAPPED = '::ffff:'

export function isAny(address: string): boolean {
  return address === ANY[4] || address === ANY[6]
}

/** The address that a connection to `address` reaches: any address means this machine. */
export function reached(address: string): string {
  if (address === ANY[6]) return '::1'
  return address === ANY[4] ? '127.0.0.1' : address
}

/** The IPv4 address inside an IPv6 one; undefined if there is none. */
export function mapped(address: string): string | undefined {
  const inner = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : ''
  return inner.includes('.') ? inner : undefined
}

export function map(address: string): string {
  return MAPPED + address
}

/** Whether the address is of this machine alone, so that no packet leaves it. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || isAny(address)
}

/** Whether an address of IPv6 is valid on one link alone, and names none: Linux refuses to bind it. */
export function isLinkLocal(address: string): boolean {
  return /^fe[89ab].:[^%]*$/i.test(address)
}

/** The address and the port as people write them. */
export function shown({ family, address, port }: Address): string {
  return family === 6 ? `[${address}]:${port}` : `${address}:${port}`
}
