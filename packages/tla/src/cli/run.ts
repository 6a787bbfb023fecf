/** The program `norn-tla`. */
import { readFileSync } from 'node:fs'
import type { ExitStatus } from '#shared/cli/exit-status'
import { runProgram } from '#shared/cli/program'
import { addTlaCommands, refusedLine } from './commands.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const PROGRAM = {
  name: 'norn-tla',
  description: 'Checks, simulates and follows TLA+ specifications, without a JVM.',
  version,
  footer: 'Exit status: 0 no failure found, 1 failure found, 2 invalid call or input, 3 inconclusive.',
  addCommands: addTlaCommands,
  refusedLine,
}

/** @param args without the program */
export function run(args: readonly string[]): Promise<ExitStatus> {
  return runProgram(PROGRAM, args)
}
