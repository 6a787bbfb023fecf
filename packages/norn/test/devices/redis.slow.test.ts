import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isSkipped } from '../../../../systems/redis/server.ts'
import type { RedisTarget } from '../../src/contract/database.ts'
import type { Outcome } from '../../src/devices/device.ts'
import { redisProtocol } from '../../src/devices/redis/conversation.ts'
import { RedisDevice } from '../../src/devices/redis/redis-device.ts'
import { command } from '../../src/devices/redis/resp.ts'
import { startDatabases } from '../../src/devices/servers/start.ts'

const EPOCH_US = Date.UTC(2026, 0, 1) * 1000

describe.skipIf(isSkipped)('a device of Redis', () => {
  let device: RedisDevice
  let nowUs = EPOCH_US
  beforeAll(() => {
    const [target] = startDatabases({ main: { kind: 'redis', prepare: 'SET stock 1\nRPUSH "a list" "x y" z' } })
    device = new RedisDevice(target as RedisTarget, `${process.pid}`)
  })
  afterEach(async () => {
    await device.end()
    nowUs = EPOCH_US
  })
  afterAll(() => device.dispose())

  const open = async (...sessions: readonly number[]) => {
    for (const session of sessions) await device.open(session, nowUs)
  }
  const seen = ({ answers, blocked, timed }: Outcome) => ({
    answers: Object.fromEntries(
      answers.map(({ session, bytes }) => [session, redisProtocol.conversation().answer(bytes)]),
    ),
    blocked: blocked.map(({ session }) => session),
    timed: timed.map(({ untilUs }) => (untilUs - nowUs) / 1000),
  })
  const run = async (session: number, ...words: readonly string[]) =>
    seen(await device.hand(session, nowUs, command(...words)))
  const answer = async (session: number, ...words: readonly string[]) => (await run(session, ...words)).answers[session]

  test('tells who waits, and what a command of another releases', async () => {
    await open(1, 2)
    expect(await run(1, 'BLPOP', 'q', '0')).toEqual({ answers: {}, blocked: [1], timed: [] })
    expect(await run(2, 'LPUSH', 'q', 'job')).toEqual({ answers: { 2: '1', 1: '[q, job]' }, blocked: [], timed: [] })
  })

  test('a command waits as long as its client says, in virtual time', async () => {
    await open(1)
    expect(await run(1, 'BLPOP', 'q', '5')).toEqual({ answers: {}, blocked: [1], timed: [5000] })
    // Also while others come, and say nothing.
    expect(seen(await device.open(2, nowUs))).toEqual({ answers: {}, blocked: [1], timed: [5000] })
    const refused = seen(await device.open(3, nowUs, { code: 'ERR', text: 'too many' }))
    expect(refused).toEqual({ answers: { 3: 'ERROR ERR too many' }, blocked: [1], timed: [5000] })
    nowUs += 5_000_000
    expect(seen(await device.elapse(1, nowUs))).toEqual({ answers: { 1: '(nil)' }, blocked: [], timed: [] })
  })

  test('keys expire in virtual time', async () => {
    await open(1)
    await run(1, 'SET', 'k', 'v', 'PX', '1000')
    nowUs += 999_000
    expect(await answer(1, 'GET', 'k')).toBe('v')
    nowUs += 2000
    expect(await answer(1, 'GET', 'k')).toBe('(nil)')
    expect(await answer(1, 'TIME')).toBe(`[${nowUs / 1_000_000 - 0.001}, 1000]`.replace('.0', ''))
  })

  test('messages and keyspace events reach the sessions that listen', async () => {
    await open(1, 2)
    await run(1, 'CONFIG', 'SET', 'notify-keyspace-events', 'KEA')
    expect(await run(1, 'SUBSCRIBE', 'news', '__keyevent@0__:set')).toMatchObject({ blocked: [] })
    expect((await run(2, 'PUBLISH', 'news', 'hi')).answers).toEqual({ 2: '1', 1: '[message, news, hi]' })
    expect((await run(2, 'SET', 'k', 'v')).answers[1]).toBe('[message, __keyevent@0__:set, k]')
  })

  test('a watched key that another changes ends a transaction', async () => {
    await open(1, 2)
    await run(1, 'WATCH', 'stock')
    await run(2, 'DECR', 'stock')
    const transaction = Buffer.concat([command('MULTI'), command('INCR', 'stock'), command('EXEC')])
    expect(seen(await device.hand(1, nowUs, transaction)).answers).toEqual({ 1: 'OK, QUEUED, (nil)' })
  })

  test('puts back what there was, scripts and settings too', async () => {
    await open(1)
    const sha = (await answer(1, 'SCRIPT', 'LOAD', 'return 1'))!
    await run(1, 'DEL', 'stock', 'a list')
    await run(1, 'SET', 'more', '1')
    await run(1, 'CONFIG', 'SET', 'notify-keyspace-events', 'KEA')
    await device.end()
    await open(1)
    expect(await answer(1, 'KEYS', '*')).toMatch(/^\[(stock, a list|a list, stock)\]$/)
    expect(await answer(1, 'LRANGE', 'a list', '0', '-1')).toBe('[x y, z]')
    expect(await answer(1, 'EVALSHA', sha, '0')).toContain('NOSCRIPT')
    expect(await answer(1, 'CONFIG', 'GET', 'notify-keyspace-events')).toBe('[notify-keyspace-events, ]')
  })

  test('each execution finds the same order of members, and the same numbers of clients', async () => {
    const members = Array.from({ length: 40 }, (_, index) => `member ${index}`)
    const orders: unknown[] = []
    for (let execution = 0; execution < 2; execution++) {
      await open(1, 2)
      await run(1, 'SADD', 's', ...members)
      orders.push([
        await answer(1, 'SMEMBERS', 's'),
        await answer(2, 'CLIENT', 'ID'),
        await answer(2, 'INFO', 'memory'),
      ])
      await device.end()
    }
    expect(orders[1]).toEqual(orders[0])
    expect((orders[0] as string[])[1]).toBe('2')
  })

  test('what it cannot do ends the execution with a reason', async () => {
    await open(1)
    await expect(run(1, 'MONITOR')).rejects.toThrow('database main: norn does not support MONITOR')
  })
})
