/** Correct programs, a property for each: none may fail. See ../../databases/transactions. */
import { fuzz } from 'norn'
import { programs } from '../../databases/transactions/generate.ts'
import { PROGRAMS, type Program } from '../../databases/transactions/program.ts'
import * as postgres from './postgres.ts'
import * as redis from './redis.ts'

for (const program of programs(PROGRAMS)) fuzz(program.name, {}, () => run(program))

function run(program: Program): Promise<void> {
  if (program.kind === 'claims') return postgres.claims(program)
  if (program.kind === 'jobs') return program.server === 'postgres' ? postgres.jobs(program) : redis.jobs(program)
  return program.server === 'postgres' ? postgres.accounts(program) : redis.accounts(program)
}
