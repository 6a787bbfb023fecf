/** The command line: commands, and how errors are said. */
import { Command, CommanderError } from 'commander'
import { addTlaCommands, refusedLine } from 'norn-tla/cli'
import { version } from '../session/version.ts'
import { type ExitStatus, STATUS, UndecidedError, UsageError } from './exit-status.ts'

export async function run(args: readonly string[]): Promise<ExitStatus> {
  let status: ExitStatus = STATUS.passed
  const program = new Command('norn')
    .description('Finds the bugs hiding in the order of things: runs properties under a controlled event loop.')
    .version(version(), '--version')
    .exitOverride()
    .configureHelp({ sortOptions: false })
    .addHelpText(
      'after',
      '\nExit status: 0 nothing found, 1 a failure found, 2 the call or its input is wrong, 3 undecided or void.',
    )
    .showHelpAfterError('run `norn --help` for options')
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'norn: ')) })

  const ended = (result: ExitStatus) => {
    status = result
  }
  // The others take four times as long to load as a small specification takes to check.
  if (args[0] !== 'tla') (await import('./commands.ts')).addCommands(program, ended)
  addTlaCommands(program.command('tla').description('check, follow and validate TLA+ specifications'), ended)

  for (const group of program.commands) {
    for (const [command, name] of [
      [group, group.name()] as const,
      ...group.commands.map((each) => [each, `${group.name()} ${each.name()}`] as const),
    ])
      command.exitOverride().showHelpAfterError(`run \`norn ${name} --help\` for options`)
  }
  try {
    await program.parseAsync(args, { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode !== 0) {
      const [group, ...rest] = args
      const line = group === 'tla' ? refusedLine(rest, error.message.replace(/^error: /, '')) : undefined
      if (line !== undefined) console.log(line)
    }
    return failedCall(error)
  }
}

/** Says what was wrong with a call, in a line where a line is enough. */
function failedCall(error: unknown): ExitStatus {
  if (error instanceof CommanderError) {
    // Commander has printed it already. Help and the version are no errors.
    return error.exitCode === 0 ? STATUS.passed : STATUS.usage
  }
  if (error instanceof UsageError) {
    console.error(`norn: ${error.message}`)
    return STATUS.usage
  }
  if (error instanceof UndecidedError) {
    console.error(`norn: ${error.message}`)
    return STATUS.undecided
  }
  console.error(`norn: an error of norn itself; please report it\n${(error as Error)?.stack ?? error}`)
  return STATUS.undecided
}
