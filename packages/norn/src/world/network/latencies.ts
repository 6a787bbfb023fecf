/**
 * The latencies that hold in one execution: of links to hosts, and of operations that the property
 * says are slow. Without such options it answers undefined at once.
 *
 * A pattern is a kind (`lookup`), a kind and a resource (`read data/*.json`) or the first line of an
 * HTTP message (`GET /seats`); `*` stands for any text. The first one that fits holds. Pure.
 */
import {
  type Delays,
  type NetworkOptions,
  parseHost,
  parseNetworkLatency,
  parseRange,
  type SlowOperations,
} from '../../options/latency-ranges.ts'
import type { Address } from './addresses.ts'
import type { HostNames } from './host-names.ts'
import { normalAddress } from './names.ts'

/** An end of a way through the network. */
export type Place = Pick<Address, 'address' | 'port'>

interface SlowPattern {
  readonly name: string
  readonly matches: (text: string) => boolean
  readonly delays: Delays
}

interface HostLatency {
  readonly name: string
  readonly addresses: readonly string[]
  readonly port: number | undefined
  readonly delays: Delays | undefined
}

const NOTHING = {}
const ANY_FAMILY = { family: 0, mapped: false, all: false }

export class Latencies {
  #network: NetworkOptions = NOTHING
  #operations: SlowOperations = NOTHING
  #names: HostNames | undefined
  #slow: readonly SlowPattern[] = []
  #general: Delays | undefined
  #hosts: readonly HostLatency[] = []
  readonly #matched = new Set<string>()

  reset(network: NetworkOptions = NOTHING, slow: SlowOperations = NOTHING, names: HostNames): void {
    if (this.#matched.size > 0) this.#matched.clear()
    if (network === this.#network && slow === this.#operations && names === this.#names) return
    this.#network = network
    this.#operations = slow
    this.#names = names
    const { latency = 'local', hosts = {} } = network
    this.#general = parseNetworkLatency(latency)
    this.#hosts = Object.entries(hosts).map(([name, value]) => ({
      name: hostOption(name),
      ...placeOf(name, names),
      delays: parseNetworkLatency(value),
    }))
    this.#slow = Object.entries(slow).map(([pattern, range]) => ({
      name: slowOption(pattern),
      matches: matcher(pattern),
      delays: parseRange(range),
    }))
  }

  /** Whether the property says that any operation is slow. */
  get haveSlow(): boolean {
    return this.#slow.length > 0
  }

  /** The options that named a host or an operation of the execution. */
  get matched(): ReadonlySet<string> {
    return this.#matched
  }

  /** Of a way through the network, by the first of its ends that the property names. */
  link(...places: readonly Place[]): Delays | undefined {
    for (const { address, port } of places) {
      const there = this.#hosts.filter((each) => each.addresses.includes(address))
      // The latency of a port comes before that of its host.
      const found = there.find((each) => each.port === port) ?? there.find((each) => each.port === undefined)
      if (found === undefined) continue
      this.#matched.add(found.name)
      return found.delays
    }
    return this.#general
  }

  /**
   * Of an operation, if the property says that it is slow.
   *
   * @param message the first line of the HTTP message that it carries
   */
  slow(kind: string, resource: string, message?: string): Delays | undefined {
    for (const { name, matches, delays } of this.#slow) {
      const isMeant = matches(kind) || matches(`${kind} ${resource}`) || (message !== undefined && matches(message))
      if (!isMeant) continue
      this.#matched.add(name)
      return delays
    }
    return undefined
  }
}

/** The name of an option that may match nothing. */
const hostOption = (host: string) => `network.hosts['${host}']`
const slowOption = (pattern: string) => `slow['${pattern}']`

/** All options of a property that name hosts or operations. */
export function namingOptions({
  network,
  slow,
}: {
  readonly network?: NetworkOptions | undefined
  readonly slow?: SlowOperations | undefined
}): string[] {
  return [...Object.keys(network?.hosts ?? {}).map(hostOption), ...Object.keys(slow ?? {}).map(slowOption)]
}

/** So many messages on the way: a connection takes a way there and back, and one more to be accepted. */
export function ways(count: number, delays: Delays | undefined): Delays | undefined {
  return delays && { leastUs: count * delays.leastUs, boundUs: count * delays.boundUs }
}

function placeOf(name: string, names: HostNames): Pick<HostLatency, 'addresses' | 'port'> {
  const { host, port } = parseHost(name)!
  const found = names.lookup(host, ANY_FAMILY)
  return { addresses: typeof found === 'string' ? [normalAddress(host)] : found.map(normalAddress), port }
}

/** Whether a text is what a pattern says. */
function matcher(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return (text) => text === first
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    for (const part of rest) {
      const found = text.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= text.length - last.length
  }
}
