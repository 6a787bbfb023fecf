import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isSkipped } from '../../../../systems/postgres/server.ts'
import { int32, message } from '../../src/devices/postgres/messages.ts'
import { PostgresSessions, type Seen } from './postgres-sessions.ts'

const SCHEMA = `
  CREATE TABLE accounts (name text PRIMARY KEY, balance integer NOT NULL);
  INSERT INTO accounts VALUES ('ada', 100), ('bob', 100);
  CREATE TABLE entries (id serial PRIMARY KEY, account text REFERENCES accounts, at timestamptz DEFAULT now());
  INSERT INTO entries (account) VALUES ('ada');
  CREATE UNLOGGED TABLE cached (key text, value text);
  CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO cached VALUES (NEW.name, NEW.balance); RETURN NEW; END $$;
  CREATE TRIGGER touched AFTER UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION touch();`

const int16 = (value: number) => Buffer.from([value >> 8, value & 255])

const ALL = `SELECT (SELECT string_agg(a::text || a.ctid::text, ' ') FROM accounts a),
  (SELECT string_agg(e.id || e.account, ' ') FROM entries e), (SELECT count(*) FROM cached),
  (SELECT last_value || is_called::text FROM entries_id_seq), (SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'S'))`

describe.skipIf(isSkipped)('a device of PostgreSQL', () => {
  let sessions: PostgresSessions
  beforeAll(() => {
    const schema = join(mkdtempSync(join(tmpdir(), 'norn-schema-')), 'schema.sql')
    writeFileSync(schema, SCHEMA)
    sessions = new PostgresSessions({ schema }, 'device')
  })
  afterEach(() => sessions.end())
  afterAll(() => sessions[Symbol.asyncDispose]())

  const both = async () => {
    await sessions.open(1)
    await sessions.open(2)
  }
  const lock = (session: number, name: string) =>
    sessions.sql(session, `UPDATE accounts SET balance = balance + 1 WHERE name = '${name}'`)

  test('tells who is blocked by whom, and what a unit of another releases', async () => {
    await both()
    await sessions.sql(1, 'BEGIN')
    expect(await lock(1, 'ada')).toEqual({ answers: { 1: 'UPDATE 1' }, blocked: {}, timed: {} })
    expect(await lock(2, 'ada')).toEqual({ answers: {}, blocked: { 2: [1] }, timed: {} })
    expect(await sessions.sql(1, 'COMMIT')).toEqual({ answers: { 1: 'COMMIT', 2: 'UPDATE 1' }, blocked: {}, timed: {} })
  })

  test('one that waits says nothing before it has answered', async () => {
    await both()
    await sessions.sql(1, 'BEGIN')
    await lock(1, 'ada')
    const update = "UPDATE accounts SET balance = 5 WHERE name = 'ada'"
    const parts = [message('P', '', update, int16(0)), message('B', '', '', int16(0), int16(0), int16(0))]
    const waiting = await sessions.send(2, Buffer.concat([...parts, message('E', '', int32(0)), message('S')]))
    expect(waiting).toEqual({ answers: {}, blocked: { 2: [1] }, timed: {} })
    expect((await sessions.sql(1, 'COMMIT')).answers).toEqual({ 1: 'COMMIT', 2: 'UPDATE 1' })
  })

  test('one that is gone releases what it held', async () => {
    await both()
    await sessions.sql(1, 'BEGIN')
    await lock(1, 'ada')
    await lock(2, 'ada')
    expect(await sessions.close(1)).toMatchObject({ answers: { 2: 'UPDATE 1' }, blocked: {} })
    expect(await sessions.sql(2, "SELECT balance FROM accounts WHERE name = 'ada'")).toMatchObject({
      answers: { 2: '(101)' },
    })
  })

  test('those that wait for a row get it in the order in which they came', async () => {
    await both()
    await sessions.open(3)
    await sessions.sql(1, 'BEGIN')
    await lock(1, 'ada')
    await sessions.sql(3, 'BEGIN')
    await lock(3, 'ada')
    expect(await lock(2, 'ada')).toMatchObject({ blocked: { 2: [3], 3: [1] } })
    expect(await sessions.sql(1, 'COMMIT')).toMatchObject({
      answers: { 1: 'COMMIT', 3: 'UPDATE 1' },
      blocked: { 2: [3] },
    })
    expect(await sessions.sql(3, 'ROLLBACK')).toMatchObject({ answers: { 3: 'ROLLBACK', 2: 'UPDATE 1' } })
  })

  test.each([
    [1, 2],
    [2, 1],
  ])('of a deadlock the last that waits is the victim: %i waits first', async (first, last) => {
    await both()
    for (const session of [1, 2]) await sessions.sql(session, 'BEGIN')
    await lock(first, 'ada')
    await lock(last, 'bob')
    expect(await lock(first, 'bob')).toMatchObject({ blocked: { [first]: [last] } })
    expect(await lock(last, 'ada')).toMatchObject({
      answers: { [last]: 'ERROR 40P01 deadlock detected', [first]: 'UPDATE 1' },
      blocked: {},
    })
  })

  test('advisory locks, tables and serializable read-only transactions block too', async () => {
    await both()
    await sessions.sql(1, 'SELECT pg_advisory_lock(7)')
    expect(await sessions.sql(2, 'SELECT pg_advisory_lock(7)')).toMatchObject({ blocked: { 2: [1] } })
    expect(await sessions.sql(1, 'SELECT pg_advisory_unlock(7)')).toMatchObject({ blocked: {} })
    await sessions.sql(1, 'BEGIN; LOCK TABLE entries')
    expect(await sessions.sql(2, 'SELECT count(*) FROM entries')).toMatchObject({ blocked: { 2: [1] } })
    await sessions.sql(1, 'ROLLBACK; BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT * FROM accounts')
    await sessions.sql(2, 'BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY DEFERRABLE')
    expect(await sessions.sql(2, 'SELECT count(*) FROM accounts')).toMatchObject({ blocked: { 2: [1] } })
    expect(await sessions.sql(1, 'COMMIT')).toMatchObject({ answers: { 1: 'COMMIT', 2: '(2)' } })
  })

  test('who waits for a snapshot is seen to wait, also while an earlier transaction of it is remembered', async () => {
    await both()
    const begin = 'BEGIN ISOLATION LEVEL SERIALIZABLE'
    const read = 'SELECT balance FROM accounts'
    for (const sql of [begin, "INSERT INTO cached VALUES ('a')"]) await sessions.sql(2, sql)
    for (const sql of [begin, "INSERT INTO entries (account) VALUES ('ada')", 'COMMIT']) await sessions.sql(1, sql)
    await sessions.sql(1, `${begin} READ ONLY DEFERRABLE`)
    expect(await sessions.sql(1, read)).toEqual({ answers: {}, blocked: { 1: [] }, timed: {} })
    expect((await sessions.sql(2, 'COMMIT')).answers).toEqual({ 1: '2 rows: (100), …', 2: 'COMMIT' })
  })

  test('what only time ends, ends at its virtual moment', async () => {
    await both()
    await sessions.sql(1, 'BEGIN')
    await lock(1, 'ada')
    await sessions.sql(2, "SET lock_timeout = '2s'")
    const waiting = await lock(2, 'ada')
    expect(waiting).toEqual({ answers: {}, blocked: { 2: [1] }, timed: { 2: 2000 } })
    expect((await sessions.elapse(2, 2000)).answers).toEqual({
      2: 'ERROR 55P03 canceling statement due to lock timeout',
    })
    await sessions.sql(2, "SET lock_timeout = 0; SET statement_timeout = '1min'")
    const fromUs = sessions.nowUs
    let seen = await lock(2, 'ada')
    // An earlier alarm of the server may come first, and sets the one that counts.
    while (seen.timed[2] !== undefined) seen = await sessions.elapse(2, seen.timed[2])
    expect(seen.answers).toEqual({ 2: 'ERROR 57014 canceling statement due to statement timeout' })
    expect(sessions.nowUs - fromUs).toBe(60_000_000)
    expect((await sessions.sql(2, 'SET statement_timeout = 0; SELECT pg_sleep(3)')).timed).toEqual({ 2: 3000 })
    expect((await sessions.elapse(2, 3000)).answers[2]).toBe("SET; ('')")
  })

  test('the clock of a session is that of the execution, and its randomness repeats', async () => {
    const asked = 'SELECT now(), clock_timestamp(), CURRENT_DATE, random(), gen_random_uuid()'
    const answers: Seen[] = []
    for (let execution = 0; execution < 2; execution++) {
      await both()
      sessions.nowUs += 1_500_000
      for (const session of [1, 2]) answers.push(await sessions.sql(session, asked))
      await sessions.end()
    }
    const [one, two] = answers.map((seen, index) => seen.answers[(index % 2) + 1]!)
    expect(one).toContain("'2026-01-01 00:00:01.5+00', '2026-01-01 00:00:01.5+00', '2026-01-01'")
    expect(two).not.toBe(one)
    expect(answers.slice(2)).toEqual(answers.slice(0, 2))
  })

  test('notifications reach the sessions that listen, with the unit that sends them', async () => {
    await both()
    await sessions.sql(1, 'LISTEN news')
    expect((await sessions.sql(2, "NOTIFY news, 'hello'")).answers).toEqual({ 2: 'NOTIFY', 1: 'NOTIFY news hello' })
  })

  test('a session that ends another is seen at once, with what it says', async () => {
    for (let count = 0; count < 30; count++) {
      await both()
      const { answers } = await sessions.sql(1, 'SELECT pg_backend_pid()')
      expect((await sessions.sql(2, `SELECT pg_terminate_backend(${/\d+/.exec(answers[1]!)![0]})`)).answers).toEqual({
        2: "('t')",
        1: 'ERROR 57P01 terminating connection due to administrator command (closed)',
      })
      await sessions.end()
    }
  })

  test('an error of the machine is none of the program, nor of later executions', async () => {
    const full = "DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"
    await sessions.open(1)
    await expect(sessions.sql(1, full)).rejects.toThrow('could not extend file (53100)')
    await sessions.end()
    await sessions.open(1)
    expect((await sessions.sql(1, 'SELECT 1')).answers).toEqual({ 1: '(1)' })
  })

  test('a client is refused as by the server', async () => {
    expect((await sessions.open(1, { database: 'other' })).answers).toEqual({
      1: 'ERROR 3D000 database "other" does not exist (closed)',
    })
    expect((await sessions.open(2, { user: 'nobody' })).answers[2]).toContain('role "nobody" does not exist (closed)')
  })

  describe('puts back', () => {
    const left = async (...statements: readonly string[]) => {
      const before = await sessions.answer(ALL)
      await sessions.open(1)
      for (const statement of statements) await sessions.sql(1, statement)
      await sessions.end()
      expect(await sessions.answer(ALL)).toBe(before)
    }

    test.each([
      ['rows, and what triggers wrote', ['UPDATE accounts SET balance = 0', 'DELETE FROM entries']],
      ['rows that were rolled back', ['BEGIN', 'UPDATE accounts SET balance = 0', 'ROLLBACK']],
      ['a transaction that is open', ['BEGIN', 'DELETE FROM entries', 'DELETE FROM accounts']],
      ['a transaction that has failed', ['BEGIN', 'DELETE FROM entries', 'SELECT 1/0']],
      ['sequences', ["SELECT nextval('entries_id_seq'), nextval('entries_id_seq')"]],
      ['emptied tables', ['TRUNCATE accounts, entries RESTART IDENTITY']],
      [
        'what was defined',
        ['CREATE TABLE more (x integer)', 'ALTER TABLE accounts ADD COLUMN z integer', 'DROP TABLE cached'],
      ],
      ['settings and temporary tables', ['CREATE TEMP TABLE t (x integer)', "SET search_path = 'pg_catalog'"]],
    ])('%s', async (_, statements) => left(...statements))

    test('the same order of rows', async () => {
      for (let execution = 0; execution < 3; execution++) {
        await sessions.open(1)
        expect((await sessions.sql(1, 'SELECT name FROM accounts')).answers[1]).toBe("2 rows: ('ada'), …")
        await lock(1, 'ada')
        expect((await sessions.sql(1, 'SELECT name FROM accounts')).answers[1]).toBe("2 rows: ('bob'), …")
        await sessions.end()
      }
    })
  })
})
