import { expect, test } from 'vitest'
import { checkOptions } from '../../src/property/check-options.ts'

test('addresses, lists of addresses and records of all types are allowed', () => {
  const hosts = {
    'db.internal': '10.0.0.5',
    'api.test': ['127.0.0.1', '::1'],
    'bücher.test': '10.0.0.6',
    'www.test': { CNAME: 'api.test' },
    '_sip._udp.test': { SRV: [{ name: 's.test', port: 80, priority: 1, weight: 2 }] },
    '5.0.0.10.in-addr.arpa': { PTR: ['db.internal'] },
    'full.test': {
      A: ['10.0.0.1', { address: '10.0.0.2', ttl: 60 }],
      AAAA: ['fd00::1'],
      CAA: [{ critical: 0, issue: 'pki.test' }],
      MX: [{ exchange: 'mx.test', priority: 10 }],
      NAPTR: [{ flags: 's', service: '', regexp: '', replacement: 'x.test', order: 1, preference: 1 }],
      NS: ['ns.test'],
      SOA: { nsname: 'ns.test', hostmaster: 'root.test', serial: 1, refresh: 2, retry: 3, expire: 4, minttl: 5 },
      TLSA: [{ certUsage: 3, selector: 1, match: 1, data: new ArrayBuffer(1) }],
      TXT: ['a', ['b', 'c']],
    },
  }
  expect(() => checkOptions('p', { hosts })).not.toThrow()
})

const AT = "fuzz('p'): option hosts"

test.each<[unknown, string]>([
  ['10.0.0.5', `${AT} must be an object: '10.0.0.5'. Write an object such as { 'db.internal': '10.0.0.5' }`],
  [[], `${AT} must be an object: an array`],
  [{ '10.0.0.5': 'db' }, `${AT}['10.0.0.5']: the key must be a host name, not an address`],
  [{ 'a b': '10.0.0.5' }, `${AT}['a b']: the key must be a host name of letters, digits, '-', '_' and '.'`],
  [{ 'a..b': '10.0.0.5' }, `${AT}['a..b']: the key must be a host name`],
  [{ '': '10.0.0.5' }, `${AT}['']: the key must be a host name`],
  [{ db: 'localhost' }, `${AT}['db'] must be an IP address: 'localhost'`],
  [{ db: 5 }, `${AT}['db'] must be an IP address: 5`],
  [{ db: [] }, `${AT}['db'] must not be empty. Leave the name out for ENOTFOUND`],
  [{ db: { A: ['::1'] } }, `${AT}['db'].A must be an IPv4 address: '::1'`],
  [{ db: { A: '10.0.0.5' } }, `${AT}['db'].A must be an array: '10.0.0.5'`],
  [{ db: { A: [{ address: '10.0.0.5', ttl: -1 }] } }, `${AT}['db'].A ttl must be an integer from 0 to 4294967295: -1`],
  [{ db: { a: ['10.0.0.5'] } }, `${AT}['db']: unknown option 'a'; did you mean 'A'?`],
  [{ db: { CNAME: 'x', A: ['10.0.0.5'] } }, `${AT}['db'].CNAME: an alias has no other records`],
  [{ db: { CNAME: 'a b' } }, `${AT}['db'].CNAME must be a host name: 'a b'`],
  [
    { db: { TLSA: [{ certUsage: 3, selector: 1, match: 1, data: 'x' }] } },
    `${AT}['db'].TLSA data must be an ArrayBuffer: 'x'`,
  ],
  [{ db: { TLSA: [{ certUsage: 256 }] } }, `${AT}['db'].TLSA certUsage must be an integer from 0 to 255: 256`],
  [{ db: { MX: ['mx.test'] } }, `${AT}['db'].MX must be an object with exchange, priority: 'mx.test'`],
  [{ db: { MX: [{ exchange: 'mx.test' }] } }, `${AT}['db'].MX priority must be an integer from 0 to 65535: undefined`],
  [{ db: { NS: ['a b'] } }, `${AT}['db'].NS must be a host name: 'a b'`],
  [{ db: { TXT: [5] } }, `${AT}['db'].TXT must be a string: 5`],
  [{ db: { CAA: [{ critical: 0 }] } }, `${AT}['db'].CAA must have one of issue, issuewild`],
])('hosts: %j is refused', (hosts, message) => {
  expect(() => checkOptions('p', { hosts })).toThrow(message)
})
