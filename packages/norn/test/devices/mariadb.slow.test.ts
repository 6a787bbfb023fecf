import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isSkipped } from '../../../../systems/mariadb/server.ts'
import type { MariadbTarget } from '../../src/contract/database.ts'
import type { Conversation, Outcome } from '../../src/devices/device.ts'
import { mariadbProtocol } from '../../src/devices/mariadb/conversation.ts'
import { MariadbDevice } from '../../src/devices/mariadb/mariadb-device.ts'
import { CAPABILITY, COMMAND, command, number, packet } from '../../src/devices/mariadb/packets.ts'
import { startDatabases } from '../../src/devices/servers/start.ts'

const EPOCH_US = Date.UTC(2026, 0, 1) * 1000
const { protocol41, secureConnection, pluginAuthentication, connectWithDatabase } = CAPABILITY

const SCHEMA = `
  CREATE TABLE accounts (id int PRIMARY KEY, balance int) ENGINE=InnoDB;
  INSERT INTO accounts VALUES (1, 100), (2, 100);
  CREATE TABLE orders (id int PRIMARY KEY AUTO_INCREMENT, account int, total int, twice int AS (total * 2) STORED,
    FOREIGN KEY (account) REFERENCES accounts (id) ON DELETE CASCADE) AUTO_INCREMENT = 50;
  INSERT INTO orders (account, total) VALUES (1, 5), (2, 6);
  DELETE FROM orders WHERE total = 6;
  CREATE TABLE seen (number int PRIMARY KEY, balance int);
  CREATE TABLE log (text varchar(50), KEY (text)) ENGINE=MyISAM;
  CREATE TABLE audited (id int PRIMARY KEY);
  INSERT INTO audited VALUES (1), (2);
  CREATE TRIGGER audit AFTER INSERT ON audited FOR EACH ROW
    UPDATE accounts SET balance = balance + 1 WHERE id = 2;
  CREATE TABLE days (day date, n int) PARTITION BY RANGE (year(day))
    (PARTITION old VALUES LESS THAN (2026), PARTITION new VALUES LESS THAN MAXVALUE);
  INSERT INTO days VALUES ('2020-01-01', 1), ('2026-01-01', 2);
  CREATE SEQUENCE numbers START WITH 7;
  CREATE PROCEDURE pay() UPDATE accounts SET balance = balance + 1;
  DELIMITER //
  CREATE PROCEDURE look(number int) BEGIN
    SELECT balance INTO @read FROM accounts WHERE id = 1 LOCK IN SHARE MODE;
    INSERT INTO seen VALUES (number, (SELECT count(*) FROM seen) + 1);
  END //
  DELIMITER ;
`

const login = (database: string) => {
  const capabilities = protocol41 | secureConnection | pluginAuthentication | connectWithDatabase
  const head = [number(capabilities, 4), number(1 << 24, 4), number(45, 1), Buffer.alloc(23)]
  return packet(1, ...head, 'ada', number(0, 1), database, 'mysql_native_password')
}

describe.skipIf(isSkipped)('a device of MariaDB', () => {
  let target: MariadbTarget
  let device: MariadbDevice
  let nowUs = EPOCH_US
  const conversations = new Map<number, Conversation>()
  beforeAll(() => {
    const schema = join(mkdtempSync(join(tmpdir(), 'norn-schema-')), 'schema.sql')
    writeFileSync(schema, SCHEMA)
    ;[target] = startDatabases({ main: { kind: 'mariadb', schema } }) as [MariadbTarget]
    device = new MariadbDevice(target, `${process.pid}`)
  })
  const end = async () => {
    await device.end()
    nowUs = EPOCH_US
    conversations.clear()
  }
  afterEach(end)
  afterAll(() => device.dispose())

  const seen = ({ answers, blocked, timed }: Outcome) => ({
    answers: Object.fromEntries(
      answers.map(({ session, bytes, isClosed }) => {
        const text = conversations.get(session)!.answer(bytes)
        return [session, isClosed ? `${text}, closed` : text]
      }),
    ),
    blocked: blocked.map(({ session, by }) => [session, ...by]),
    timed: timed.map(({ untilUs }) => (untilUs - nowUs) / 1_000_000),
  })
  const hand = async (session: number, unit: Buffer) => {
    conversations.get(session)!.units(unit)
    return seen(await device.hand(session, nowUs, unit))
  }
  const open = async (...sessions: readonly number[]) => {
    for (const session of sessions) {
      conversations.set(session, mariadbProtocol.conversation())
      seen(await device.open(session, nowUs))
      await hand(session, login('norn'))
    }
  }
  const run = (session: number, sql: string) => hand(session, command(COMMAND.query, sql))
  const answer = async (session: number, sql: string) => (await run(session, sql)).answers[session]

  test('a client that names no database that there is hears so', async () => {
    conversations.set(1, mariadbProtocol.conversation())
    seen(await device.open(1, nowUs))
    expect((await hand(1, login('missing'))).answers).toEqual({
      1: "ERROR 1049 (42000) Unknown database 'missing', closed",
    })
  })

  test('tells who waits for whom, and what a commit releases', async () => {
    await open(1, 2, 3)
    for (const session of [1, 2, 3]) await run(session, 'BEGIN')
    await run(1, 'UPDATE accounts SET balance = 1 WHERE id = 1')
    const update = (balance: number) => `UPDATE accounts SET balance = balance + ${balance} WHERE id = 1`
    expect(await run(2, update(10))).toEqual({ answers: {}, blocked: [[2, 1]], timed: [50] })
    expect(await device.open(4, nowUs)).toMatchObject({ blocked: [{ session: 2, by: [1] }], timed: [{ session: 2 }] })
    expect((await run(3, update(100))).blocked).toEqual([
      [2, 1],
      [3, 1, 2],
    ])
    expect((await run(1, 'COMMIT')).answers).toEqual({ 1: 'OK', 2: '1 changed' })
    expect((await run(2, 'COMMIT')).answers).toEqual({ 2: 'OK', 3: '1 changed' })
    expect(await answer(3, 'SELECT balance FROM accounts WHERE id = 1')).toBe('(111)')
  })

  test('of several that a commit releases, one goes on after the other', async () => {
    for (let count = 0; count < 10; count++) {
      await open(1, 2, 3, 4)
      await run(1, 'BEGIN')
      await run(1, 'SELECT * FROM accounts WHERE id = 1 FOR UPDATE')
      for (const session of [4, 3, 2]) await run(session, `CALL look(${session})`)
      expect(Object.keys((await run(1, 'COMMIT')).answers)).toEqual(['1', '2', '3', '4'])
      expect(await answer(1, 'SELECT group_concat(number ORDER BY balance) FROM seen')).toBe("('2,3,4')")
      await end()
    }
  })

  test('a deadlock has the same victim each time', async () => {
    for (let count = 0; count < 10; count++) {
      await open(1, 2)
      for (const session of [1, 2]) await run(session, 'BEGIN')
      await run(1, 'UPDATE accounts SET balance = 1 WHERE id = 1')
      await run(2, 'UPDATE accounts SET balance = 2 WHERE id = 2')
      await run(1, 'UPDATE accounts SET balance = 1 WHERE id = 2')
      expect(await run(2, 'UPDATE accounts SET balance = 2 WHERE id = 1')).toEqual({
        answers: {
          1: '1 changed',
          2: 'ERROR 1213 (40001) Deadlock found when trying to get lock; try restarting transaction',
        },
        blocked: [],
        timed: [],
      })
      await end()
    }
  })

  test('waits end in virtual time: for rows, tables, named locks, and sleep', async () => {
    await open(1, 2)
    await run(1, 'SELECT get_lock("a", 0)')
    // It looks again each second.
    let waiting = await run(2, 'SELECT get_lock("a", 3)')
    while (waiting.blocked.length > 0) {
      expect(waiting).toMatchObject({ answers: {}, blocked: [[2]] })
      nowUs += waiting.timed[0]! * 1_000_000
      waiting = seen(await device.elapse(2, nowUs))
    }
    expect(waiting.answers).toEqual({ 2: '(0)' })
    expect(nowUs - EPOCH_US).toBe(3_000_000)
    await run(1, 'BEGIN')
    await run(1, 'UPDATE accounts SET balance = 1 WHERE id = 1')
    await run(2, 'SET innodb_lock_wait_timeout = 3, lock_wait_timeout = 4')
    expect(await run(2, 'DELETE FROM accounts WHERE id = 1')).toEqual({ answers: {}, blocked: [[2, 1]], timed: [3] })
    nowUs += 3_000_000
    expect(seen(await device.elapse(2, nowUs)).answers[2]).toMatch(/ERROR 1205 .*Lock wait timeout/)
    expect((await run(2, 'LOCK TABLES accounts WRITE')).timed).toEqual([1])
    expect((await run(1, 'ROLLBACK')).answers).toEqual({ 1: 'OK', 2: 'OK' })
    expect((await run(1, 'SELECT sleep(2)')).timed).toEqual([2])
    nowUs += 2_000_000
    expect(seen(await device.elapse(1, nowUs)).answers).toEqual({ 1: '(0)' })
  })

  test('the clock, chance, and the number of a connection are of the execution', async () => {
    const values: unknown[] = []
    for (let count = 0; count < 2; count++) {
      await open(1, 2)
      nowUs += 1_500_000
      await run(2, 'SELECT 1')
      values.push(await answer(2, 'SELECT now(6), sysdate(6), unix_timestamp(), connection_id(), rand()'))
      await end()
    }
    expect(values[0]).toMatch(/^\('2026-01-01 \d\d:00:01\.500001', '2026-01-01 \d\d:00:01\.500000', \d+, 2, 0\.\d+\)$/)
    expect(values[1]).toBe(values[0])
  })

  test('KILL ends the session, or the statement, that it names', async () => {
    await open(1, 2)
    await run(1, 'SELECT get_lock("a", 0)')
    await run(2, 'SELECT get_lock("a", 20)')
    const killed = await run(1, 'KILL QUERY 2')
    expect(killed.answers[2]).toMatch(/Query execution was interrupted|\(NULL\)/)
    expect((await run(1, 'KILL 2')).answers).toEqual({ 1: 'OK', 2: ', closed' })
    expect(await answer(1, 'KILL 99')).toMatch(/Unknown thread id/)
  })

  test('a client that leaves while it waits gives back what it has', async () => {
    await open(1, 2, 3)
    await run(2, 'BEGIN')
    await run(2, 'UPDATE accounts SET balance = 2 WHERE id = 2')
    await run(1, 'BEGIN')
    await run(1, 'UPDATE accounts SET balance = 1 WHERE id = 1')
    await run(2, 'UPDATE accounts SET balance = 2 WHERE id = 1')
    await run(3, 'UPDATE accounts SET balance = 3 WHERE id = 2')
    expect(seen(await device.close(2, nowUs)).answers).toEqual({ 3: '1 changed' })
  })

  test('prepared statements are told with their values', async () => {
    await open(1)
    const conversation = conversations.get(1)!
    const prepare = command(COMMAND.prepare, 'SELECT id, balance FROM accounts WHERE id = ? AND balance > ?')
    expect((await hand(1, prepare)).answers).toEqual({ 1: '' })
    const values = [number(2, 4), number(0, 4), number(1, 1), Buffer.from('5')]
    const types = [number(8, 2), number(253, 2)]
    const execute = packet(
      0,
      Buffer.from([COMMAND.execute]),
      number(1, 4),
      number(0, 1),
      number(1, 4),
      number(0, 1),
      number(1, 1),
      ...types,
      ...values,
    )
    const [unit] = conversation.units(execute)
    expect(unit).toMatchObject({
      name: 'SELECT id, balance FROM accounts WHERE id = ? AND balance > ?',
      text: "SELECT id, balance FROM accounts WHERE id = 2 AND balance > '5'",
    })
    expect(seen(await device.hand(1, nowUs, execute)).answers).toEqual({ 1: '(2, 100)' })
  })

  test('a server that a URL names is copied, and only read', async () => {
    await open(1)
    await run(1, "GRANT ALL ON *.* TO reader@localhost IDENTIFIED BY 'secret'")
    await run(1, 'INSERT INTO accounts VALUES (3, 7)')
    const { folder } = target
    const socketPath = join(folder, `main-${process.pid}.sock`)
    const url = `mysql://reader:secret@localhost/norn?socketPath=${encodeURIComponent(socketPath)}`
    const [copied] = startDatabases({ copy: { kind: 'mariadb', url } }) as [MariadbTarget]
    expect(copied.url).toBe('mysql://root@localhost:3306/norn')
    const copy = new MariadbDevice(copied, 'copy')
    try {
      const greeting = await copy.open(1, nowUs)
      expect(greeting.answers).toHaveLength(1)
      const conversation = mariadbProtocol.conversation()
      conversation.answer(greeting.answers[0]!.bytes)
      for (const unit of [login('norn'), command(COMMAND.query, 'DELETE FROM accounts WHERE id = 3')]) {
        conversation.units(unit)
        const { answers } = await copy.hand(1, nowUs, unit)
        expect(conversation.answer(answers[0]!.bytes)).toMatch(/connected|1 changed/)
      }
    } finally {
      await copy.dispose()
    }
    expect(await answer(1, 'SELECT * FROM accounts WHERE id = 3')).toBe('(3, 7)')
    const wrong = url.replace('/norn?', '/missing?')
    expect(() => startDatabases({ copy: { kind: 'mariadb', url: wrong } })).toThrow(
      /^(?!.*secret)database copy: mysql:\/\/reader@localhost\/missing.*Unknown database 'missing'/s,
    )
  })

  test('what norn cannot decide is refused', async () => {
    await open(1)
    await expect(run(1, 'SET max_statement_time = 2')).rejects.toThrow('norn does not support max_statement_time')
  })

  const TABLES = {
    accounts: 'id, balance',
    orders: 'id, account, total, twice',
    seen: 'number, balance',
    log: 'text',
    audited: 'id',
    days: 'day, n',
  }
  const content = async () => {
    await open(9)
    const digest = (row: string, from: string) =>
      `SELECT count(*), md5(group_concat(concat_ws(' ', ${row}))) FROM ${from}`
    const all = [
      ...Object.entries(TABLES).map(([table, columns]) => digest(columns, table)),
      digest('table_name, column_name', "information_schema.columns WHERE table_schema = 'norn'"),
      "SELECT auto_increment FROM information_schema.tables WHERE table_schema = 'norn' AND table_name = 'orders'",
      'SELECT next_not_cached_value FROM numbers',
    ]
    const found: unknown[] = []
    for (const sql of all) found.push(await answer(9, sql))
    return found
  }
  const STATEMENTS: readonly ((n: number) => string)[] = [
    (n) => `UPDATE accounts SET balance = ${n} WHERE id = ${(n % 2) + 1}`,
    (n) => `INSERT INTO orders (account, total) VALUES (${(n % 3) + 1}, ${n})`,
    () => 'DELETE FROM orders',
    () => 'DELETE FROM accounts WHERE id = 1',
    (n) => `INSERT INTO accounts VALUES (${n}, 1)`,
    (n) => `INSERT INTO log VALUES ('${n}')`,
    (n) => `INSERT INTO audited VALUES (${n})`,
    (n) => `INSERT INTO days VALUES ('2021-01-01', ${n}), ('2027-01-01', ${n})`,
    () => 'UPDATE days SET day = day + INTERVAL 3 YEAR',
    () => 'SELECT NEXT VALUE FOR numbers',
    () => 'CALL pay()',
    () => 'TRUNCATE log',
    () => 'TRUNCATE orders',
    (n) => `CREATE TABLE made_${n} AS SELECT * FROM accounts`,
    () => 'ALTER TABLE days ADD COLUMN more int DEFAULT 7',
    () => 'DROP TABLE log',
    () => 'CREATE TEMPORARY TABLE passing (x int)',
    () => 'SET GLOBAL innodb_lock_wait_timeout = 1',
    () => 'BEGIN',
    () => 'COMMIT',
    () => 'ROLLBACK',
    () => 'SAVEPOINT s',
    () => 'ROLLBACK TO s',
  ]

  test('no execution sees what another has deleted, nor does the server purge it within one', async () => {
    await open(1)
    const snapshots = "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'RUNNING'"
    expect(await answer(1, snapshots)).toBe('(1)')
    expect((await content()).at(-2)).toBe('(52)')
  })

  test('everything is after each execution what it was before, whatever statements did', async () => {
    const before = await content()
    await end()
    for (let seed = 1; seed <= 15; seed++) {
      let state = seed
      const draw = (below: number) => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
        return (state >> 8) % below
      }
      await open(1, 2)
      const ran: string[] = []
      for (let count = draw(8); count >= 0; count--) {
        const [session, sql] = [1 + draw(2), STATEMENTS[draw(STATEMENTS.length)]!(3 + draw(50))]
        ran.push(`${session}: ${sql}`)
        // A session that waits takes nothing more.
        if ((await run(session, sql)).blocked.length > 0) break
      }
      await end()
      expect(await content(), ran.join('\n')).toEqual(before)
      await end()
    }
  })
})
