/**
 * The host names that a test declares, and their DNS records: records have the form in which
 * `dns.resolve` returns them.
 */

/**
 * The DNS records of one name.
 *
 * @public
 */
export interface HostRecords {
  /** IPv4 addresses, with their time to live in seconds where it matters (300 by default). */
  readonly A?: readonly (string | AddressRecord)[]
  /** IPv6 addresses. */
  readonly AAAA?: readonly (string | AddressRecord)[]
  /** The name that this one is an alias of; an alias has no other records. */
  readonly CNAME?: string
  readonly CAA?: readonly CaaRecord[]
  readonly MX?: readonly MxRecord[]
  readonly NAPTR?: readonly NaptrRecord[]
  readonly NS?: readonly string[]
  readonly PTR?: readonly string[]
  readonly SOA?: SoaRecord
  readonly SRV?: readonly SrvRecord[]
  readonly TLSA?: readonly TlsaRecord[]
  /** Each a string, or its chunks. */
  readonly TXT?: readonly (string | readonly string[])[]
}

/**
 * Host names of the world: each with its address, its addresses, or its DNS records.
 *
 * @public
 */
export type Hosts = Readonly<Record<string, string | readonly string[] | HostRecords>>

interface AddressRecord {
  readonly address: string
  /** Seconds. */
  readonly ttl: number
}

interface CaaRecord {
  readonly critical: number
  readonly issue?: string
  readonly issuewild?: string
  readonly iodef?: string
  readonly contactemail?: string
  readonly contactphone?: string
}

interface MxRecord {
  readonly exchange: string
  readonly priority: number
}

interface NaptrRecord {
  readonly flags: string
  readonly service: string
  readonly regexp: string
  readonly replacement: string
  readonly order: number
  readonly preference: number
}

interface SoaRecord {
  readonly nsname: string
  readonly hostmaster: string
  readonly serial: number
  readonly refresh: number
  readonly retry: number
  readonly expire: number
  readonly minttl: number
}

interface SrvRecord {
  readonly name: string
  readonly port: number
  readonly priority: number
  readonly weight: number
}

interface TlsaRecord {
  readonly certUsage: number
  readonly selector: number
  readonly match: number
  readonly data: ArrayBuffer
}
