// Hostile programs under norn: each prints its outcome.
import { readFileSync } from 'node:fs'
import { fuzz } from 'norn'
import { run } from './run.ts'

/** Thousands of connections. */
const MAX_STEPS = 200_000

const programs: readonly string[] = JSON.parse(readFileSync(process.env.HOSTILE_PROGRAMS!, 'utf8'))

for (const [index, program] of programs.entries()) {
  fuzz(`${index}`, {}, async () => console.log(await run(JSON.parse(program))), { maxSteps: MAX_STEPS })
}
