/**
 * The faults of the network: an entry says all there is of a kind. Its name is the one in the option
 * `faults`; its outcomes are what a report says, and what happens.
 *
 * Only what TCP and UDP allow: bytes that arrive, arrive in order and without a gap; after a reset
 * or a close nothing more does.
 */

/** What may meet a fault: a connection to a server, a datagram, a lookup, a query to a name server. */
export type NetworkPoint = 'connect' | 'message' | 'lookup' | 'query'

/** How a connection ends in the middle of what one side sends. */
export interface Severing {
  /** What the fault is called where the tape names it, and what it did. */
  readonly call: string
  readonly did: string
  /** Both ends are reset, or both receive the end. */
  readonly isReset: boolean
}

interface NetworkFault {
  /**
   * The outcomes by what meets them, the most common first: the error code with which it fails, or
   * what happens to a datagram.
   */
  readonly meets?: Readonly<Partial<Record<NetworkPoint, readonly string[]>>>
  readonly severs?: Severing
}

export type NetworkFaultTable = Readonly<Record<string, NetworkFault>>

export const NETWORK_FAULTS = {
  refusals: { meets: { connect: ['ECONNREFUSED', 'ETIMEDOUT'] } },
  resets: { severs: { call: 'reset', did: 'reset', isReset: true } },
  hangups: { severs: { call: 'close', did: 'closed', isReset: false } },
  datagrams: { meets: { message: ['lost', 'duplicated', 'overtaken'] } },
  // The temporary failure of a name server, as `getaddrinfo` and as c-ares report it.
  lookups: { meets: { lookup: ['EAI_AGAIN'], query: ['ESERVFAIL'] } },
} as const satisfies NetworkFaultTable

export type NetworkFaultKind = keyof typeof NETWORK_FAULTS
