/**
 * The ranges of latencies that a property declares: of the network, and of operations that it says
 * are slow. A latency is the least one plus a drawn part, so the choice 0 is the fastest.
 */

/** `200ms`, `2s`, `50us`. */
type DurationText = `${number}us` | `${number}ms` | `${number}s`

/**
 * The shortest and the longest latency: `'200ms..2s'`, `{ minMs: 200, maxMs: 2000 }`, or `'50ms'`
 * for exactly that.
 */
type LatencyRange =
  | DurationText
  | `${DurationText}..${DurationText}`
  | { readonly minMs: number; readonly maxMs: number }

/**
 * The latency of one way through a network: a range, or the name of one. `local` has no least one,
 * and the bound `maxLatencyMs`; `datacenter` is 0.25 to 20 ms, `internet` 5 to 250 ms, `mobile` 20
 * to 1000 ms.
 */
type NetworkLatency = keyof typeof NETWORKS | LatencyRange

/**
 * The latencies of a network.
 */
export interface NetworkOptions {
  /** Of every connection and datagram. Default: `local`. */
  readonly latency?: NetworkLatency
  /** Of those to a host, by name or address, with or without a port. Default: none of their own. */
  readonly hosts?: Readonly<Record<string, NetworkLatency>>
}

/** Latencies of operations, by pattern: `{ 'GET /seats': '200ms..2s' }`. */
export type SlowOperations = Readonly<Record<string, LatencyRange>>

/** What is drawn of a latency is added to the least one, and is at most the bound. */
export interface Delays {
  readonly leastUs: number
  readonly boundUs: number
}

/** From the fastest packet to the tail of queues and of one retransmission. */
const NETWORKS = {
  local: undefined,
  datacenter: { minMs: 0.25, maxMs: 20 },
  internet: { minMs: 5, maxMs: 250 },
  mobile: { minMs: 20, maxMs: 1000 },
} as const

const MAX_MS = 3_600_000

const RANGE_FORM = "a range such as '200ms..2s' or { minMs: 200, maxMs: 2000 } (at most an hour)"
const NETWORK_FORM = `${Object.keys(NETWORKS)
  .map((name) => `'${name}'`)
  .join(', ')}, or ${RANGE_FORM}`

/**
 * @param form what the value must be, for the message
 * @throws Error that says so
 */
export function parseRange(given: unknown, form = RANGE_FORM): Delays {
  const range = typeof given === 'string' ? rangeOf(given) : given
  const { minMs, maxMs, ...others } = (typeof range === 'object' && range !== null ? range : {}) as Partial<
    Record<string, unknown>
  >
  if (!isTime(minMs) || !isTime(maxMs) || Object.keys(others).length > 0) throw new Error(`must be ${form}`)
  if (minMs > maxMs) throw new Error('must not end before it begins')
  const leastUs = Math.round(minMs * 1000)
  return { leastUs, boundUs: Math.round(maxMs * 1000) - leastUs }
}

/** Undefined for what operations take in general. @throws Error that says what was expected */
export function parseNetworkLatency(given: unknown): Delays | undefined {
  if (typeof given !== 'string' || !Object.hasOwn(NETWORKS, given)) return parseRange(given, NETWORK_FORM)
  const preset = NETWORKS[given as keyof typeof NETWORKS]
  return preset && parseRange(preset)
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_MS
}

function rangeOf(text: string): unknown {
  const ends = text.split('..').map(millisecondsOf)
  return ends.length > 2 ? undefined : { minMs: ends[0], maxMs: ends.at(-1) }
}

function millisecondsOf(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(us|ms|s)$/.exec(text.trim())
  return match === null ? undefined : Number(match[1]) * { us: 0.001, ms: 1, s: 1000 }[match[2] as 'us' | 'ms' | 's']
}

/** A host of the option, with a port if it names one; undefined if it names none. */
export function parseHost(text: string): { readonly host: string; readonly port: number | undefined } | undefined {
  const match = /^(?:\[([\da-f:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/i.exec(text)
  if (match === null) return /^[\da-f:.]+$/i.test(text) ? { host: text, port: undefined } : undefined
  return { host: match[1] ?? match[2]!, port: match[3] === undefined ? undefined : Number(match[3]) }
}
