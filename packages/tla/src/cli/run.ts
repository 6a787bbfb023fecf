/** The program `norn-tla`. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { addTlaCommands, refusedLine } from './commands.ts'
import { type ExitStatus, STATUS } from './exit-status.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** @param args without the program */
export async function run(args: readonly string[]): Promise<ExitStatus> {
  let status: ExitStatus = STATUS.passed
  const program = new Command('norn-tla')
    .description('Checks, simulates and follows TLA+ specifications, without a JVM.')
    .version(version, '--version')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'norn-tla: ')) })
    .showHelpAfterError('Run `norn-tla --help` for the commands.')
    .addHelpText(
      'after',
      '\nExit status: 0 nothing found, 1 a failure found, 2 the call or its input is wrong, 3 undecided.',
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
    const line = refusedLine(args, error.message.replace(/^error: /, ''))
    if (line !== undefined) console.log(line)
    return STATUS.usage
  }
}
