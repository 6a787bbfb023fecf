/** The program `norn-tla`. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { addTlaCommands, callErrorText, refusedLine } from './commands.ts'
import { type ExitStatus, STATUS } from './exit-status.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** @param args without the program */
export async function run(args: readonly string[]): Promise<ExitStatus> {
  let status: ExitStatus = STATUS.passed
  const program = new Command('norn-tla')
    .description('Checks, simulates and follows TLA+ specifications, without a JVM.')
    .version(version, '--version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`norn-tla: ${callErrorText(text)}`) })
    .showHelpAfterError('Run `norn-tla --help` for the commands.')
    .addHelpText(
      'after',
      '\nExit status: 0 no failure found, 1 failure found, 2 invalid call or input, 3 inconclusive.',
    )
  addTlaCommands(program, (ended) => {
    status = ended
  })
  for (const command of program.commands) {
    command.exitOverride().showHelpAfterError(`Run \`norn-tla ${command.name()} --help\` for options.`)
  }
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
