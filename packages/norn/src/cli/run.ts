/** The command line: its commands, and how it reports errors. */
import { Command, CommanderError } from 'commander'
import { addHistoryCommands, refusedLine as refusedHistoryLine } from 'norn-history/cli'
import { addTlaCommands, refusedLine } from 'norn-tla/cli'
import { callErrorText } from '#shared/cli/program'
import { print, printError } from '#shared/print'
import { printed } from '#shared/printable'
import { DeviceError } from '../devices/device.ts'
import { version } from '../session/version.ts'
import { TemporaryFilesError } from '../storage/files.ts'
import { type ExitStatus, STATUS, UndecidedError, UsageError } from './exit-status.ts'

export async function run(args: readonly string[]): Promise<ExitStatus> {
  let status: ExitStatus = STATUS.passed
  const program = new Command('norn')
    .description('Finds races and protocol bugs: runs properties under a controlled event loop.')
    .version(version(), '--version')
    .exitOverride()
    .configureHelp({ sortOptions: false })
    .addHelpText(
      'after',
      '\nExit status: 0 no failure found, 1 failure found, 2 invalid call or input, 3 inconclusive.',
    )
    .showHelpAfterError('run `norn --help` for options')
    .configureOutput({ outputError: (text, write) => write(printed(`norn: ${callErrorText(text)}`)) })

  const ended = (result: ExitStatus) => {
    status = result
  }
  // Loading these takes four times as long as checking a small specification.
  if (args[0] !== 'tla' && args[0] !== 'history') (await import('./commands.ts')).addCommands(program, ended)
  addTlaCommands(program.command('tla').description('check, follow and validate TLA+ specifications'), ended)
  addHistoryCommands(program.command('history').description('check histories: linearizability and isolation'), ended)

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
      const refused = { tla: refusedLine, history: refusedHistoryLine }[group as string]
      const line = refused?.(rest, callErrorText(error.message))
      if (line !== undefined) print(line)
    }
    return failedCall(error)
  }
}

/** Reports an error of a call. */
function failedCall(error: unknown): ExitStatus {
  if (error instanceof CommanderError) {
    // Commander has printed it. Help and the version come here too.
    return error.exitCode === 0 ? STATUS.passed : STATUS.usage
  }
  if (error instanceof UsageError) {
    printError(`norn: ${error.message}`)
    return STATUS.usage
  }
  if (error instanceof UndecidedError || error instanceof TemporaryFilesError || error instanceof DeviceError) {
    printError(`norn: ${error.message}`)
    return STATUS.undecided
  }
  printError(`norn: internal error; please report it\n${(error as Error)?.stack ?? error}`)
  return STATUS.undecided
}
