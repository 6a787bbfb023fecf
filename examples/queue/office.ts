/** An office with workers: each execution adds jobs while the workers start, and says which jobs were done. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { add, type Options, work } from './queue.ts'

/** Longer than all jobs take. */
const PATIENCE_MS = 1000

/** The names of the jobs that were done, in alphabetical order. */
export async function done(workers: number, options: Options, ...names: readonly string[]): Promise<readonly string[]> {
  const pool = new Pool({ connectionString: process.env.DATABASE_URL })
  const all: string[] = []
  const perform = async (name: string) => {
    await sleep(1)
    all.push(name)
  }
  const starting = Array.from({ length: workers }, () => work(pool, perform, options))
  await Promise.all(names.map((name) => add(pool, name)))
  await sleep(PATIENCE_MS)
  for (const stop of await Promise.all(starting)) await stop()
  await pool.end()
  return all.sort()
}
