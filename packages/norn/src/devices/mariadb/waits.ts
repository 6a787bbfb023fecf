/** What the server says of connections that wait. */
import type { Backend, Wait } from './backend.ts'

/** States of a thread that waits for others, or for time, but for rows. */
const STATES = "'^(Waiting for .*lock|User (lock|sleep))'"

const OTHERS = `select id from information_schema.processlist where state rlike ${STATES}`

const ROWS = `select w.trx_mysql_thread_id, group_concat(b.trx_mysql_thread_id order by b.trx_mysql_thread_id)
  from information_schema.innodb_trx w
  left join information_schema.innodb_lock_waits l on l.requesting_trx_id = w.trx_id
  left join information_schema.innodb_trx b on b.trx_id = l.blocking_trx_id
  where w.trx_state = 'LOCK WAIT' group by w.trx_mysql_thread_id`

/** What a connection waits for; undefined if it does not wait. */
export async function waitOf(control: Backend, { id }: Backend): Promise<Wait | undefined> {
  const rows = (await control.rows(ROWS)).find(([waiting]) => Number(waiting) === id)
  if (rows !== undefined) return { by: rows[1] === '' ? [] : rows[1]!.split(',').map(Number) }
  return (await control.rows(OTHERS)).some(([waiting]) => Number(waiting) === id) ? { by: [] } : undefined
}
