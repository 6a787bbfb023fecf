/** What the server's table of locks says of backends. */
import type { Backend } from './backend.ts'
import type { Connection } from './connection.ts'
import { isWaiting } from './process-state.ts'

/** What a backend waits for. */
export interface Wait {
  /** The lock, as the server's table has it; empty for other reasons to wait. */
  readonly lock: string
  /** The processes that have it, or are before it, as far as the server knows. */
  readonly by: readonly number[]
  /** Whether it waits for others at all. */
  readonly isBlocked: boolean
}

/** What each of some backends waits for now. */
export async function waitsOf(control: Connection, backends: readonly Backend[]): Promise<Wait[]> {
  const rows = await control.rows(locksOf(backends.map(({ pid }) => pid)))
  // What a backend sent before it began to wait has arrived, and is read in this turn of the loop.
  await new Promise((resolve) => setImmediate(resolve))
  return rows.map(([lock = '', by = '', waitsForSnapshot], at) => ({
    lock,
    by: by === '' ? [] : by.split(',').map(Number),
    isBlocked: by !== '' || (waitsForSnapshot === 't' && isWaiting(backends[at]!)),
  }))
}

/** The locks that backends wait for, and for which others. */
function locksOf(pids: readonly number[]): string {
  const lock = `concat_ws(' ', l.locktype, l.database, l.relation, l.page, l.tuple, l.virtualxid, l.transactionid, l.classid,
    l.objid, l.objsubid, l.mode)`
  const by = "array_to_string(pg_blocking_pids(a.pid) || pg_safe_snapshot_blocking_pids(a.pid), ',')"
  // Who waits for a snapshot is not found by its number while an earlier transaction of its session is remembered.
  const waitsForSnapshot = "(select wait_event = 'SafeSnapshot' from pg_stat_get_activity(a.pid))"
  const all = `unnest(array[${pids.join()}]) with ordinality a(pid, at)`
  return `select ${lock}, ${by}, ${waitsForSnapshot} from ${all}
    left join pg_locks l on l.pid = a.pid and not l.granted order by a.at`
}
