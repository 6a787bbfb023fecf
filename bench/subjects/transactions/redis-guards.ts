/** Work of a session on accounts in Redis, by what guards it: what it added, once that is there. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Balances, deltasOf, type RedisGuard, rowsOf, type Work } from '../../databases/transactions/program.ts'
import type { Done } from './invariants.ts'
import type { Connection } from './redis-clients.ts'

export const LOCK = 'lock'
/** A list with one token, which a session takes and puts back. */
export const TOKENS = 'tokens'
export const keyOf = (row: number) => `account:${row}`

/** Longer than any execution. */
const LOCK_MS = 3_600_000

interface Options {
  readonly connection: Connection
  readonly work: Work
  readonly together: boolean
  /** Of the session. */
  readonly token: string
  readonly section: { inside: number }
}

const GUARDS: Readonly<Record<RedisGuard, (options: Options) => Promise<Done>>> = {
  watch: (options) =>
    watched(options, async (writes) => {
      const { connection } = options
      await connection.command('MULTI')
      for (const write of writes) await connection.command(...write)
      return (await connection.command('EXEC')) !== null
    }),
  'watch, in one piece': (options) =>
    watched(options, async (writes) => (await options.connection.transaction(writes)) !== undefined),
  async script({ connection, work }) {
    const rows = rowsOf(work)
    const amount = work.kind === 'audit' ? 0 : work.amount
    const target = work.kind === 'transfer' ? work.to : work.kind === 'audit' ? 0 : work.row
    const keys = rows.map(keyOf)
    const found = await connection.command('EVAL', SCRIPT, keys.length, ...keys, work.kind, amount, keyOf(target))
    const [isDone, ...balances] = (found as readonly unknown[]).map(Number)
    const read = new Map(rows.map((row, index) => [row, balances[index]!]))
    const deltas = deltasOf(work, read)
    assert.equal(isDone === 1, deltas.size > 0)
    return { read, deltas }
  },
  async token(options) {
    const { connection, token } = options
    while ((await connection.command('SET', LOCK, token, 'NX', 'PX', LOCK_MS)) !== 'OK') await sleep(1)
    const done = await alone(options)
    assert.equal(Number(await connection.command('EVAL', RELEASE, 1, LOCK, token)), 1)
    return done
  },
  async 'token of a list'(options) {
    const taken = await options.connection.command('BLPOP', TOKENS, 0)
    assert.deepEqual(taken, [TOKENS, 'token'])
    const done = await alone(options)
    await options.connection.command('RPUSH', TOKENS, 'token')
    return done
  },
}

export function guarded(guard: RedisGuard, options: Options): Promise<Done> {
  return GUARDS[guard](options)
}

type Write = readonly [command: string, key: string, value: number]

async function watched(options: Options, write: (writes: readonly Write[]) => Promise<boolean>): Promise<Done> {
  for (;;) {
    await options.connection.command('WATCH', ...rowsOf(options.work).map(keyOf))
    const read = await readAll(options)
    const deltas = deltasOf(options.work, read)
    const writes = [...deltas].map(([row, delta]): Write => ['SET', keyOf(row), read.get(row)! + delta])
    // A transaction without commands tells as well whether what was read is as it was.
    if (await write(writes)) return { read, deltas }
  }
}

async function alone({ section, ...options }: Options): Promise<Done> {
  assert.equal(++section.inside, 1, 'two sessions are in the section of one')
  const read = await readAll(options)
  const deltas = deltasOf(options.work, read)
  for (const [row, delta] of deltas) await options.connection.command('SET', keyOf(row), read.get(row)! + delta)
  section.inside--
  return { read, deltas }
}

async function readAll({ connection, work, together }: Omit<Options, 'section'>): Promise<Balances> {
  const rows = rowsOf(work)
  if (together) {
    const values = (await connection.command('MGET', ...rows.map(keyOf))) as readonly unknown[]
    return new Map(rows.map((row, index) => [row, Number(values[index])]))
  }
  const read = new Map<number, number>()
  for (const row of rows) read.set(row, Number(await connection.command('GET', keyOf(row))))
  return read
}

const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) else return 0 end`

/** Answers whether the work is done, and what it read. */
const SCRIPT = `
local kind, amount, target = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local found, total, from = {}, 0, nil
for index, key in ipairs(KEYS) do
  found[index] = tonumber(redis.call('GET', key))
  total = total + found[index]
  if key ~= target then from = key end
end
local done = 0
if kind == 'add' then
  redis.call('INCRBY', target, amount)
  done = 1
elseif kind == 'transfer' and tonumber(redis.call('GET', from)) >= amount then
  redis.call('DECRBY', from, amount)
  redis.call('INCRBY', target, amount)
  done = 1
elseif kind == 'withdraw' and total >= amount then
  redis.call('DECRBY', target, amount)
  done = 1
end
return { done, unpack(found) }
`
