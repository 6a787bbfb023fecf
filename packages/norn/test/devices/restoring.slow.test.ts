/** What random statements leave is put back, whatever they are. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isSkipped } from '../../../../systems/postgres/server.ts'
import { PostgresSessions } from './postgres-sessions.ts'

const SCHEMA = `
  CREATE TABLE users (id serial PRIMARY KEY, name text UNIQUE, at timestamptz DEFAULT now());
  INSERT INTO users (name) SELECT 'user ' || i FROM generate_series(1, 30) i;
  CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id integer REFERENCES users ON DELETE CASCADE,
    total numeric, twice numeric GENERATED ALWAYS AS (total * 2) STORED, note text);
  INSERT INTO orders (user_id, total) SELECT i, i * 10 FROM generate_series(1, 20) i;
  CREATE TABLE days (day date, n integer) PARTITION BY RANGE (day);
  CREATE TABLE days_2026 PARTITION OF days FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
  CREATE TABLE days_rest PARTITION OF days DEFAULT;
  INSERT INTO days VALUES ('2026-01-01', 1), ('2025-01-01', 2);
  CREATE TABLE empty (x integer);
  CREATE TABLE big (id integer, text text);
  INSERT INTO big SELECT i, repeat('x', 3000 + i) FROM generate_series(1, 20) i;
  CREATE INDEX ON orders (user_id);
  CREATE SEQUENCE numbers START 100 INCREMENT 5;`

/** Everything, with the place of each row. */
const CONTENT = `SELECT md5(concat_ws('|',
  ${['users', 'orders', 'days_2026', 'days_rest', 'empty', 'big'].map((table) => `(SELECT string_agg(t::text || t.ctid, ';') FROM ${table} t)`).join(', ')},
  ${['users_id_seq', 'orders_id_seq', 'numbers'].map((name) => `(SELECT last_value::text || is_called FROM ${name})`).join(', ')},
  (SELECT string_agg(relname || relkind || relnatts, ',' ORDER BY oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace)))`

const STATEMENTS: readonly ((n: number) => string)[] = [
  (n) => `INSERT INTO users (name) VALUES ('new ${n}')`,
  (n) => `UPDATE users SET name = name || '!' WHERE id % 3 = ${n % 3}`,
  (n) => `DELETE FROM users WHERE id = ${n % 30}`,
  (n) => `INSERT INTO orders (user_id, total) VALUES (${(n % 30) + 1}, ${n}) ON CONFLICT DO NOTHING`,
  () => `UPDATE orders SET total = total + 1`,
  (n) => `INSERT INTO days VALUES ('2026-02-0${(n % 9) + 1}', ${n}), ('2020-01-01', ${n})`,
  () => `UPDATE days SET day = day + 400`,
  (n) => `INSERT INTO empty SELECT generate_series(1, ${n % 500})`,
  (n) => `UPDATE big SET text = repeat('y', ${n * 10})`,
  () => `SELECT nextval('numbers'), nextval('users_id_seq')`,
  () => `TRUNCATE orders RESTART IDENTITY`,
  () => `TRUNCATE users CASCADE`,
  () => `SELECT setval('numbers', 5)`,
  () => `DO $$ BEGIN PERFORM nextval('numbers'); DELETE FROM big; END $$`,
  () => `WITH gone AS (DELETE FROM orders RETURNING *) SELECT count(*) FROM gone`,
  (n) => `CREATE TABLE made_${n} AS SELECT * FROM users`,
  () => `ALTER TABLE empty ADD COLUMN y integer DEFAULT 7`,
  () => `CREATE INDEX ON big (id)`,
  () => `DROP TABLE empty`,
  () => `CREATE TEMP TABLE passing AS SELECT 1`,
  () => `VACUUM big`,
  () => `ANALYZE`,
  () => 'BEGIN',
  () => 'COMMIT',
  () => 'ROLLBACK',
  () => 'SAVEPOINT s',
  () => 'ROLLBACK TO s',
]

/** A generator of numbers from 0 below a bound, the same for each seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >> 8) % below
  }
}

describe.skipIf(isSkipped)('a database', () => {
  test('is after each execution what it was before', async () => {
    const schema = join(mkdtempSync(join(tmpdir(), 'norn-schema-')), 'schema.sql')
    writeFileSync(schema, SCHEMA)
    await using sessions = new PostgresSessions({ schema }, 'restoring')
    const before = await sessions.answer(CONTENT)
    await sessions.end()
    for (let seed = 1; seed <= 40; seed++) {
      const draw = numbers(seed)
      for (const session of [1, 2]) await sessions.open(session)
      const run: string[] = []
      let blocked: Readonly<Record<number, unknown>> = {}
      for (let count = draw(12) + 1; count > 0; count--) {
        const session = draw(2) + 1
        const statement = STATEMENTS[draw(STATEMENTS.length)]!(draw(1000))
        if (blocked[session] !== undefined) continue
        run.push(`${session}: ${statement}`)
        blocked = (await sessions.sql(session, statement)).blocked
      }
      await sessions.end()
      expect(await sessions.answer(CONTENT), run.join('\n')).toBe(before)
      await sessions.end()
    }
  })

  test('is the same one after reading a catalog in which migrations have replaced functions', async () => {
    const schema = join(mkdtempSync(join(tmpdir(), 'norn-schema-')), 'schema.sql')
    const body = `SELECT '${'long '.repeat(200)}'::text`
    const functions = Array.from({ length: 30 }, (_, index) => `f${index}`)
    const replaced = functions.map(
      (name) => `CREATE OR REPLACE FUNCTION ${name}() RETURNS text LANGUAGE sql AS $$${body}$$;`,
    )
    writeFileSync(schema, ['CREATE TABLE counts (n integer);', ...replaced, ...replaced, ...replaced].join('\n'))
    await using sessions = new PostgresSessions({ schema }, 'catalog')
    const before = await sessions.answer('SELECT current_database()')
    await sessions.end()
    await sessions.open(1)
    await sessions.sql(
      1,
      `INSERT INTO counts SELECT length(concat(${functions.map((name) => `${name}()`).join(', ')}))`,
    )
    await sessions.end()
    expect(await sessions.answer('SELECT current_database()')).toBe(before)
  })
})
