/** Programs on Redis: runs their sessions at once, and checks what has to hold. */
import { type AccountsProgram, BALANCE, JOBS, type JobsProgram } from '../../databases/transactions/program.ts'
import { checkAccounts, checkJobs, type Done } from './invariants.ts'
import { connect } from './redis-clients.ts'
import { guarded, keyOf, TOKENS } from './redis-guards.ts'

const ROWS = [1, 2, 3, 4]
/** How long a worker waits for a job, in seconds. */
const PATIENCE_S = 0.01

export async function accounts(program: AccountsProgram & { readonly server: 'redis' }): Promise<void> {
  const first = await connect(program.client)
  await first.command('MSET', ...ROWS.flatMap((row) => [keyOf(row), BALANCE]))
  await first.command('RPUSH', TOKENS, 'token')
  const section = { inside: 0 }
  const done: Done[] = []
  await Promise.all(
    program.sessions.map(async (all, session) => {
      const connection = await connect(program.client)
      const options = { connection, token: `session ${session}`, section, together: program.together }
      for (const work of all) done.push(await guarded(program.guard, { ...options, work }))
      connection.end()
    }),
  )
  const balances = (await first.command('MGET', ...ROWS.map(keyOf))) as readonly unknown[]
  first.end()
  checkAccounts(program, done, new Map(ROWS.map((row, index) => [row, Number(balances[index])])))
}

export async function jobs({ client, workers }: JobsProgram & { readonly server: 'redis' }): Promise<void> {
  const first = await connect(client)
  await first.command('RPUSH', 'jobs', ...Array.from({ length: JOBS }, (_, index) => index + 1))
  first.end()
  const done: number[] = []
  await Promise.all(
    Array.from({ length: workers }, async () => {
      const connection = await connect(client)
      for (;;) {
        const job = await connection.command('BLMOVE', 'jobs', 'taken', 'LEFT', 'RIGHT', PATIENCE_S)
        if (job === null) break
        done.push(Number(job))
      }
      connection.end()
    }),
  )
  checkJobs(done)
}
