/** The program `norn-history`. */
import { readFileSync } from 'node:fs'
import type { ExitStatus } from '#shared/cli/exit-status'
import { runProgram } from '#shared/cli/program'
import { addHistoryCommands, refusedLine } from './commands.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const PROGRAM = {
  name: 'norn-history',
  description: 'Checks histories of concurrent systems: linearizability and isolation.',
  version,
  addCommands: addHistoryCommands,
  refusedLine,
}

/** @param args without the program */
export function run(args: readonly string[]): Promise<ExitStatus> {
  return runProgram(PROGRAM, args)
}
