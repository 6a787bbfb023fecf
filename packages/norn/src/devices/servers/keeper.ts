/**
 * The keeper of the servers and databases of one call: a process of its own, which nothing that happens to the call
 * reaches. It takes everything away when the call is gone.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kept } from './kept.ts'
import { mariadbServers } from './mariadb-server.ts'
import { postgresServers } from './postgres-server.ts'
import { redisServers } from './redis-server.ts'
import { ANSWER, type KeeperAnswer, type KeeperTask } from './start.ts'

const LOOK_MS = 200

const task = JSON.parse(process.env.NORN_KEEPER!) as KeeperTask
delete process.env.NORN_KEEPER
const born = birth(task.owner)
const kept: Kept[] = []
try {
  for (const start of [postgresServers, redisServers, mariadbServers])
    kept.push(await start(task.folder, task.databases))
  answer({ targets: kept.flatMap(({ targets }) => targets) })
  while (birth(task.owner) === born) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
} catch (error) {
  answer({ failed: (error as Error).message })
  while (birth(task.owner) === born) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
} finally {
  for (const each of kept) await each.remove()
  rmSync(task.folder, { recursive: true, force: true, maxRetries: 5 })
}

function answer(result: KeeperAnswer): void {
  const file = join(task.folder, ANSWER)
  writeFileSync(`${file}.part`, JSON.stringify(result), { mode: 0o600 })
  renameSync(`${file}.part`, file)
}

/** When a process began, which tells it from a later one of its number; undefined once it is gone. */
function birth(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : fields[18]
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'unknown' : undefined
  }
}
