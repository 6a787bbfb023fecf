/** What comes from the queue and from the command line is checked. */
import { describe, expect, test } from 'vitest'
import { parseCampaign } from '../src/campaign.ts'
import { queueAddress, shownAddress } from '../src/queue-address.ts'
import { parseShard } from '../src/shard.ts'
import { addStandings, NOTHING_YET, parseStanding, standingText } from '../src/standing.ts'

describe('the address of a queue', () => {
  test.each([
    ['redis://queue', { host: 'queue', port: 6379, db: 0 }],
    ['redis://u:p%40@queue:1/2', { host: 'queue', port: 1, db: 2, username: 'u', password: 'p@' }],
    ['rediss://[::1]:7', { host: '::1', port: 7, db: 0, tls: { servername: '::1' } }],
  ])('%s', (text, address) => {
    expect(queueAddress(text, {})).toEqual(address)
  })

  test('comes from the environment, where its password does not show', () => {
    const address = queueAddress(undefined, { NORN_QUEUE: 'redis://queue', NORN_QUEUE_PASSWORD: 'secret' })
    expect(address).toEqual({ host: 'queue', port: 6379, db: 0, password: 'secret' })
    expect(shownAddress(address)).toBe('redis://queue:6379')
  })

  test.each([
    [undefined, 'norn fleet needs a queue'],
    ['queue:6379', '--queue: unknown protocol queue:'],
    ['http://queue', '--queue: unknown protocol http:'],
    ['no url', '--queue: not a URL'],
    ['redis://queue/x', 'the database is a number, not "x"'],
  ])('%s is refused', (text, message) => {
    expect(() => queueAddress(text, {})).toThrow(message)
  })
})

describe('a shard', () => {
  const shard = { kind: 'search', campaign: 'c1', number: 1, file: 'a.fuzz.ts', property: 'p', timeMs: 5 } as const
  const confirmation = { ...shard, kind: 'confirm', failure: 'p-1.json', finder: 'w' } as const

  test('is read as it was written', () => {
    expect(parseShard(shard)).toEqual(shard)
    expect(parseShard(confirmation)).toEqual(confirmation)
  })

  test.each([
    [{ ...shard, kind: 'run' }, '"kind"'],
    [{ ...shard, campaign: '../x' }, '"campaign"'],
    [{ ...shard, file: '/etc/passwd' }, '"file"'],
    [{ ...shard, file: 'a/../../b.fuzz.ts' }, '"file"'],
    [{ ...shard, number: 1.5 }, '"number"'],
    [{ ...shard, timeMs: 1e12 }, '"timeMs"'],
    [{ ...confirmation, failure: '../p.json' }, '"failure"'],
    [{ ...confirmation, failure: '.p.json' }, '"failure"'],
    [[], 'not an object'],
    [null, 'not an object'],
  ])('%j is refused', (given, message) => {
    expect(() => parseShard(given)).toThrow(message)
  })
})

test('a campaign without properties is refused', () => {
  expect(() => parseCampaign({ id: 'c1', properties: [] })).toThrow('"properties"')
})

describe('a standing', () => {
  const summary = { ...NOTHING_YET.summary, executions: 3, passed: 2, failed: 1, notes: ['n'] }
  const one = { summary, shards: 1, timeMs: 10, reasons: ['r'] }

  test('adds up, and is read as it was written', () => {
    const sum = addStandings(addStandings(NOTHING_YET, one), one)
    expect(sum).toMatchObject({
      shards: 2,
      timeMs: 20,
      reasons: ['r'],
      summary: { executions: 6, passed: 4, failed: 2 },
    })
    expect(parseStanding(standingText(sum))).toEqual(sum)
  })

  test.each([
    ['{}', /./],
    [standingText({ ...one, shards: -1 }), 'not a standing'],
    [standingText({ ...one, summary: { ...summary, executions: Number.NaN } }), '"executions"'],
    [standingText({ ...one, summary: { ...summary, notes: 'n' as unknown as [] } }), '"notes"'],
  ])('%s is refused', (text, message) => {
    expect(() => parseStanding(text)).toThrow(message)
  })
})
