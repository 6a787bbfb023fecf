/**
 * The names that the world knows: those that the test declares, `localhost`, and the name of the
 * machine. Pure. The machine's own hosts file and name servers have no part in it.
 *
 * Follows what a lookup of glibc (`files dns`) and a query of c-ares return for a name server that
 * has exactly the declared records, also where that is odd: an alias of a name without such records
 * answers an empty list to some queries, and fails others.
 */
import { isIP } from 'node:net'
import { isLoopback, mapped } from './addresses.ts'
import type { HostRecords, Hosts } from './host-records.ts'
import { isQueryable, normalAddress, normalName, numericAddress, reverseName } from './names.ts'

export type RecordType = keyof HostRecords

/** The records of a name in the order in which a query for all of them returns them. */
const ANY: readonly RecordType[] = [
  'CNAME',
  'A',
  'AAAA',
  'MX',
  'NS',
  'TXT',
  'SRV',
  'PTR',
  'NAPTR',
  'SOA',
  'TLSA',
  'CAA',
]

const DEFAULT_TTL_S = 300
const MAX_ALIASES = 16

/** What a query returns: the result, for addresses with their times to live, or an error code. */
export type Answer = { readonly result: unknown; readonly ttls?: readonly number[] } | { readonly error: string }

/** Why a lookup fails: no such name, no address for the name, a number of the other family. */
export type LookupError = 'NONAME' | 'NODATA' | 'ADDRFAMILY'

export interface LookupOptions {
  readonly family: number
  /** Without an IPv6 address, IPv4 addresses as IPv6. */
  readonly mapped: boolean
  /** With `mapped`: both. */
  readonly all: boolean
}

export class HostNames {
  readonly #declared = new Map<string, HostRecords>()
  /** The names of a hosts file, which queries do not see. */
  readonly #local = new Map<string, HostRecords>()
  /** The names of each address. */
  readonly #names = new Map<string, string[]>()

  constructor(declared: Hosts, ownName: string) {
    for (const [name, given] of [['localhost', ['127.0.0.1', '::1']] as const, [ownName, '127.0.0.1'] as const]) {
      this.#add(this.#local, name, given)
    }
    for (const [name, given] of Object.entries(declared)) this.#add(this.#declared, name, given)
  }

  /** Whether an address, of IPv4 perhaps inside one of IPv6, is this machine's or a declared host's. */
  isInside(address: string): boolean {
    const inner = mapped(address) ?? address
    return isLoopback(inner) || this.#names.has(normalAddress(inner))
  }

  /** Whether a lookup of a name asks a name server: a hosts file has the others. */
  asksServer(name: string): boolean {
    if (numericAddress(name) !== undefined) return false
    return this.#declared.has(normalName(name)) || !this.#local.has(normalName(name))
  }

  /** The addresses of a name, as `getaddrinfo` returns them. */
  lookup(name: string, { family, mapped, all }: LookupOptions): readonly string[] | LookupError {
    const number = numericAddress(name)
    const records = number === undefined ? this.#lookedUp(normalName(name)) : { A: [number] }
    if (records === undefined) return 'NONAME'
    const [four, six] = [addressesOf(records.A), addressesOf(records.AAAA)]
    const asSix = mapped && (all || six.length === 0) ? four.map((address) => `::ffff:${address}`) : []
    const found = family === 4 ? four : family === 6 ? [...six, ...asSix] : [...four, ...six]
    if (found.length > 0) return found
    return number === undefined ? 'NODATA' : 'ADDRFAMILY'
  }

  /** The names of an address, the first of which is its own. */
  namesOf(address: string): readonly string[] {
    const pointers = this.#declared.get(reverseName(address))?.PTR
    return pointers ?? this.#names.get(normalAddress(address)) ?? []
  }

  /** The answer to a query, as `dns.resolve` returns it. */
  query(type: RecordType | 'ANY', asked: string): Answer {
    if (!isQueryable(asked)) return { error: 'EBADNAME' }
    const name = normalName(asked)
    const own = this.#recordsOf(name)
    if (own === undefined) return { error: 'ENOTFOUND' }
    if (type === 'ANY') {
      const types = own.CNAME === undefined ? ANY : (['CNAME'] as const)
      const all = types.flatMap((each) => (own[each] === undefined ? [] : typed(each, own)))
      return all.length === 0 ? { error: 'ENODATA' } : { result: all }
    }
    if (type === 'CNAME') return own.CNAME === undefined ? { error: 'ENODATA' } : { result: [own.CNAME] }
    const target = this.#target(name, (each) => this.#recordsOf(each))
    if (target === undefined) return { error: 'ENOTFOUND' }
    if (target[type] !== undefined) return answer(type, target)
    if (own.CNAME === undefined || /^(NS|PTR)$/.test(type)) return { error: 'ENODATA' }
    return type === 'SOA' ? { error: 'EBADRESP' } : { result: [] }
  }

  #add(names: Map<string, HostRecords>, given: string, value: Hosts[string]): void {
    const name = normalName(given)
    const records = recordsOf(value)
    names.set(name, records)
    for (const address of [...addressesOf(records.A), ...addressesOf(records.AAAA)].map(normalAddress)) {
      const others = this.#names.get(address)
      if (others === undefined) this.#names.set(address, [name])
      else if (!others.includes(name)) others.push(name)
    }
  }

  #lookedUp(name: string): HostRecords | undefined {
    return this.#target(name, (each) => this.#declared.get(each) ?? this.#local.get(each))
  }

  /** The records that the name server has; a name above a declared one exists without records. */
  #recordsOf(name: string): HostRecords | undefined {
    const declared = this.#declared.get(name)
    if (declared !== undefined) return declared
    const address = [...this.#names.keys()].find((each) => reverseName(each) === name)
    const pointers = address === undefined ? [] : this.#names.get(address)!.filter((each) => this.#declared.has(each))
    if (pointers.length > 0) return { PTR: pointers }
    const isAbove = name === '' || [...this.#declared.keys()].some((each) => each.endsWith(`.${name}`))
    return isAbove ? {} : undefined
  }

  /** The records of a name, or of the name that it is an alias of. */
  #target(name: string, find: (name: string) => HostRecords | undefined): HostRecords | undefined {
    let records = find(name)
    for (let aliases = 0; records?.CNAME !== undefined && aliases < MAX_ALIASES; aliases++) {
      records = find(normalName(records.CNAME))
    }
    return records
  }
}

function recordsOf(given: Hosts[string]): HostRecords {
  if (typeof given !== 'string' && !Array.isArray(given)) return given as HostRecords
  const [four, six] = [4, 6].map((family) => [given].flat().filter((address) => isIP(address) === family))
  return { ...(four!.length > 0 && { A: four! }), ...(six!.length > 0 && { AAAA: six! }) }
}

function addressesOf(records: HostRecords['A']): string[] {
  return (records ?? []).map((each) => (typeof each === 'string' ? each : each.address))
}

function ttlsOf(records: HostRecords['A']): number[] {
  return (records ?? []).map((each) => (typeof each === 'string' ? DEFAULT_TTL_S : each.ttl))
}

/** The records of one type as its own query returns them. */
function answer(type: RecordType, records: HostRecords): Answer {
  if (type === 'A' || type === 'AAAA') return { result: addressesOf(records[type]), ttls: ttlsOf(records[type]) }
  if (type === 'TXT') return { result: records.TXT!.map((each) => [each].flat()) }
  const result = typed(type, records)
  const keepsType = type === 'MX' || type === 'SRV' || type === 'CAA'
  if (type === 'NS' || type === 'PTR') return { result: [...records[type]!] }
  for (const each of result) if (!keepsType) delete each.type
  return { result: type === 'SOA' ? result[0] : result }
}

/** The records of one type as a query for all types returns them; the order of the keys is Node's. */
function typed(type: RecordType, records: HostRecords): Record<string, unknown>[] {
  switch (type) {
    case 'A':
    case 'AAAA': {
      const ttls = ttlsOf(records[type])
      return addressesOf(records[type]).map((address, index) => ({ address, ttl: ttls[index], type }))
    }
    case 'CNAME':
      return [{ value: records.CNAME, type }]
    case 'NS':
    case 'PTR':
      return records[type]!.map((value) => ({ value, type }))
    case 'TXT':
      return records.TXT!.map((each) => ({ entries: [each].flat(), type }))
    case 'MX':
      return records.MX!.map(({ exchange, priority }) => ({ exchange, priority, type }))
    case 'SRV':
      return records.SRV!.map(({ name, port, priority, weight }) => ({ name, port, priority, weight, type }))
    case 'NAPTR':
      return records.NAPTR!.map(({ flags, service, regexp, replacement, order, preference }) => {
        return { flags, service, regexp, replacement, order, preference, type }
      })
    case 'SOA': {
      const { nsname, hostmaster, serial, refresh, retry, expire, minttl } = records.SOA!
      return [{ nsname, hostmaster, serial, refresh, retry, expire, minttl, type }]
    }
    case 'TLSA':
      return records.TLSA!.map(({ certUsage, selector, match, data }) => {
        return { certUsage, selector, match, data: data.slice(0) }
      })
    case 'CAA':
      return records.CAA!.map(({ critical, ...property }) => ({ critical, type, ...property }))
  }
}
