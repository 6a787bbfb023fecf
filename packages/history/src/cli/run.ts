/** The program `norn-history`. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { addHistoryCommands, callErrorText, refusedLine } from './commands.ts'
import { type ExitStatus, STATUS } from './exit-status.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** @param args without the program */
export async function run(args: readonly string[]): Promise<ExitStatus> {
  let status: ExitStatus = STATUS.passed
  const program = new Command('norn-history')
    .description('Checks histories of concurrent systems: linearizability and isolation.')
    .version(version, '--version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`norn-history: ${callErrorText(text)}`) })
    .showHelpAfterError('Run `norn-history --help` for the commands.')
  addHistoryCommands(program, (ended) => {
    status = ended
  })
  for (const command of program.commands)
    command.exitOverride().showHelpAfterError(`Run \`norn-history ${command.name()} --help\` for options.`)
  try {
    await program.parseAsync(args, { from: 'user' })
    return status
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Commander has reported it. Help and the version are not errors.
    if (error.exitCode === 0) return STATUS.passed
    const line = refusedLine(args, callErrorText(error.message))
    if (line !== undefined) console.log(line)
    return STATUS.usage
  }
}
