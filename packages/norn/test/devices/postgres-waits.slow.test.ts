/** What sessions of PostgreSQL say while they wait, and what ends a wait. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isSkipped } from '../../../../systems/postgres/server.ts'
import { int32, message } from '../../src/devices/postgres/messages.ts'
import { PostgresSessions } from './postgres-sessions.ts'

const CANCELED = 'ERROR 57014 canceling statement due to user request'
/** What is a matter of time shows in some rounds only. */
const ROUNDS = 30

describe.skipIf(isSkipped)('a session of PostgreSQL that waits', () => {
  let sessions: PostgresSessions
  beforeAll(() => {
    sessions = new PostgresSessions({}, 'waits')
  })
  afterEach(() => sessions.end())
  afterAll(() => sessions[Symbol.asyncDispose]())

  const open = async (count: number) => {
    for (let session = 1; session <= count; session++) await sessions.open(session)
  }

  test('has sent its notices before, not with its answer', async () => {
    await open(2)
    await sessions.sql(1, 'BEGIN; SELECT pg_advisory_xact_lock(1)')
    const statement = "DO $$ BEGIN RAISE NOTICE 'waits'; PERFORM pg_advisory_xact_lock(1); END $$"
    expect(await sessions.sql(2, statement)).toEqual({ answers: { 2: 'NOTICE waits' }, blocked: { 2: [1] }, timed: {} })
    expect((await sessions.sql(1, 'COMMIT')).answers).toEqual({ 1: 'COMMIT', 2: 'DO' })
  })

  test('answers with the unit that cancels it, be it hidden in a function', async () => {
    await open(3)
    await sessions.sql(
      3,
      `CREATE TABLE pids (pid integer);
      CREATE FUNCTION stop() RETURNS boolean LANGUAGE sql AS 'SELECT pg_cancel_backend(pid) FROM pids'`,
    )
    await sessions.sql(2, 'INSERT INTO pids SELECT pg_backend_pid()')
    await sessions.sql(1, 'BEGIN; SELECT pg_advisory_xact_lock(1)')
    for (let round = 0; round < ROUNDS; round++) {
      expect((await sessions.sql(2, 'SELECT pg_advisory_xact_lock(1)')).blocked).toEqual({ 2: [1] })
      expect(await sessions.sql(3, 'SELECT stop()')).toEqual({
        answers: { 2: CANCELED, 3: "('t')" },
        blocked: {},
        timed: {},
      })
    }
  })

  test('for time answers so too', async () => {
    await open(2)
    await sessions.sql(1, 'CREATE TABLE pids AS SELECT pg_backend_pid() AS pid')
    for (let round = 0; round < ROUNDS; round++) {
      expect((await sessions.sql(1, 'SELECT pg_sleep(10)')).timed).toEqual({ 1: 10_000 })
      expect(await sessions.sql(2, 'SELECT pg_cancel_backend(pid) FROM pids')).toEqual({
        answers: { 1: CANCELED, 2: "('t')" },
        blocked: {},
        timed: {},
      })
    }
  })

  test('answers with the connection that asks to cancel it', async () => {
    await open(2)
    await sessions.sql(1, 'BEGIN; SELECT pg_advisory_xact_lock(1)')
    for (let round = 0; round < ROUNDS; round++) {
      await sessions.sql(2, 'SELECT pg_advisory_xact_lock(1)')
      await sessions.device.open(3, sessions.nowUs)
      const canceling = await sessions.device.hand(
        3,
        sessions.nowUs,
        message('', int32(80_877_102), int32(2), int32(0)),
      )
      expect(canceling.answers.map(({ session }) => session)).toEqual([3, 2])
      expect(canceling.blocked).toEqual([])
    }
  })

  test('goes on to wait while another client connects', async () => {
    await open(2)
    await sessions.sql(1, 'BEGIN; SELECT pg_advisory_xact_lock(1)')
    await sessions.sql(2, "SET lock_timeout = '2s'")
    await sessions.sql(2, 'SELECT pg_advisory_xact_lock(1)')
    const untilUs = sessions.nowUs + 2_000_000
    expect(await sessions.device.open(3, sessions.nowUs)).toEqual({
      answers: [],
      blocked: [{ session: 2, by: [1] }],
      timed: [{ session: 2, untilUs }],
    })
  })

  test('with parallel workers answers when it is released', async () => {
    await open(2)
    await sessions.sql(
      1,
      `CREATE TABLE numbers AS SELECT x FROM generate_series(1, 10000) x;
      CREATE FUNCTION lock_shared() RETURNS integer LANGUAGE sql PARALLEL SAFE
        AS 'SELECT pg_advisory_xact_lock_shared(1); SELECT 1'`,
    )
    await sessions.sql(
      2,
      `SET force_parallel_mode = on; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
      SET min_parallel_table_scan_size = 0; SET parallel_leader_participation = off;
      SET max_parallel_workers_per_gather = 3`,
    )
    for (let round = 0; round < ROUNDS; round++) {
      await sessions.sql(1, 'BEGIN; SELECT pg_advisory_xact_lock(1)')
      expect((await sessions.sql(2, 'SELECT count(lock_shared()) FROM numbers')).blocked).toEqual({ 2: [1] })
      expect(await sessions.sql(1, 'COMMIT')).toMatchObject({ answers: { 1: 'COMMIT', 2: '(10000)' }, blocked: {} })
    }
  })

  test('has no alarm but those that end something', async () => {
    for (let execution = 0; execution < 5; execution++) {
      await open(2)
      const timed: unknown[] = []
      const run = async (session: number, statement: string) => {
        sessions.nowUs += 10
        timed.push((await sessions.sql(session, statement)).timed)
      }
      await run(1, 'CREATE TABLE written AS SELECT 1 AS x')
      await run(1, 'BEGIN')
      await run(1, 'UPDATE written SET x = 2')
      await run(2, 'UPDATE written SET x = 3')
      expect(timed).toEqual([{}, {}, {}, {}])
      await sessions.end()
    }
  })

  test('for a lock waits in virtual time, however short', async () => {
    await open(2)
    await sessions.sql(1, 'BEGIN; SELECT pg_advisory_xact_lock(1)')
    await sessions.sql(2, "SET lock_timeout = '2ms'")
    for (let round = 0; round < ROUNDS; round++) {
      expect(await sessions.sql(2, 'SELECT pg_advisory_xact_lock(1)')).toMatchObject({ answers: {}, timed: { 2: 2 } })
      expect((await sessions.elapse(2, 2)).answers).toEqual({
        2: 'ERROR 55P03 canceling statement due to lock timeout',
      })
    }
  })

  test('in a deadlock names no number of this server', async () => {
    await open(2)
    await sessions.sql(1, 'BEGIN; SELECT pg_advisory_xact_lock(1)')
    await sessions.sql(2, 'BEGIN; SELECT pg_advisory_xact_lock(2)')
    await sessions.sql(1, 'SELECT pg_advisory_xact_lock(2)')
    const { answers } = await sessions.device.hand(2, sessions.nowUs, message('Q', 'SELECT pg_advisory_xact_lock(1)'))
    expect(Buffer.from(answers[0]!.bytes).toString()).toContain(
      'Process 2 waits for ExclusiveLock on advisory lock [1,0,1,1]; blocked by process 1.',
    )
  })

  test('that cannot be serialized names no number of this server', async () => {
    for (let round = 0; round < 3; round++) {
      await open(2)
      await sessions.sql(1, 'CREATE TABLE sums (x text PRIMARY KEY, y integer)')
      await sessions.sql(1, "INSERT INTO sums VALUES ('a', 0), ('b', 0)")
      for (const session of [1, 2]) await sessions.sql(session, 'BEGIN ISOLATION LEVEL SERIALIZABLE')
      await sessions.sql(1, "UPDATE sums SET y = 1 WHERE x = 'a'")
      await sessions.sql(1, 'SELECT sum(y) FROM sums')
      await sessions.sql(2, "UPDATE sums SET y = 2 WHERE x = 'b'")
      await sessions.sql(1, 'COMMIT')
      const { answers } = await sessions.device.hand(2, sessions.nowUs, message('Q', 'SELECT sum(y) FROM sums'))
      expect(Buffer.from(answers[0]!.bytes).toString()).toContain('conflict out to pivot 1, during read.')
      await sessions.end()
    }
  })

  test('goes on alone: of several that a unit releases, no two race', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await open(5)
      await sessions.sql(1, 'CREATE SEQUENCE turns; BEGIN; SELECT pg_advisory_xact_lock(1)')
      for (const session of [4, 2, 5, 3])
        await sessions.sql(session, "SELECT pg_advisory_xact_lock_shared(1); SELECT nextval('turns')")
      expect((await sessions.sql(1, 'COMMIT')).answers).toEqual({
        1: 'COMMIT',
        2: "(''); (1)",
        3: "(''); (2)",
        4: "(''); (3)",
        5: "(''); (4)",
      })
      await sessions.end()
    }
  })

  test('hears who notified it by the number that its own session has', async () => {
    await open(2)
    await sessions.sql(1, 'LISTEN news')
    for (const sender of [1, 2]) {
      const { answers } = await sessions.device.hand(sender, sessions.nowUs, message('Q', 'NOTIFY news'))
      const { bytes } = answers.find(({ session }) => session === 1)!
      expect(Buffer.from(bytes).readInt32BE(bytes.indexOf('A'.charCodeAt(0)) + 5)).toBe(sender)
    }
  })
})
