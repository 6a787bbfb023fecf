/** A name server on the real loopback device, with the records of a test: what stock Node is asked about. */
import { createSocket, type Socket } from 'node:dgram'
import { domainToASCII } from 'node:url'
import type { HostRecords, Hosts } from '../../src/world/network/host-records.ts'
import { reverseName } from '../../src/world/network/names.ts'

const CODES: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  TLSA: 52,
  CAA: 257,
}
const ANY = 255
const DEFAULT_TTL_S = 300

// biome-ignore lint/suspicious/noExplicitAny: a record of any type
type Data = any
type Zone = Map<string, Partial<Record<keyof HostRecords, Data[]>>>

export async function nameServer(hosts: Hosts): Promise<Socket> {
  const zone = zoneOf(hosts)
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => socket.send(respond(zone, query), port, address))
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return socket
}

function zoneOf(hosts: Hosts): Zone {
  const zone: Zone = new Map()
  const add = (name: string, type: keyof HostRecords, ...data: Data[]) => {
    const records = zone.get(name) ?? {}
    zone.set(name, { ...records, [type]: [...(records[type] ?? []), ...data] })
  }
  for (const [given, value] of Object.entries(hosts)) {
    const name = domainToASCII(given)
    const records: Record<string, Data> = typeof value === 'object' && !Array.isArray(value) ? value : {}
    for (const [type, data] of Object.entries(records)) add(name, type as 'A', ...[data].flat(1))
    const addresses = Object.keys(records).length > 0 ? [] : ([value].flat() as string[])
    for (const each of addresses) add(name, each.includes(':') ? 'AAAA' : 'A', each)
    const own = zone.get(name)!
    for (const each of [...(own.A ?? []), ...(own.AAAA ?? [])]) add(reverseName(each.address ?? each), 'PTR', name)
    if (records.TXT !== undefined) zone.set(name, { ...own, TXT: records.TXT })
  }
  return zone
}

function respond(zone: Zone, query: Buffer): Buffer {
  const labels: string[] = []
  let at = 12
  for (; query[at] !== 0; at += 1 + query[at]!) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
  const asked = query.readUInt16BE(at + 1)
  const answers: Buffer[] = []
  let refusal = 0
  for (let name = labels.join('.').toLowerCase(); ; ) {
    const records = zone.get(name)
    const isAbove = name === '' || [...zone.keys()].some((each) => each.endsWith(`.${name}`))
    if (records === undefined && !isAbove) refusal = 3
    const types =
      asked === ANY ? Object.keys(records ?? {}) : Object.keys(CODES).filter((each) => CODES[each] === asked)
    for (const type of types) for (const data of records?.[type as 'A'] ?? []) answers.push(record(name, type, data))
    const alias = records?.CNAME?.[0]
    if (alias === undefined || asked === CODES.CNAME || asked === ANY) break
    answers.push(record(name, 'CNAME', alias))
    name = alias
  }
  const counts = Buffer.concat([1, answers.length, 0, 0].map(u16))
  const question = query.subarray(12, at + 5)
  return Buffer.concat([query.subarray(0, 2), u16(0x8580 | refusal), counts, question, ...answers])
}

function record(name: string, type: string, data: Data): Buffer {
  const body = encoded(type, data)
  const ttl = data.ttl ?? DEFAULT_TTL_S
  return Buffer.concat([domain(name), u16(CODES[type]!), u16(1), u32(ttl), u16(body.length), body])
}

function encoded(type: string, data: Data): Buffer {
  const fields = Object.values(data as object)
  switch (type) {
    case 'A':
      return Buffer.from((data.address ?? data).split('.').map(Number))
    case 'AAAA':
      return Buffer.from(
        [
          ...reverseName(data.address ?? data)
            .replace('ip6.arpa', '')
            .replaceAll('.', ''),
        ]
          .reverse()
          .join(''),
        'hex',
      )
    case 'TXT':
      return Buffer.concat([data].flat().map(text))
    case 'MX':
      return Buffer.concat([u16(data.priority), domain(data.exchange)])
    case 'SRV':
      return Buffer.concat([u16(data.priority), u16(data.weight), u16(data.port), domain(data.name)])
    case 'SOA':
      return Buffer.concat([domain(fields[0]), domain(fields[1]), ...fields.slice(2).map(u32)])
    case 'NAPTR':
      return Buffer.concat([
        ...[u16(data.order), u16(data.preference), text(data.flags), text(data.service), text(data.regexp)],
        domain(data.replacement),
      ])
    case 'CAA':
      return Buffer.concat([Buffer.of(data.critical), text(Object.keys(data)[1]!), Buffer.from(fields[1])])
    case 'TLSA':
      return Buffer.concat([Buffer.of(data.certUsage, data.selector, data.match), Buffer.from(data.data)])
    default:
      return domain(data)
  }
}

function domain(name: string): Buffer {
  return Buffer.concat([...name.split('.').filter(Boolean).map(text), Buffer.of(0)])
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.of(Buffer.byteLength(value)), Buffer.from(value)])
}

function u16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 255)
}

function u32(value: number): Buffer {
  return Buffer.of(value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255)
}
