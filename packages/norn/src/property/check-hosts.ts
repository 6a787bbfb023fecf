/** Validates the option `hosts` of a property. */
import { isIP } from 'node:net'
import { unknownText } from '../contract/known-names.ts'
import { shown } from '../options/refusal.ts'
import type { HostRecords, Hosts } from '../world/network/host-records.ts'
import { asciiName, isQueryable, numericAddress } from '../world/network/names.ts'

const EXAMPLE = "such as { 'db.internal': '10.0.0.5' }"

/** What a value of a record must be: shown in messages. */
type Form = 'name' | 'text' | 'byte' | 'number' | 'port' | 'data'

const NUMBERS: Partial<Record<Form, number>> = { byte: 255, number: 2 ** 32 - 1, port: 65_535 }

const FIELDS = {
  CAA: { critical: 'byte' },
  MX: { exchange: 'name', priority: 'port' },
  NAPTR: { flags: 'text', service: 'text', regexp: 'text', replacement: 'text', order: 'port', preference: 'port' },
  SOA: {
    nsname: 'name',
    hostmaster: 'name',
    serial: 'number',
    refresh: 'number',
    retry: 'number',
    expire: 'number',
    minttl: 'number',
  },
  SRV: { name: 'name', port: 'port', priority: 'port', weight: 'port' },
  TLSA: { certUsage: 'byte', selector: 'byte', match: 'byte', data: 'data' },
} satisfies Partial<Record<keyof HostRecords, Record<string, Form>>>

const TYPES = Object.keys({
  A: 0,
  AAAA: 0,
  CAA: 0,
  CNAME: 0,
  MX: 0,
  NAPTR: 0,
  NS: 0,
  PTR: 0,
  SOA: 0,
  SRV: 0,
  TLSA: 0,
  TXT: 0,
} satisfies Record<keyof HostRecords, 0>) as (keyof HostRecords)[]

const CAA_PROPERTIES = ['issue', 'issuewild', 'iodef', 'contactemail', 'contactphone']

/**
 * @param refuse throws an error with the property's name
 * @throws TypeError for an invalid name, address or record
 */
export function checkHosts(hosts: unknown, refuse: (why: string) => never): asserts hosts is Hosts | undefined {
  if (hosts === undefined) return
  if (!isObject(hosts)) refuse(`option hosts must be an object: ${shown(hosts)}. Write an object ${EXAMPLE}`)
  for (const [name, value] of Object.entries(hosts as object)) {
    const where = `option hosts['${name}']`
    if (isIP(name) !== 0 || numericAddress(name) !== undefined)
      refuse(`${where}: the key must be a host name, not an address. Write ${EXAMPLE}`)
    if (!isName(name)) refuse(`${where}: the key must be a host name of letters, digits, '-', '_' and '.'`)
    if (isObject(value)) checkRecords(where, value as Record<string, unknown>, refuse)
    else checkAddresses(where, Array.isArray(value) ? value : [value], [4, 6], refuse)
  }
}

function checkRecords(where: string, records: Record<string, unknown>, refuse: (why: string) => never): void {
  for (const [type, value] of Object.entries(records)) {
    const at = `${where}.${type}`
    if (!TYPES.includes(type as keyof HostRecords)) refuse(`${where}: ${unknownText(type, TYPES)}`)
    if (value === undefined) continue
    if (type === 'CNAME') {
      checkForm(at, value, 'name', refuse)
      if (Object.keys(records).length > 1) refuse(`${at}: an alias has no other records. Remove them, or the CNAME`)
      continue
    }
    const list = type === 'SOA' ? [value] : value
    if (!Array.isArray(list)) refuse(`${at} must be an array: ${shown(value)}`)
    const entries = list as Record<string, unknown>[]
    if (entries.length === 0) refuse(`${at} must not be empty. Leave it out`)
    if (type === 'A' || type === 'AAAA') checkAddresses(at, entries, [type === 'A' ? 4 : 6], refuse)
    else if (type === 'NS' || type === 'PTR') for (const each of entries) checkForm(at, each, 'name', refuse)
    else if (type === 'TXT') for (const chunk of entries.flat()) checkForm(at, chunk, 'text', refuse)
    else for (const each of entries) checkFields(at, each, FIELDS[type as keyof typeof FIELDS], refuse)
    if (type === 'CAA' && !entries.every((each) => CAA_PROPERTIES.some((name) => typeof each[name] === 'string')))
      refuse(`${at} must have one of ${CAA_PROPERTIES.join(', ')}`)
  }
}

function checkAddresses(
  where: string,
  list: readonly unknown[],
  families: readonly number[],
  refuse: (why: string) => never,
): void {
  if (list.length === 0) refuse(`${where} must not be empty. Leave the name out for ENOTFOUND`)
  for (const each of list) {
    const record = isObject(each) ? (each as { address?: unknown; ttl?: unknown }) : { address: each, ttl: 0 }
    if (typeof record.address !== 'string' || !families.includes(isIP(record.address))) {
      const kind = families.length > 1 ? 'an IP address' : `an IPv${families[0]} address`
      refuse(`${where} must be ${kind}: ${shown(record.address)}`)
    }
    checkForm(`${where} ttl`, record.ttl, 'number', refuse)
  }
}

function checkFields(
  where: string,
  record: unknown,
  fields: Readonly<Record<string, Form>>,
  refuse: (why: string) => never,
): void {
  if (!isObject(record)) refuse(`${where} must be an object with ${Object.keys(fields).join(', ')}: ${shown(record)}`)
  for (const [name, form] of Object.entries(fields))
    checkForm(`${where} ${name}`, (record as Record<string, unknown>)[name], form, refuse)
}

function checkForm(where: string, value: unknown, form: Form, refuse: (why: string) => never): void {
  const max = NUMBERS[form]
  if (max !== undefined && !(Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max))
    refuse(`${where} must be an integer from 0 to ${max}: ${shown(value)}`)
  if (form === 'text' && typeof value !== 'string') refuse(`${where} must be a string: ${shown(value)}`)
  if (form === 'name' && !(typeof value === 'string' && isName(value)))
    refuse(`${where} must be a host name: ${shown(value)}`)
  if (form === 'data' && !(value instanceof ArrayBuffer)) refuse(`${where} must be an ArrayBuffer: ${shown(value)}`)
}

function isName(text: string): boolean {
  return text !== '' && text !== '.' && isQueryable(asciiName(text))
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
