/**
 * How each of Hermitage's anomalies is observed, whatever the server. The data are 1 => 10 and 2 => 20. A transaction
 * that the server undoes to keep isolation, or for a deadlock, has not happened.
 */
import { fuzz } from 'norn'
import { ANOMALIES, type Anomaly, type Level, propertyName } from './documented.ts'

export type Query = (sql: string) => Promise<{ readonly rows: readonly Row[]; readonly rowCount: number | null }>

export interface Row {
  readonly id: number
  readonly value: number
}

/** A client of a server, at a level. */
export interface Session {
  connect(): Promise<void>
  end(): Promise<void>
  /** What the body returns; undefined if the server undoes it. */
  transact<Result>(body: (query: Query) => Promise<Result>): Promise<Result | undefined>
  /** What is committed. */
  values(): Promise<readonly number[]>
}

/** Declares a property for each anomaly and each of some levels: it fails if the anomaly was observed. */
export function declareAnomalies(levels: readonly Level[], session: (level: Level) => Session): void {
  for (const anomaly of ANOMALIES) {
    for (const level of levels) {
      fuzz(propertyName(anomaly, level), {}, async () => {
        const sessions = [session(level), session(level), session(level)] as const
        await Promise.all(sessions.map((each) => each.connect()))
        try {
          if (await OBSERVE[anomaly](...sessions)) throw new Error(`${anomaly} was observed`)
        } finally {
          await Promise.all(sessions.map((each) => each.end()))
        }
      })
    }
  }
}

const read = async (query: Query, id: number) => (await query(`select * from test where id = ${id}`)).rows[0]!.value
const write = (query: Query, id: number, value: number) => query(`update test set value = ${value} where id = ${id}`)

const is = (values: readonly number[] | undefined, ...expected: readonly number[]) =>
  values !== undefined && values.length === expected.length && values.every((value, at) => value === expected[at])

/** Each tells whether it was observed. */
const OBSERVE: Readonly<Record<Anomaly, (a: Session, b: Session, c: Session) => Promise<boolean>>> = {
  /** Two transactions write both rows: of each row another one is the last. */
  async G0(a, b) {
    const both = (first: number, second: number) => async (query: Query) => {
      await write(query, 1, first)
      await write(query, 2, second)
      return true
    }
    const [first, second] = await Promise.all([a.transact(both(11, 21)), b.transact(both(12, 22))])
    const values = await a.values()
    return first === true && second === true && (is(values, 11, 22) || is(values, 12, 21))
  },

  /** A value is read that was never committed. */
  async G1a(a, b) {
    const [, seen] = await Promise.all([
      a.transact(async (query) => {
        await write(query, 1, 101)
        await query('rollback')
      }),
      b.transact(async (query) => [await read(query, 1), await read(query, 1)]),
    ])
    return seen?.includes(101) === true
  },

  /** A value is read that its own writer wrote over. */
  async G1b(a, b) {
    const [, seen] = await Promise.all([
      a.transact(async (query) => {
        await write(query, 1, 101)
        await write(query, 1, 11)
      }),
      b.transact(async (query) => [await read(query, 1), await read(query, 1)]),
    ])
    return seen?.includes(101) === true
  },

  /** Each of two transactions reads what the other writes. */
  async G1c(a, b) {
    const [first, second] = await Promise.all([
      a.transact(async (query) => {
        await write(query, 1, 11)
        return read(query, 2)
      }),
      b.transact(async (query) => {
        await write(query, 2, 22)
        return read(query, 1)
      }),
    ])
    return first === 22 && second === 11
  },

  /** A reader has seen of a transaction that wrote both rows, and then sees what was before it. */
  async OTV(a, b, c) {
    const both = (first: number, second: number) => async (query: Query) => {
      await write(query, 1, first)
      await write(query, 2, second)
    }
    const [, , seen] = await Promise.all([
      a.transact(both(11, 19)),
      b.transact(both(12, 18)),
      c.transact(async (query) => {
        const keys = [1, 2, 2, 1]
        const values: number[] = []
        for (const key of keys) values.push(await read(query, key))
        return values
      }),
    ])
    const [last] = await a.values()
    const ages: ReadonlyMap<number, number> = new Map([
      ...([10, 20] as const).map((value) => [value, 0] as const),
      ...([11, 19] as const).map((value) => [value, last === 11 ? 2 : 1] as const),
      ...([12, 18] as const).map((value) => [value, last === 12 ? 2 : 1] as const),
    ])
    const order = seen?.map((value) => ages.get(value)!) ?? []
    return order.some((age, at) => at > 0 && age < order[at - 1]!)
  },

  /** Two reads by predicates, between which rows appear. */
  async PMP(a, b) {
    const [seen] = await Promise.all([
      a.transact(async (query) => {
        const { rows: before } = await query('select * from test where value = 30')
        const { rows: after } = await query('select * from test where value % 3 = 0')
        return before.length === 0 && after.length > 0
      }),
      b.transact((query) => query('insert into test values (3, 30)')),
    ])
    return seen === true
  },

  /** What a predicate deletes is there when it has deleted. */
  async 'PMP of a write'(a, b) {
    const [, left] = await Promise.all([
      a.transact((query) => query('update test set value = value + 10')),
      b.transact(async (query) => {
        await query('delete from test where value = 20')
        return (await query('select * from test where value = 20')).rows.length
      }),
    ])
    return left !== undefined && left > 0
  },

  /** Two transactions add one to what they read: one of them is lost. */
  async P4(a, b) {
    const add = async (query: Query) => {
      await write(query, 1, (await read(query, 1)) + 1)
      return true
    }
    const [first, second] = await Promise.all([a.transact(add), b.transact(add)])
    return first === true && second === true && is(await a.values(), 11, 20)
  },

  /** A reader sees one row before a transaction and the other behind it. */
  async 'G-single'(a, b) {
    const [seen] = await Promise.all([
      a.transact(async (query) => [await read(query, 1), await read(query, 2)]),
      b.transact(async (query) => {
        await write(query, 1, 12)
        await write(query, 2, 18)
      }),
    ])
    return is(seen, 10, 18) || is(seen, 12, 20)
  },

  async 'G-single of predicates'(a, b) {
    const [seen] = await Promise.all([
      a.transact(async (query) => {
        const { rows: before } = await query('select * from test where value % 5 = 0')
        const { rows: after } = await query('select * from test where value % 3 = 0')
        return before.length === 2 && after.length > 0
      }),
      b.transact((query) => query('update test set value = 12 where value = 10')),
    ])
    return seen === true
  },

  /** A reader has seen one row before a transaction, and what it deletes is behind it. */
  async 'G-single of a write'(a, b) {
    const [seen] = await Promise.all([
      a.transact(async (query) => [await read(query, 1), (await query('delete from test where value = 20')).rowCount]),
      b.transact(async (query) => {
        await write(query, 1, 12)
        await write(query, 2, 18)
      }),
    ])
    return seen?.[0] === 10 && seen[1] === 0
  },

  /** Write skew: each of two transactions reads both rows and writes another one. */
  async 'G2-item'(a, b) {
    const skew = (id: number, value: number) => async (query: Query) => {
      const { rows } = await query('select * from test where id in (1, 2) order by id')
      await write(query, id, value)
      return rows.map((row) => row.value)
    }
    const [first, second] = await Promise.all([a.transact(skew(1, 11)), b.transact(skew(2, 21))])
    return is(first, 10, 20) && is(second, 10, 20)
  },

  /** Each of two transactions inserts a row that the other has looked for. */
  async G2(a, b) {
    const insert = (id: number, value: number) => async (query: Query) => {
      const { rows } = await query('select * from test where value % 3 = 0')
      await query(`insert into test values (${id}, ${value})`)
      return rows.length
    }
    const [first, second] = await Promise.all([a.transact(insert(3, 30)), b.transact(insert(4, 42))])
    return first === 0 && second === 0
  },

  /** Of two writers that each read before the other wrote, a reader tells the order that cannot be. */
  async 'G2 with a reader'(a, b, c) {
    const all = async (query: Query) => (await query('select * from test order by id')).rows.map((row) => row.value)
    const [first, , seen] = await Promise.all([
      a.transact(async (query) => {
        const values = await all(query)
        await write(query, 1, 0)
        return values
      }),
      b.transact((query) => query('update test set value = value + 5 where id = 2')),
      c.transact(all),
    ])
    return is(first, 10, 20) && is(seen, 10, 25)
  },
}
